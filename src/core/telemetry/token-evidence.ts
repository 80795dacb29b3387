import type { MetricSource } from '../dialect/dialect.ts'
import type { Evidence } from '../kernel/evidence.ts'
import type { RequestRecord } from '../record/record.ts'
import type { ScheduleRow } from '../schedule/schedule.ts'
import type { PointView } from './point-view.ts'
import { cohortWindows, totalRise } from './series.ts'

/** Counters are read a moment before and after; some engines count a request when it ends. */
const TOLERANCE = 0.01

/** What one kind of token is read from. */
interface Kind {
  probe: 'tokens.input' | 'tokens.output'
  counter: MetricSource | null | undefined
  ofRecord: (record: RequestRecord) => number | null
  /** The most that one request of the schedule has of them. */
  largest: number
}

/**
 * Token totals of the successes against the rise of the engine's counters (`tokens.input`, `tokens.output`). The counters hold more than
 * the successes: failed requests, warm-up requests still in flight at the cohort's start, the quiesce request, prompts computed again
 * after a preemption. They are allowed for at the largest class's length, and a hundredth on either side. A rise above that means load
 * from elsewhere and blames the host; one below it means that the records cannot be right and blames the client. Advice, unless the
 * manifest requires `tokens`.
 */
export function tokenEvidence(view: PointView): Evidence[] {
  const sources = view.dialect.metrics?.sources
  return [
    totalEvidence(view, {
      probe: 'tokens.input',
      counter: sources?.promptTokens,
      ofRecord: ({ inputTokens }) => inputTokens,
      largest: largestOf(view, ({ inputTokens }) => inputTokens),
    }),
    totalEvidence(view, {
      probe: 'tokens.output',
      counter: sources?.generationTokens,
      ofRecord: ({ outputTokens }) => outputTokens,
      largest: largestOf(view, ({ outputTokens }) => outputTokens),
    }),
  ]
}

function largestOf({ schedule }: PointView, tokensOf: (row: ScheduleRow) => number): number {
  return schedule.rows.reduce((largest, row) => Math.max(largest, tokensOf(row)), 0)
}

function totalEvidence(view: PointView, kind: Kind): Evidence {
  const shared = { probe: kind.probe, required: true, unit: 'tokens' } as const
  const unknown = (text: string): Evidence => ({ ...shared, state: 'unknown', blames: 'client', text })
  if (!kind.counter) return unknown('the engine does not count them')
  const counted = totalRise(cohortWindows(view.timeline.scrapes, view.facts.cohortUs), kind.counter)
  if (counted.state !== 'risen') return unknown('the engine’s counter is not known before and after the cohort')
  const successes = view.records.filter(({ status }) => status === 'ok').map(kind.ofRecord)
  if (successes.includes(null)) return unknown('not every success tells its tokens')
  const received = successes.reduce<number>((sum, tokens) => sum + (tokens ?? 0), 0)
  const allowance = otherRequests(view, kind) * kind.largest
  const text =
    `${counted.by} by the engine's counter, ${received} in ${successes.length} successes, ` +
    `up to ${allowance} in other requests`
  const result = { ...shared, value: counted.by, limit: received, text }
  if (counted.by < received * (1 - TOLERANCE)) return { ...result, state: 'fail', blames: 'client' }
  if (counted.by > (received + allowance) * (1 + TOLERANCE)) return { ...result, state: 'fail', blames: 'host' }
  return { ...result, state: 'pass', blames: 'client' }
}

/** Requests that the counters hold beside the cohort's successes. */
function otherRequests(view: PointView, kind: Kind): number {
  const { facts, timeline, records } = view
  const failed = records.filter(({ status }) => status !== 'ok').length
  const warming = timeline.client.findLast(({ atUs }) => atUs <= 0)?.inFlight ?? facts.warmupRequests
  // A scrape lies up to a second before the cohort: warm-up requests that ended in between are counted too.
  const lately = Math.ceil(facts.warmupRequests / Math.max(1, view.manifest.client.warmup_seconds))
  const probes = 2 * facts.replicas
  const preempted = view.dialect.metrics?.sources.preemptions
  const again = preempted ? totalRise(cohortWindows(timeline.scrapes, facts.cohortUs), preempted) : null
  const recomputed = kind.probe === 'tokens.input' && again?.state === 'risen' ? again.by : 0
  return failed + warming + lately + probes + recomputed
}
