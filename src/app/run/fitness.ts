import type { Evidence } from '../../core/kernel/evidence.ts'
import type { Manifest } from '../../core/manifest/schema.ts'
import type { Effects } from '../context.ts'
import type { Pack } from '../ports/pack.ts'
import type { AcceptedRecords } from '../ports/store.ts'
import { calibrateRun, storedCalibration } from './calibration.ts'
import { preflight, storedPreflight } from './preflight.ts'

export interface FitnessOrder {
  manifest: Manifest
  accepted: AcceptedRecords
  /** Whether an interrupted run left points. */
  hasPoints: boolean
}

export interface Fitness {
  evidence: Evidence[]
  /** Whether anything may be deployed. */
  isFit: boolean
}

/** Whether machine and client can measure the manifest. The machine is asked first: a calibration takes longer. */
export async function fitness(effects: Effects, order: FitnessOrder, signal: AbortSignal): Promise<Fitness> {
  const { manifest, accepted } = order
  const machine = await preflight(effects, manifest, signal)
  if (!machine.isFit) return { evidence: await storedFitness(effects.pack, order), isFit: false }
  const client = await calibrateRun(effects, manifest, accepted, signal)
  return { evidence: [...machine.evidence, ...client.evidence], isFit: client.isFit }
}

/** The same judgement from the pack alone. */
export async function storedFitness(pack: Pack, { manifest, accepted, hasPoints }: FitnessOrder): Promise<Evidence[]> {
  return [...(await storedPreflight(pack, manifest)), ...(await storedCalibration(pack, manifest, accepted, hasPoints))]
}
