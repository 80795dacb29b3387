import { EXIT, GateError } from '../kernel/errors.ts'
import type { Cache } from '../kernel/point.ts'
import type { Manifest } from '../manifest/schema.ts'
import type { AcceptedFloor } from './accepted-floor.ts'
import type { StepPoint } from './by-rate.ts'
import { guardMilliRps } from './guard-rate.ts'
import type { CapacityResult, Plan } from './record.ts'
import { endedOverloaded } from './overload.ts'
import { nextStep } from './step.ts'
import { declaredRates } from './sweep.ts'

/** Cache reset, prewarm, smoke and quiesce requests of a point. */
const PREPARATION_SECONDS = 5
/** A boot with weights and compiled kernels at hand, and one of an engine without GPUs. */
const GPU_BOOT_SECONDS = 300
const BOOT_SECONDS = 2
/** No path of a stepper is longer. */
const POINTS_MAX = 200

export interface EstimateInput {
  manifest: Manifest
  plan: Plan
  caches: readonly Cache[]
  baseline: { capacity: readonly Pick<CapacityResult, 'cache' | 'passMilliRps'>[] } | null
  anchor: { capacity: readonly Pick<CapacityResult, 'cache' | 'passMilliRps'>[] } | null
  /** Of accepted losses, by cache state; none where they are left out. */
  acceptedFloors?: Partial<Record<Cache, AcceptedFloor>>
  /** Whether the baseline's revision is measured first, to prove the machine. */
  provesHost?: boolean
}

/** One cache state's part of a plan. */
interface StateEstimate {
  cache: Cache
  points: number
  boots: number
  seconds: number
}

export interface PlanEstimate {
  states: StateEstimate[]
  /** For a revision that carries what the baseline carried; without one, a capacity between the two highest declared rates. */
  seconds: number
  gpuMinutes: number
  points: number
  /** Should it carry a tenth less. */
  ifLessSeconds: number
  /** For people, one a line. */
  lines: string[]
}

/**
 * What a plan will take, by the steppers themselves: they are led through a made-up engine of known capacity. Drains and boots are
 * guesses that are said in the lines.
 */
export function estimatePlan(input: EstimateInput): PlanEstimate {
  const paths = input.caches.map((cache) => ({ cache, same: pathOf(input, cache, 1), less: pathOf(input, cache, 0.9) }))
  const proof = proofPaths(input)
  const proofSeconds = sum(proof.map((path) => path.seconds))
  const seconds = proofSeconds + sum(paths.map(({ same }) => same.seconds))
  const ifLessSeconds = proofSeconds + sum(paths.map(({ less }) => less.seconds))
  const points = sum([...proof, ...paths.map(({ same }) => same)].map((path) => path.points))
  const { gpus } = input.manifest.engine.placement
  const gpuMinutes = (seconds / 60) * gpus
  return {
    states: paths.map(({ cache, same }) => ({ cache, ...same })),
    seconds,
    gpuMinutes,
    points,
    ifLessSeconds,
    lines: [
      ...proof.map(
        (path) =>
          `${path.cache}, the baseline’s revision first, since this is another machine: ${counted(path.points, 'point')} on ${counted(path.boots, 'boot')}, ${minutes(path.seconds)}`,
      ),
      ...paths.map(
        ({ cache, same }) =>
          `${cache}: ${counted(same.points, 'point')} on ${counted(same.boots, 'boot')}, ${minutes(same.seconds)}`,
      ),
      `${input.plan}: ${counted(points, 'point')}, ${minutes(seconds)}${gpus > 0 ? `, ${Math.ceil(gpuMinutes)} GPU-minutes` : ''}`,
      `should it carry a tenth less: ${minutes(ifLessSeconds)}`,
    ],
  }
}

/**
 * Refuses a plan that its budget cannot hold even for an unchanged revision; null is no budget.
 *
 * @throws GateError `plan_over_budget` (exit 4)
 */
export function requireWithinBudget(estimate: Pick<PlanEstimate, 'seconds'>, budgetMinutes: number | null): void {
  if (budgetMinutes === null || estimate.seconds <= budgetMinutes * 60) return
  throw new GateError({
    code: 'plan_over_budget',
    message: `the plan takes ${minutes(estimate.seconds)}, more than the budget of ${budgetMinutes} min`,
    hint: 'raise budget-minutes, or measure one cache state, fewer rates or fewer repeats',
    exitCode: EXIT.invalid,
  })
}

/** Of a machine that carries what the baseline's did: one point a state that the baseline has a capacity of. */
function proofPaths(input: EstimateInput): StateEstimate[] {
  const { manifest, caches, baseline, provesHost = false } = input
  if (!provesHost || baseline === null) return []
  const { min_capacity_rps: _minimum, ...acceptance } = manifest.acceptance
  const asked: EstimateInput = { ...input, manifest: { ...manifest, acceptance }, plan: 'confirm', anchor: null }
  const known = caches.filter((cache) =>
    baseline.capacity.some((result) => result.cache === cache && result.passMilliRps !== null),
  )
  return known.map((cache) => ({ cache, ...pathOf(asked, cache, 1) }))
}

function pathOf(input: EstimateInput, cache: Cache, share: number): Omit<StateEstimate, 'cache'> {
  const { manifest, plan } = input
  const baseline = input.baseline?.capacity.find((result) => result.cache === cache) ?? null
  const anchor = input.anchor?.capacity.find((result) => result.cache === cache) ?? null
  const capacity = expectedMilliRps(manifest, baseline, anchor) * share
  const acceptedFloor = input.acceptedFloors?.[cache] ?? null
  const points: StepPoint[] = []
  let boots = 0
  let seconds = 0
  while (points.length < POINTS_MAX) {
    const step = nextStep({ plan, manifest, cache, baseline, anchor, acceptedFloor, points })
    if (step.do === 'done') break
    const last = points.at(-1)
    if (step.boot === 'fresh' || (last && endedOverloaded(last))) boots += 1
    const rate = 'openMilliRps' in step.key.load ? step.key.load.openMilliRps : null
    const carried = rate === null || rate <= capacity
    points.push({
      key: step.key,
      outcome: carried ? 'pass' : 'fail',
      deployId: `boot-${boots}`,
      stoppedEarly: false,
      evidence: [],
      slo: { queue_trend: carried ? 'flat' : 'growing', successful: 1 },
    })
    seconds += pointSeconds(manifest, rate)
  }
  return { seconds: seconds + boots * bootSeconds(manifest), points: points.length, boots }
}

/** What a revision is taken to carry: what is accepted, else the second highest declared rate, else the declared minimum; 0 for none. */
export function expectedMilliRps(
  manifest: Manifest,
  baseline: Pick<CapacityResult, 'passMilliRps'> | null,
  anchor: Pick<CapacityResult, 'passMilliRps'> | null,
): number {
  const known = Math.max(baseline?.passMilliRps ?? 0, anchor?.passMilliRps ?? 0)
  if (known > 0) return known
  const rates = manifest.sweep ? declaredRates(manifest.sweep) : []
  const guess = rates.at(-2) ?? rates.at(-1)
  if (guess !== undefined) return guess
  const { acceptance } = manifest
  return guardMilliRps({ baselineMilliRps: null, anchorMilliRps: null, acceptance }) ?? 0
}

/** Warm-up, arrivals of the initial schedule (extensions are rare), the slowest admissible request as drain. */
function pointSeconds(manifest: Manifest, milliRps: number | null): number {
  const { client, sweep, workload } = manifest
  // A closed loop takes its schedule as fast as the engine lets it: about as fast as the highest declared rate.
  const rate = milliRps ?? (sweep ? (declaredRates(sweep).at(-1) ?? 1) : 1)
  const schedule = (client.initial_scheduled_requests * 1000) / rate
  const arrivals = Math.min(client.maximum_duration_seconds, Math.max(schedule, client.minimum_duration_seconds))
  const slowestMs = workload.map(
    (entry) => entry.request_ttft_cutoff_ms + entry.request_tpot_cutoff_ms * (entry.output_tokens - 1),
  )
  return PREPARATION_SECONDS + client.warmup_seconds + arrivals + Math.max(...slowestMs) / 1000
}

function bootSeconds({ engine }: Manifest): number {
  if (engine.deploy?.kind === 'endpoint') return 0
  return engine.placement.gpus > 0 ? GPU_BOOT_SECONDS : BOOT_SECONDS
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

function minutes(seconds: number): string {
  return seconds < 90 ? `about ${Math.ceil(seconds)} s` : `about ${Math.ceil(seconds / 60)} min`
}
