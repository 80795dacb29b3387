import type { CapacityRecord } from '../../../src/core/capacity/record.ts'
import { gate } from '../../../src/core/gate/gate.ts'
import type { Cache } from '../../../src/core/kernel/point.ts'
import type { Explanation } from '../../../src/core/report/explain/explain.ts'
import { comparedSides, explain } from '../../../src/core/report/explain/explain.ts'
import { SMALL_ENGINE } from '../../../fixtures/engine/model/parameters.ts'
import type { EngineParameters } from '../../../fixtures/engine/model/parameters.ts'
import { busySample, gpuMachine } from '../../fakes/machine.ts'
import type { BootPlan } from '../../virtual/virtual-deployer.ts'
import type { VirtualSubject } from '../../virtual/virtual-engine.ts'
import type { ManifestChange } from '../../virtual/virtual-manifest.ts'
import { smallExample, smallSubject } from '../../virtual/virtual-manifest.ts'
import { runVirtually } from '../../virtual/virtual-run.ts'

/** One revision of the embedded engine, by what differs from the healthy one. */
export interface Plant {
  parameters?: Partial<EngineParameters>
  subject?: Partial<VirtualSubject>
  plan?: BootPlan
  smMhz?: number
}

export interface Trial {
  cache?: Cache
  rate?: number
  changes?: readonly ManifestChange[]
}

const NOISE = { jitter: 0.02 }

/** One point of a revision at one rate, in virtual time. */
export async function recordOf(
  plant: Plant,
  { cache = 'cold', rate = 36, changes = [] }: Trial = {},
): Promise<CapacityRecord> {
  const sweep: ManifestChange = { sweep: { rates_rps: [rate], refine_step: 0.5, repeats: 1 } }
  const manifest = smallExample(sweep, ...changes)
  manifest.engine.placement.gpus = 1
  const subject = { ...smallSubject(NOISE), ...plant.subject, parameters: { ...SMALL_ENGINE, ...plant.parameters } }
  const sample = (uuid: string) => busySample(uuid, { smMhz: plant.smMhz ?? 1980 })
  const { record } = await runVirtually({
    manifest,
    subject,
    plan: { bootSeconds: 2, ...plant.plan },
    machine: { state: () => gpuMachine(1), sample },
    request: { caches: [cache] },
  })
  return record
}

/** A baseline is measured once: virtual time makes it the same again. */
const kept = new Map<string, Promise<CapacityRecord>>()

function keptBaseline(base: Plant, trial: Trial): Promise<CapacityRecord> {
  const key = JSON.stringify([base, trial])
  const record = kept.get(key) ?? recordOf(base, trial)
  kept.set(key, record)
  return record
}

/** Why the planted revision is worse than the other (the healthy one, of another seed). */
export async function explained(plant: Plant, trial: Trial = {}, base: Plant = {}): Promise<Explanation> {
  const baseline = await keptBaseline(base, trial)
  const noise = { ...smallSubject(NOISE).noise, seed: 7 }
  const candidate = await recordOf({ ...plant, subject: { noise, ...plant.subject } }, trial)
  const verdict = gate({
    candidate,
    baseline,
    anchor: null,
    onMissingBaseline: 'fail',
    onHostChange: 'accept',
    acceptedLosses: [],
  })
  const [state] = verdict.states
  const sides = state === undefined ? null : comparedSides(state, candidate, baseline)
  if (sides === null)
    throw new Error(`nothing to compare: ${JSON.stringify(verdict.reasons)} ${JSON.stringify(state?.reasons)}`)
  return explain(sides)
}
