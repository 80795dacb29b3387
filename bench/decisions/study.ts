import { mixSeed, SeededRandom } from '../../fixtures/engine/model/seeded-random.ts'
import { dialectFor } from '../../src/core/dialect/choose.ts'
import type { Cache } from '../../src/core/kernel/point.ts'
import type { Manifest } from '../../src/core/manifest/schema.ts'
import { buildSchedule } from '../../src/core/schedule/build-schedule.ts'
import type { Schedule } from '../../src/core/schedule/schedule.ts'
import type { VirtualSubject } from '../../test/virtual/virtual-engine.ts'
import { workedExample, workedSubject } from '../../test/virtual/virtual-manifest.ts'
import type { ManifestChange } from '../../test/virtual/virtual-manifest.ts'
import type { LeanExperiment } from './lean-point.ts'

/**
 * The speed (every step's time is divided by it) at which the worked example's engine carries a tenth less: found by
 * `node bench/decisions/calibrate.ts`, which prints what it costs in each state.
 */
export const SPEED_OF_A_TENTH_LESS = 0.9335

/**
 * Near its capacity this engine loses 1.5 % of it for 1 % of speed: cutoffs stay where they are, and queues grow. Spreads are of the
 * capacity, as the tolerance is; what is drawn is the speed.
 */
export const CAPACITY_PER_SPEED = 1.5

/** Deviation of one step's time, and the largest slow swing of it: the swing of each revision is drawn between none and this. */
const STEP_JITTER = 0.03
const DRIFT_MAX = 0.01
const DRIFT_PERIOD_SECONDS = 1800

/** At 20 RPS and below every class is above 99.8 % where 95 % is asked for, and the capacity 20 % away. */
export const ASSUMED_PASS_MILLI_RPS = 20_000

export const STATES: readonly Cache[] = ['cold', 'warm']

/** The worked example under a schedule seed of its own. Its two schedules differ in their prefixes alone. */
export function experimentsOf(seed: number, ...changes: readonly ManifestChange[]): Record<Cache, LeanExperiment> {
  const manifest = workedExample(...changes, { client: { request_schedule_seed: mixSeed(seed, 1) } })
  const warm = buildSchedule(manifest, 'warm').schedule
  return { warm: experimentOf(manifest, warm), cold: experimentOf(manifest, withoutPrefixes(warm)) }
}

function experimentOf(manifest: Manifest, schedule: Schedule): LeanExperiment {
  return { manifest, dialect: dialectFor(manifest), schedule }
}

/** The cold schedule has the warm one's classes and arrivals. */
function withoutPrefixes(warm: Schedule): Schedule {
  const { prefixSet: _, ...header } = warm.header
  return {
    ...warm,
    header: { ...header, cache: 'cold', prefixes: [] },
    rows: warm.rows.map(({ prefix: __, ...row }) => row),
  }
}

/** A revision whose boots and steps are drawn from its own seed; `capacitySpread` is its capacity's deviation from boot to boot. */
export function revision(seed: number, capacitySpread: number, speed: number): VirtualSubject {
  const bootSpread = capacitySpread / CAPACITY_PER_SPEED
  const driftAmplitude = DRIFT_MAX * new SeededRandom(mixSeed(seed, 0xd71f)).nextUnit()
  const noise = { seed, bootSpread, jitter: STEP_JITTER, driftAmplitude, driftPeriodSeconds: DRIFT_PERIOD_SECONDS }
  return { ...workedSubject(noise), speed }
}
