import type { Reason } from '../kernel/evidence.ts'
import type { Cache } from '../kernel/point.ts'
import type { Manifest } from '../manifest/schema.ts'
import type { AcceptedFloor } from './accepted-floor.ts'
import { bootSpreadOf } from './boot-spread.ts'
import { bracketOf, isDecisive, openMilliRps } from './by-rate.ts'
import type { Bracket } from './by-rate.ts'
import { rpsText } from './measure.ts'
import type { CapacityResult, Plan, PointReport } from './record.ts'
import { nextStep } from './step.ts'
import { declaredRates } from './swept-rates.ts'

export interface ResultInput {
  plan: Plan
  manifest: Manifest
  cache: Cache
  baseline: Pick<CapacityResult, 'passMilliRps'> | null
  anchor: Pick<CapacityResult, 'passMilliRps'> | null
  /** The state's accepted loss; none where it is left out. */
  acceptedFloor?: AcceptedFloor | null
  /** The state's judged points in the order in which they were measured. */
  points: readonly PointReport[]
  gpuMinutes: number
  /** As the stepper was led. */
  statesLoss?: boolean
  /** Why the run ended before the stepper was done. */
  limits?: readonly Reason[]
}

/** One state's capacity by rule 2, from whatever points there are: what was not settled is said in `reasons`. */
export function capacityResult(input: ResultInput): CapacityResult {
  const { plan, manifest, cache } = input
  const points = input.points.filter(({ key }) => key.cache === cache)
  const bracket = bracketOf(points)
  const { replicas, gpus } = manifest.engine.placement
  const passRps = bracket.pass === null ? null : bracket.pass / 1000
  const step = nextStep(input)
  const unfinished: Reason[] =
    step.do === 'done' ? step.reasons : [{ code: 'unfinished', text: `ended before its next point: ${step.why}` }]
  return {
    cache,
    plan,
    passMilliRps: bracket.pass,
    failMilliRps: bracket.fail,
    perReplicaRps: passRps === null ? null : passRps / replicas,
    perGpuRps: passRps === null || gpus === 0 ? null : passRps / gpus,
    points,
    flukeMilliRps: bracket.flukes,
    attainmentSpread: attainmentSpread(points, bracket.pass),
    bootSpread: isBootedHere(manifest) ? bootSpreadOf(points, bracket.pass).share : null,
    gpuMinutes: input.gpuMinutes,
    reasons: [...(input.limits ?? []), ...unfinished, ...bracketReasons(input, points, bracket)],
  }
}

/** An engine that somebody else started is one boot, however often it was met anew. */
function isBootedHere({ engine: { deploy } }: Manifest): boolean {
  return deploy !== undefined && deploy.kind !== 'endpoint'
}

function bracketReasons(input: ResultInput, points: readonly PointReport[], bracket: Bracket): Reason[] {
  const { pass, fail, flukes } = bracket
  const reasons: Reason[] = flukes.map((rate) => ({
    code: 'fluke',
    text: `${rpsText(rate)} passed above ${rpsText(fail ?? 0)}, which failed: not used`,
    value: rate / 1000,
  }))
  if (input.plan === 'confirm') return reasons
  if (pass !== null && fail === null) {
    reasons.push({
      code: 'no_ceiling_found',
      text: `no tested rate failed up to ${rpsText(pass)}: the capacity is at least that, and irregular as a baseline`,
      value: pass / 1000,
    })
  }
  if (pass === null && fail !== null) {
    reasons.push({
      code: 'no_rate_passed',
      text: `no tested rate passed: the capacity lies below ${rpsText(fail)}`,
      limit: fail / 1000,
    })
  }
  const measured = new Set(points.map(openMilliRps))
  const left = (input.manifest.sweep ? declaredRates(input.manifest.sweep) : []).filter(
    (rate) => fail !== null && rate > fail && !measured.has(rate),
  )
  if (left.length > 0) {
    const rates = left.map((rate) => rate / 1000).join(', ')
    reasons.push({ code: 'rates_not_measured', text: `${rates} RPS lie above the lowest failing rate: not measured` })
  }
  return reasons
}

/** Lowest and highest, over the decisive repeats at the pass rate, of the worst class's attainment. */
function attainmentSpread(points: readonly PointReport[], pass: number | null): [number, number] | null {
  const worst = points
    .filter((point) => pass !== null && openMilliRps(point) === pass && isDecisive(point))
    .flatMap(({ slo }) => {
      const shares = Object.values(slo.classes).flatMap(({ attainment }) => attainment ?? [])
      return shares.length === 0 ? [] : [Math.min(...shares)]
    })
  return worst.length === 0 ? null : [Math.min(...worst), Math.max(...worst)]
}
