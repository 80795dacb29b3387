import { EXIT, GateError } from '../kernel/errors.ts'
import type { Cache } from '../kernel/point.ts'
import type { Manifest } from '../manifest/schema.ts'
import type { AcceptedFloor } from './accepted-floor.ts'
import { assumedPoint, expectedMilliRps } from './assumed-point.ts'
import type { StepPoint } from './by-rate.ts'
import type { CapacityResult, Plan } from './record.ts'
import { endedOverloaded } from './overload.ts'
import { rpsText } from './measure.ts'
import { nextStep } from './step.ts'
import { sweptRates } from './swept-rates.ts'

/** A boot with weights and compiled kernels at hand, and one of an engine without GPUs. */
const GPU_BOOT_SECONDS = 300
const BOOT_SECONDS = 2
/** No path of a stepper is longer. */
export const POINTS_MAX = 200

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
  /** Where `rates_rps: auto` is to find the rates and nothing is accepted: the least and the most over the capacities that are admitted. */
  admittedSeconds: readonly [number, number] | null
  /** For people, one a line. */
  lines: string[]
}

/**
 * What a plan will take, by the steppers themselves: they are led through a made-up engine of known capacity. Drains and boots are
 * guesses that are said in the lines.
 */
export function estimatePlan(input: EstimateInput): PlanEstimate {
  const paths = input.caches.map((cache) => {
    const capacity = expectedOf(input, cache)
    return { cache, same: pathOf(input, cache, capacity), less: pathOf(input, cache, capacity * 0.9) }
  })
  const proof = proofPaths(input)
  const proofSeconds = sum(proof.map((path) => path.seconds))
  const seconds = proofSeconds + sum(paths.map(({ same }) => same.seconds))
  const ifLessSeconds = proofSeconds + sum(paths.map(({ less }) => less.seconds))
  const points = sum([...proof, ...paths.map(({ same }) => same)].map((path) => path.points))
  const { gpus } = input.manifest.engine.placement
  const gpuMinutes = (seconds / 60) * gpus
  const admittedSeconds = overAdmitted(input)
  return {
    states: paths.map(({ cache, same }) => ({ cache, ...same })),
    seconds,
    gpuMinutes,
    points,
    ifLessSeconds,
    admittedSeconds,
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
      ...(admittedSeconds === null ? [] : [admittedLine(input.manifest, admittedSeconds)]),
    ],
  }
}

/**
 * Refuses a plan that its budget cannot hold even for an unchanged revision, or for the highest capacity where none is known; null is no
 * budget.
 *
 * @throws GateError `plan_over_budget` (exit 4)
 */
export function requireWithinBudget(
  { seconds, admittedSeconds }: Pick<PlanEstimate, 'seconds' | 'admittedSeconds'>,
  budgetMinutes: number | null,
): void {
  const least = admittedSeconds?.[0] ?? seconds
  if (budgetMinutes === null || least <= budgetMinutes * 60) return
  throw new GateError({
    code: 'plan_over_budget',
    message: `the plan takes ${minutes(least)}, more than the budget of ${budgetMinutes} min`,
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
  return known.map((cache) => ({ cache, ...pathOf(asked, cache, expectedOf(asked, cache)) }))
}

/** The whole plan's time for each capacity that the manifest admits. Without anything accepted no single one is a better guess. */
function overAdmitted(input: EstimateInput): readonly [number, number] | null {
  const { manifest, plan, caches } = input
  const isKnown = caches.every((cache) =>
    acceptedOf(input, cache).some((record) => (record?.passMilliRps ?? null) !== null),
  )
  if (plan !== 'sweep' || manifest.sweep?.rates_rps !== 'auto' || isKnown) return null
  const times = sweptRates(manifest).map((rate) => sum(caches.map((cache) => pathOf(input, cache, rate).seconds)))
  return times.length === 0 ? null : [Math.min(...times), Math.max(...times)]
}

function admittedLine(manifest: Manifest, [least, most]: readonly [number, number]): string {
  const rates = sweptRates(manifest)
  const span = `${rpsText(rates[0] ?? 0)} to ${rpsText(rates.at(-1) ?? 0)}`
  return `nothing is accepted yet, and the run finds its rates itself, from ${span}: it takes ${minutes(least)} to ${minutes(most)}`
}

function acceptedOf({ baseline, anchor }: EstimateInput, cache: Cache) {
  return [baseline, anchor].map((record) => record?.capacity.find((result) => result.cache === cache) ?? null)
}

function expectedOf(input: EstimateInput, cache: Cache): number {
  const [baseline = null, anchor = null] = acceptedOf(input, cache)
  return expectedMilliRps(input.manifest, baseline, anchor)
}

function pathOf(input: EstimateInput, cache: Cache, capacity: number): Omit<StateEstimate, 'cache'> {
  const { manifest, plan } = input
  const [baseline = null, anchor = null] = acceptedOf(input, cache)
  const acceptedFloor = input.acceptedFloors?.[cache] ?? null
  const points: StepPoint[] = []
  let boots = 0
  let seconds = 0
  while (points.length < POINTS_MAX) {
    const step = nextStep({ plan, manifest, cache, baseline, anchor, acceptedFloor, points })
    if (step.do === 'done') break
    const last = points.at(-1)
    if (step.boot === 'fresh' || (last && endedOverloaded(last))) boots += 1
    const { point, seconds: took } = assumedPoint(manifest, step.key, capacity, `boot-${boots}`)
    points.push(point)
    seconds += took
  }
  return { seconds: seconds + boots * bootSeconds(manifest), points: points.length, boots }
}

export function bootSeconds({ engine }: Manifest): number {
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
