import type { Cache } from '../kernel/point.ts'
import { assumedPoint, expectedMilliRps } from './assumed-point.ts'
import { isDecisive, openMilliRps } from './by-rate.ts'
import type { StepPoint } from './by-rate.ts'
import { bootSeconds, POINTS_MAX } from './estimate.ts'
import type { EstimateInput } from './estimate.ts'
import { endedOverloaded } from './overload.ts'
import { nextStep } from './step.ts'

/**
 * The points of one cache state that are still to come after those measured, by the stepper itself: estimated seconds of each, its boot
 * included. The made-up engine carries what is expected of the revision, as far as that agrees with what was measured: a fail at the
 * guard rate makes more points, a pass fewer.
 */
export function secondsAhead(input: EstimateInput, cache: Cache, measured: readonly StepPoint[]): number[] {
  const { manifest, plan } = input
  const baseline = input.baseline?.capacity.find((result) => result.cache === cache) ?? null
  const anchor = input.anchor?.capacity.find((result) => result.cache === cache) ?? null
  const acceptedFloor = input.acceptedFloors?.[cache] ?? null
  const capacity = agreeing(expectedMilliRps(manifest, baseline, anchor), measured)
  const points = [...measured]
  const ahead: number[] = []
  while (points.length < POINTS_MAX) {
    const step = nextStep({ plan, manifest, cache, baseline, anchor, acceptedFloor, points })
    if (step.do === 'done') break
    const last = points.at(-1)
    const isBooted = last === undefined || step.boot === 'fresh' || endedOverloaded(last)
    const deployId = isBooted ? `ahead-${ahead.length}` : last.deployId
    const { point, seconds } = assumedPoint(manifest, step.key, capacity, deployId)
    points.push(point)
    ahead.push(seconds + (isBooted ? bootSeconds(manifest) : 0))
  }
  return ahead
}

/** The expected capacity, moved to where no measured rate speaks against it. */
function agreeing(expected: number, measured: readonly StepPoint[]): number {
  const decisive = measured.filter(isDecisive)
  const rates = (outcome: StepPoint['outcome']) =>
    decisive.flatMap((point) => (point.outcome === outcome ? (openMilliRps(point) ?? []) : []))
  const carried = Math.max(expected, ...rates('pass'))
  return Math.min(carried, ...rates('fail').map((rate) => rate - 1))
}
