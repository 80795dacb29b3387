import { neededMilliRps } from '../../core/capacity/calibration-rate.ts'
import type { Evidence } from '../../core/kernel/evidence.ts'
import type { Manifest } from '../../core/manifest/schema.ts'
import { calibrationEvidence, isFit } from '../../core/telemetry/calibration-evidence.ts'
import { calibrationNeed } from '../../core/telemetry/calibration-need.ts'
import { calibrate } from '../calibrate.ts'
import type { Effects } from '../context.ts'
import { CALIBRATION_FILE, packJson } from '../point/files.ts'
import { readCalibration } from '../point/stored-calibration.ts'
import type { Pack } from '../ports/pack.ts'
import type { AcceptedRecords } from '../ports/store.ts'

export interface RunCalibration {
  evidence: Evidence[]
  /** Whether anything may be deployed. */
  isFit: boolean
}

/** Calibrates the client before anything is deployed, and leaves calibration.json. Without a rate to measure there is nothing to do. */
export async function calibrateRun(
  effects: Effects,
  manifest: Manifest,
  accepted: AcceptedRecords,
  signal: AbortSignal,
): Promise<RunCalibration> {
  const milliRps = neededMilliRps(manifest, accepted.baseline, accepted.anchor)
  if (milliRps === null) return { evidence: [], isFit: true }
  const need = calibrationNeed(manifest, milliRps)
  const earlier = await readCalibration(effects.pack, CALIBRATION_FILE)
  const { file, evidence } = await calibrate(effects, { manifest, need, earlier, useKept: true }, signal)
  await effects.pack.write(CALIBRATION_FILE, packJson(file))
  const fit = isFit(evidence)
  if (!fit) effects.progress.warn('the client cannot measure this manifest here: nothing is deployed')
  return { evidence, isFit: fit }
}

/** The same judgement from the pack alone. A run that measured points was calibrated; one that measured none may not have come so far. */
export async function storedCalibration(
  pack: Pack,
  manifest: Manifest,
  accepted: AcceptedRecords,
  hasPoints: boolean,
): Promise<Evidence[]> {
  const milliRps = neededMilliRps(manifest, accepted.baseline, accepted.anchor)
  const file = await readCalibration(pack, CALIBRATION_FILE)
  if (milliRps === null || (file === null && !hasPoints)) return []
  return calibrationEvidence(file, manifest, calibrationNeed(manifest, milliRps))
}
