import type { Evidence } from '../kernel/evidence.ts'
import type { PointView } from './point-view.ts'
import { readMetric } from './series.ts'

/** Gauges are read once a second and requests come and go in between: a wide margin, for mistakes of bookkeeping alone. */
const TOLERANCE_SHARE = 0.2
const TOLERANCE_REQUESTS = 2

/**
 * Little's law as a check of the bookkeeping: requests ended a second × mean seconds from sent to terminal status (every status, drain
 * included) ≈ mean number in flight. `littles_law.client` holds it against the client's own gauge over the whole cohort;
 * `littles_law.engine` holds the engine's running and waiting against the client's gauge over the arrival window. Advice: no rule
 * depends on them, and they say nothing of a queue that grows.
 */
export function littlesLawEvidence(view: PointView): Evidence[] {
  return [clientEvidence(view), engineEvidence(view)]
}

function clientEvidence({ facts, records, timeline }: PointView): Evidence {
  const sampled = timeWeightedMean(
    timeline.client.map(({ atUs, inFlight }) => ({ atUs, value: inFlight })),
    facts.cohortUs,
  )
  const warming = timeline.client.findLast(({ atUs }) => atUs <= 0)?.inFlight ?? 0
  const sent = records.flatMap(({ sentUs, endUs }) => (sentUs === null ? [] : [endUs - sentUs]))
  const shared = { probe: 'littles_law.client', required: false, blames: 'client', unit: 'requests' } as const
  if (sampled === null || sent.length === 0) return { ...shared, state: 'unknown', text: 'no gauge or no request' }
  const meanSeconds = sent.reduce((sum, us) => sum + us, 0) / sent.length / 1e6
  const perSecond = sent.length / (facts.cohortUs / 1e6)
  const expected = perSecond * meanSeconds
  // Warm-up requests are in the gauge and not among the records.
  const foreign = (warming * meanSeconds * 1e6) / facts.cohortUs
  const text =
    `${perSecond.toFixed(2)} requests of every status ended a second after ${meanSeconds.toFixed(2)} s each: ` +
    `${expected.toFixed(1)} in flight; the client's gauge says ${sampled.toFixed(1)}`
  const agrees = Math.abs(sampled - expected) <= Math.max(TOLERANCE_REQUESTS, TOLERANCE_SHARE * expected) + foreign
  return { ...shared, state: agrees ? 'pass' : 'fail', value: sampled, limit: expected, text }
}

function engineEvidence({ dialect, facts, timeline }: PointView): Evidence {
  const shared = { probe: 'littles_law.engine', required: false, blames: 'engine', unit: 'requests' } as const
  const sources = dialect.metrics?.sources
  const client = timeWeightedMean(
    timeline.client.map(({ atUs, inFlight }) => ({ atUs, value: inFlight })),
    facts.arrivalUs,
  )
  const replicas = timeline.scrapes.map((scrapes) => {
    if (!sources?.running || !sources.waiting) return null
    const { running, waiting } = sources
    const gauges = scrapes.flatMap(({ atUs, values }) => {
      const [runs, waits] = [readMetric(values, running), readMetric(values, waiting)]
      return runs === null || waits === null ? [] : [{ atUs, value: runs + waits }]
    })
    return timeWeightedMean(gauges, facts.arrivalUs)
  })
  if (client === null || replicas.length === 0 || replicas.some((mean) => mean === null)) {
    return { ...shared, state: 'unknown', text: 'the engine’s running and waiting are not known' }
  }
  const engine = replicas.reduce<number>((sum, mean) => sum + (mean ?? 0), 0)
  const agrees = Math.abs(engine - client) <= Math.max(TOLERANCE_REQUESTS, TOLERANCE_SHARE * client)
  const text = `running and waiting at the engine ${engine.toFixed(1)}, in flight at the client ${client.toFixed(1)}`
  return { ...shared, state: agrees ? 'pass' : 'fail', value: engine, limit: client, text }
}

/** The mean of a gauge over [0, untilUs], each sample holding until the next; null where none lies in it. */
export function timeWeightedMean(samples: readonly { atUs: number; value: number }[], untilUs: number): number | null {
  let sum = 0
  let span = 0
  for (const [index, { atUs, value }] of samples.entries()) {
    const from = Math.max(0, atUs)
    const to = Math.min(untilUs, samples[index + 1]?.atUs ?? untilUs)
    if (to <= from) continue
    sum += value * (to - from)
    span += to - from
  }
  return span === 0 ? null : sum / span
}
