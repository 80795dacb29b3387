import type { PointKey } from '../kernel/point.ts'
import type { Manifest } from '../manifest/schema.ts'
import { admissibleMs, meanAdmissibleMs } from '../telemetry/calibration-need.ts'
import type { StepPoint } from './by-rate.ts'
import { explorationSeconds } from './exploration.ts'
import { guardMilliRps } from './guard-rate.ts'
import type { CapacityResult } from './record.ts'
import { sweptRates } from './swept-rates.ts'

/** Cache reset, prewarm, smoke and quiesce requests of a point. */
const PREPARATION_SECONDS = 5
/** What an engine completes in a closed loop over what it carries within the cutoffs. */
const SATURATION_OVER_CAPACITY = 1.25

/**
 * What a revision is taken to carry: what is accepted, else the second highest declared rate (of `rates_rps: auto` the middle one of those
 * that it chooses from), else the declared minimum; 0 for none.
 */
export function expectedMilliRps(
  manifest: Manifest,
  baseline: Pick<CapacityResult, 'passMilliRps'> | null,
  anchor: Pick<CapacityResult, 'passMilliRps'> | null,
): number {
  const known = Math.max(baseline?.passMilliRps ?? 0, anchor?.passMilliRps ?? 0)
  if (known > 0) return known
  const { acceptance, sweep } = manifest
  const rates = sweptRates(manifest)
  const guess = sweep?.rates_rps === 'auto' ? rates[Math.floor(rates.length / 2)] : (rates.at(-2) ?? rates.at(-1))
  return guess ?? guardMilliRps({ baselineMilliRps: null, anchorMilliRps: null, acceptance }) ?? 0
}

/** A point of a made-up engine that carries so much, and the seconds that it takes with its preparation, warm-up and drain. */
export function assumedPoint(
  manifest: Manifest,
  key: PointKey,
  capacityMilliRps: number,
  deployId: string,
): { point: StepPoint; seconds: number } {
  const { load } = key
  const isCarried = 'closedConcurrency' in load || load.openMilliRps <= capacityMilliRps
  const rate =
    'openMilliRps' in load
      ? load.openMilliRps
      : closedLoopMilliRps(manifest, load.closedConcurrency, capacityMilliRps * SATURATION_OVER_CAPACITY)
  const { client, workload } = manifest
  const schedule = (client.initial_scheduled_requests * 1000) / rate
  const arrivalSeconds =
    'openMilliRps' in load
      ? Math.min(client.maximum_duration_seconds, Math.max(schedule, client.minimum_duration_seconds))
      : Math.min(explorationSeconds(manifest), schedule)
  // The slowest admissible request is its drain; extensions are rare.
  const cohortSeconds = arrivalSeconds + Math.max(...workload.map(admissibleMs)) / 1000
  const point: StepPoint = {
    key,
    outcome: isCarried ? 'pass' : 'fail',
    deployId,
    stoppedEarly: false,
    evidence: [],
    slo: { queue_trend: isCarried ? 'flat' : 'growing', successful: 1 },
    ratesRps: { completed: rate / 1000, good: (rate <= capacityMilliRps ? rate : 0) / 1000 },
  }
  return { point, seconds: PREPARATION_SECONDS + client.warmup_seconds + cohortSeconds }
}

/** Of an engine that answers in half of what the cutoffs allow, up to where it is saturated; each place thinks after its answer. */
function closedLoopMilliRps(manifest: Manifest, concurrency: number, saturationMilliRps: number): number {
  const turnMs = Math.max(1, meanAdmissibleMs(manifest)) / 2 + manifest.client.closed_loop_think_seconds * 1000
  const answered = (concurrency * 1e6) / turnMs
  return Math.max(1, Math.min(saturationMilliRps, answered))
}
