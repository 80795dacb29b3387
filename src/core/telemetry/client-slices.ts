import type { Evidence } from '../kernel/evidence.ts'
import type { RequestRecord } from '../record/record.ts'
import { isBeyondChance } from './beyond-chance.ts'
import { ownLagUs, wasOffered } from './client-pacing.ts'
import { likelyCause } from './client-watch.ts'
import type { PointView } from './point-view.ts'
import { stampToleranceUs } from './stamp-tolerance.ts'
import type { Timeline } from './timeline.ts'

type View = Pick<PointView, 'manifest' | 'facts' | 'records' | 'timeline'>

const SLICE_US = 10_000_000
/** A rest that is shorter belongs to the slice before: too few requests are due in it. */
const SHORTEST_US = SLICE_US / 2
/** More of a slice's requests late, or of its answers stamped late, is more than a P99 bears. */
const LATE_SHARE_MAX = 0.01
const NAMED = 3

/** A part of the cohort, from its start; the last one has no end, so that nothing falls behind it. */
interface Slice {
  fromUs: number
  toUs: number
  lengthUs: number
  due: readonly RequestRecord[]
  samples: Timeline['client']
}

/**
 * `client.slices`: in every ten seconds of the cohort the client sent what was due on its time, and looked at what came before its
 * lateness could matter. What chance makes of few requests is let pass: a point has many slices, and one late request says nothing.
 */
export function sliceEvidence(view: View): Evidence {
  const { timeline } = view
  const slices = slicesOf(view)
  const wrong = slices.flatMap((slice) => {
    const stalls = stallFaults(slice, view)
    const found = [...pacingFaults(slice, view), ...stalls]
    if (found.length === 0) return []
    const cause = likelyCause(slice.samples, stalls.length > 0)
    return [`${spanText(slice)}: ${found.join(', ')}${cause === null ? '' : ` (${cause} in that slice)`}`]
  })
  const shared = { probe: 'client.slices', required: true, blames: 'client', unit: 'slices' } as const
  if (wrong.length === 0 && timeline.client.length === 0) {
    return { ...shared, state: 'unknown', text: 'the client’s own state was not recorded' }
  }
  const more = wrong.length > NAMED ? ` and ${wrong.length - NAMED} more` : ''
  return {
    ...shared,
    state: wrong.length === 0 ? 'pass' : 'fail',
    value: wrong.length,
    limit: 0,
    text:
      wrong.length === 0
        ? `the client kept its times in all ${slices.length} slices of 10 s`
        : wrong.slice(0, NAMED).join('; ') + more,
  }
}

function slicesOf({ facts, records, timeline }: View): Slice[] {
  const endUs = Math.max(facts.cohortUs, facts.arrivalUs, 1)
  const count = Math.max(1, Math.floor((endUs + SHORTEST_US) / SLICE_US))
  return Array.from({ length: count }, (_, index) => {
    const fromUs = index * SLICE_US
    const isLast = index === count - 1
    const toUs = isLast ? Infinity : fromUs + SLICE_US
    const isIn = (us: number): boolean => us >= fromUs && us < toUs
    return {
      fromUs,
      toUs,
      lengthUs: (isLast ? endUs : toUs) - fromUs,
      due: records.filter(({ dueUs }) => isIn(dueUs)),
      // What a sample tells is of the time before it.
      samples: timeline.client.filter(({ atUs }) => atUs > 0 && isIn(atUs)),
    }
  })
}

/** Only an open loop has due times of its own. */
function pacingFaults({ toUs, due }: Slice, { manifest, facts }: View): string[] {
  if (!('openMilliRps' in facts.key.load) || due.length === 0) return []
  const { send_lag_p99_max_ms: limitMs, offered_rate_min_share: leastShare } = manifest.client
  const lagsUs = due.flatMap((record) => ownLagUs(record) ?? []).toSorted((a, b) => a - b)
  const late = lagsUs.filter((lagUs) => lagUs > limitMs * 1000).length
  const faults: string[] = []
  if (isBeyondChance(late, LATE_SHARE_MAX * lagsUs.length)) {
    const p99Us = lagsUs[Math.ceil((1 - LATE_SHARE_MAX) * lagsUs.length) - 1] ?? 0
    faults.push(`send lag p99 ${p99Us / 1000} ms > ${limitMs} ms (${late} of ${lagsUs.length} requests late)`)
  }
  const untilUs = toUs + limitMs * 1000
  const missing = due.filter((record) => !wasOffered(record, untilUs)).length
  if (isBeyondChance(missing, (1 - leastShare) * due.length)) {
    faults.push(`${missing} of ${due.length} requests due were not sent in it`)
  }
  return faults
}

/** An event that comes while the loop stands still is stamped when it goes on: too late, if it came early enough. */
function stallFaults({ samples, lengthUs }: Slice, { manifest }: View): string[] {
  const toleranceUs = stampToleranceUs(manifest)
  const blindUs = samples.reduce(
    (sum, { loopStallUs, loopBlindUs }) => sum + (loopBlindUs ?? Math.max(0, loopStallUs - toleranceUs)),
    0,
  )
  if (blindUs <= LATE_SHARE_MAX * lengthUs) return []
  const longestUs = Math.max(...samples.map(({ loopStallUs }) => loopStallUs))
  const share = ((blindUs / lengthUs) * 100).toFixed(1)
  const tolerance = Math.round(toleranceUs) / 1000
  return [`the event loop stood still for ${longestUs / 1000} ms, ${share} % of answers more than ${tolerance} ms late`]
}

function spanText({ fromUs, lengthUs }: Slice): string {
  return `${fromUs / 1e6}–${Number(((fromUs + lengthUs) / 1e6).toFixed(1))} s`
}
