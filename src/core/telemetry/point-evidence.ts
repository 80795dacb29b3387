import type { Evidence } from '../kernel/evidence.ts'
import { cacheEvidence } from './cache-evidence.ts'
import { pacingEvidence } from './client-pacing.ts'
import { sliceEvidence } from './client-slices.ts'
import { freedEvidence } from './freed-evidence.ts'
import { intakeEvidence } from './intake-evidence.ts'
import { watchEvidence } from './client-watch.ts'
import { rowEvidence } from './client-rows.ts'
import { littlesLawEvidence } from './littles-law.ts'
import { machineEvidence } from './machine-evidence.ts'
import type { PointView } from './point-view.ts'
import { queueTrend } from './queue-trend.ts'
import type { Gauge, QueueTrend } from './queue-trend.ts'
import { readMetric } from './series.ts'
import { sessionEvidence } from './session-evidence.ts'
import { stabilityEvidence } from './stability-evidence.ts'
import { tokenEvidence } from './token-evidence.ts'

/** A point's evidence: what the adapters probed, then what its files say; and its queue's trend. */
export interface PointEvidence {
  queue: QueueTrend
  evidence: Evidence[]
}

/**
 * Everything that is known of a point beside its latencies. Where no load was sent (the engine did not start, or failed its smoke
 * request) the client has nothing to answer for, and only what happened and what the adapters probed is said.
 */
export function pointEvidence(view: PointView): PointEvidence {
  const queue = queueOf(view)
  const probed = view.timeline.evidence
  if (view.facts.cohortRequests === 0) return { queue, evidence: [...probed, ...stabilityEvidence(view)] }
  return {
    queue,
    evidence: [
      ...probed,
      ...rowEvidence(view),
      ...pacingEvidence(view),
      sliceEvidence(view),
      ...watchEvidence(view.timeline),
      ...sessionEvidence(view),
      queueEvidence(queue),
      intakeEvidence(view),
      ...cacheEvidence(view),
      ...stabilityEvidence(view),
      ...freedEvidence(view),
      ...tokenEvidence(view),
      ...littlesLawEvidence(view),
      ...machineEvidence(view),
    ],
  }
}

function queueOf({ dialect, facts, timeline }: PointView): QueueTrend {
  const source = dialect.metrics?.sources.waiting
  const gauge = (value: (sample: { inFlight: number; backlog: number }) => number): Gauge[] =>
    timeline.client.map((sample) => ({ atUs: sample.atUs, value: value(sample) }))
  return queueTrend({
    arrivalUs: facts.arrivalUs,
    inFlight: gauge(({ inFlight }) => inFlight),
    backlog: gauge(({ backlog }) => backlog),
    waiting: source
      ? timeline.scrapes.map((scrapes) =>
          scrapes.flatMap(({ atUs, values }) => {
            const value = readMetric(values, source)
            return value === null ? [] : [{ atUs, value }]
          }),
        )
      : null,
  })
}

function queueEvidence({ trend, series }: QueueTrend): Evidence {
  const text = series
    .map(({ name, rise, riseLimit, sampled }) =>
      rise === null
        ? `${name}: not sampled`
        : `${name} ${rise >= 0 ? '+' : '−'}${Math.abs(rise).toFixed(1)} (limit ${riseLimit.toFixed(1)}, ${Math.round(sampled * 100)} % sampled)`,
    )
    .join('; ')
  return {
    probe: 'queue.trend',
    state: trend === 'flat' ? 'pass' : trend === 'growing' ? 'fail' : 'unknown',
    required: true,
    blames: 'engine',
    unit: 'requests',
    text: `${trend} over the arrival window: ${text}`,
  }
}
