import type { Cache } from '../kernel/point.ts'
import type { Manifest } from '../manifest/schema.ts'
import type { AcceptedFloor } from './accepted-floor.ts'
import { floorUnder } from './accepted-floor.ts'
import type { StepPoint } from './by-rate.ts'
import { confirmStep } from './confirm.ts'
import { guardMilliRps } from './guard-rate.ts'
import type { CapacityResult, Plan } from './record.ts'
import type { Step } from './step-type.ts'
import { sweepStep } from './sweep.ts'

export interface StepInput {
  plan: Plan
  manifest: Pick<Manifest, 'client' | 'workload' | 'sweep' | 'cache' | 'acceptance'>
  cache: Cache
  /** The same state of the accepted record, and of the last release's; null where there is none. */
  baseline: Pick<CapacityResult, 'passMilliRps'> | null
  anchor: Pick<CapacityResult, 'passMilliRps'> | null
  /** The state's accepted loss; none where it is left out. */
  acceptedFloor?: AcceptedFloor | null
  /** The state's judged points in the order in which they were measured. */
  points: readonly StepPoint[]
  /** Whether a confirmation that is lost goes on to state the loss. True by default. */
  statesLoss?: boolean
}

/** What to measure next in one cache state, or that it is done and why. A pure function of the history, so that a run resumes. */
export function nextStep(input: StepInput): Step {
  const { plan, manifest, cache, baseline, anchor, acceptedFloor = null, points, statesLoss = true } = input
  const guard = guardMilliRps({
    baselineMilliRps: baseline?.passMilliRps ?? null,
    anchorMilliRps: anchor?.passMilliRps ?? null,
    acceptance: manifest.acceptance,
  })
  const state = {
    manifest,
    cache,
    points: points.filter(({ key }) => key.cache === cache),
    guard,
    floor: floorUnder(guard, acceptedFloor),
    statesLoss,
  }
  return plan === 'sweep' ? sweepStep(state) : confirmStep(state)
}
