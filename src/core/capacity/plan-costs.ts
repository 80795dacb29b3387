import type { Cache } from '../kernel/point.ts'
import type { Manifest } from '../manifest/schema.ts'
import { expectedMilliRps } from './assumed-point.ts'
import { estimatePlan } from './estimate.ts'
import type { EstimateInput, PlanEstimate } from './estimate.ts'
import type { Plan } from './record.ts'

type Accepted = Pick<EstimateInput, 'baseline' | 'anchor' | 'acceptedFloors'>

export interface PlanCost extends Omit<PlanEstimate, 'lines'> {
  plan: Plan
  /** In the price's own currency; null where no price was given. */
  cost: number | null
}

/** What a manifest's plans would take, before any machine is claimed for them. */
export interface ManifestEstimate {
  gpus: number
  pricePerGpuHour: number | null
  /** What the plans are led by: the accepted capacity, or one that is assumed where none is. */
  carries: { cache: Cache; milliRps: number; isAssumed: boolean }[]
  plans: PlanCost[]
}

export interface CostInput extends Accepted {
  manifest: Manifest
  caches: readonly Cache[]
  /** In the order in which they are shown. */
  plans: readonly Plan[]
  pricePerGpuHour: number | null
}

/** A confirmation where nothing is accepted yet is estimated as if what a revision is taken to carry had been. */
export function estimateManifest(input: CostInput): ManifestEstimate {
  const { manifest, caches, pricePerGpuHour, anchor, acceptedFloors = {} } = input
  const carries = caches.flatMap((cache) => {
    const [last, released] = [acceptedOf(input.baseline, cache), acceptedOf(anchor, cache)]
    const milliRps = expectedMilliRps(manifest, last, released)
    const isAssumed = (last?.passMilliRps ?? released?.passMilliRps ?? null) === null
    return milliRps === 0 ? [] : [{ cache, milliRps, isAssumed }]
  })
  const asIfAccepted = { capacity: carries.map(({ cache, milliRps }) => ({ cache, passMilliRps: milliRps })) }
  const plans = input.plans.map((plan): PlanCost => {
    const baseline = plan === 'confirm' ? asIfAccepted : input.baseline
    const { lines: _, ...estimate } = estimatePlan({ manifest, plan, caches, baseline, anchor, acceptedFloors })
    const cost = pricePerGpuHour === null ? null : (estimate.gpuMinutes / 60) * pricePerGpuHour
    return { plan, cost, ...estimate }
  })
  return { gpus: manifest.engine.placement.gpus, pricePerGpuHour, carries, plans }
}

function acceptedOf(record: Accepted['baseline'], cache: Cache): { passMilliRps: number | null } | null {
  return record?.capacity.find((result) => result.cache === cache) ?? null
}
