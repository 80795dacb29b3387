import type { Reason } from '../kernel/evidence.ts'
import type { CapacityRecord, PointReport } from '../capacity/record.ts'
import { contradictions } from './consistency.ts'
import { isImported } from './imported.ts'
import { readTerms } from './terms.ts'
import { asPercent, asRps } from './wording.ts'

/**
 * Why a record may not become a baseline; empty where it may. Only a sweep finds a capacity, and only a bracket no wider than the
 * tolerance finds it well enough to be held to.
 */
export function promotionObstacles(record: CapacityRecord): Reason[] {
  const terms = readTerms(record)
  if (terms === null) return [{ code: 'experiment_unreadable', text: 'the record does not hold its acceptance terms' }]
  const found = contradictions(record, terms, 'the record')
  if (!wasDeployed(record)) {
    found.push({
      code: 'not_deployed',
      text: 'the engine was not started by the run: nothing proves which revision it was',
    })
  }
  if (isImported(record)) {
    found.push({ code: 'imported_cohort', text: 'another tool sent its requests: nothing proves its open loop' })
  }
  if (record.capacity.length === 0) found.push({ code: 'nothing_measured', text: 'the record holds no cache state' })
  for (const item of [...record.identity, ...record.evidence]) {
    if (item.required && item.state !== 'pass') {
      found.push({
        code: `evidence_${item.state === 'fail' ? 'failed' : 'unknown'}`,
        text: `${item.probe} is ${item.state}`,
      })
    }
  }
  for (const { cache, plan, points, passMilliRps: pass, failMilliRps: fail } of record.capacity) {
    if (plan !== 'sweep')
      found.push({ code: 'not_a_sweep', text: `${cache}: a confirmation finds no capacity; run a sweep` })
    else if (pass === null) found.push({ code: 'no_passing_rate', text: `${cache}: ${withoutPass(points)}` })
    else if (fail === null)
      found.push({ code: 'no_failing_rate', text: `${cache}: no rate failed; sweep higher rates` })
    // Of the pass rate, since that is what the tolerance is taken of; the grid's rounding is forgiven.
    else if (fail > pass * (1 + terms.toleranceShare) + 1) {
      const width = asPercent((fail - pass) / pass)
      const text = `${cache}: between ${asRps(pass)} and ${asRps(fail)} RPS lie ${width}, more than the tolerance; refine the sweep`
      found.push({ code: 'bracket_too_wide', text })
    }
  }
  return found
}

/** Lower rates help only where a rate was too high: not where nothing was measured validly, nor where the engine never ran. */
function withoutPass(points: readonly PointReport[]): string {
  const failed = points.filter((point) => point.outcome === 'fail')
  if (failed.length === 0) return 'no rate was judged; mend what its report names, and sweep again'
  return failed.every(({ reasons }) => reasons.some(({ code }) => code === 'start_failed'))
    ? 'the engine did not start; mend what its log names, and sweep again'
    : 'no rate passed; sweep lower rates'
}

/** Whether the run started what it measured. Of an endpoint that was up already nothing proves which revision it is. */
export function wasDeployed({ subject: { image, argv } }: Pick<CapacityRecord, 'subject'>): boolean {
  return image !== null || argv.length > 0
}
