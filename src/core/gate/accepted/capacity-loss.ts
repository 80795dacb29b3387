import { evidenceGroup } from '../../kernel/evidence.ts'
import { openMilliRps } from '../../capacity/by-rate.ts'
import { engineFaults } from '../../capacity/outcome.ts'
import type { PointReport } from '../../capacity/record.ts'
import { pointName } from '../../kernel/point.ts'
import type { Terms } from '../terms.ts'

/**
 * Why what a state's points up to the guard rate show is no mere loss of capacity, and so nothing that can be accepted; null where it is
 * one. Slow answers, a growing queue, refusals and timeouts are what too high a rate looks like. An engine that ended, did not start, lost
 * its warm hits or answered wrongly is broken at any rate.
 */
export function beyondCapacity(points: readonly PointReport[], guardMilliRps: number, terms: Terms): string | null {
  for (const point of points) {
    const rate = openMilliRps(point)
    if (rate === null || rate > guardMilliRps) continue
    const fault = engineFaults(point.evidence).find(({ probe }) => evidenceGroup(probe) !== 'queue')
    if (fault !== undefined) return `${pointName(point.key)}: ${fault.probe}: ${fault.text ?? fault.state}`
    const wrong = point.outcome === 'fail' ? wrongAnswers(point, terms) : null
    if (wrong !== null) return `${pointName(point.key)}: ${wrong}`
  }
  return null
}

/**
 * Errors that are neither refusals nor timeouts, where they alone are too many. Of one class no status is on record: at worst all of them
 * were its own.
 */
function wrongAnswers({ slo }: PointReport, terms: Terms): string | null {
  const errors = slo.status_counts.error
  const isOver = slo.attempted > 0 && errors / slo.attempted > terms.errorRateMax
  const limit = terms.classErrorRateMax
  const inClass = Object.entries(slo.classes).some(
    ([, { attempted_count: attempted, failed_count: failed }]) =>
      limit !== null && attempted > 0 && Math.min(errors, failed) / attempted > limit,
  )
  return isOver || inClass ? `${errors} of ${slo.attempted} requests were answered wrongly or not at all` : null
}
