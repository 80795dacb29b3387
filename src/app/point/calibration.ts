import { EXIT, GateError } from '../../core/kernel/errors.ts'
import type { PointKey } from '../../core/kernel/point.ts'
import { pointName } from '../../core/kernel/point.ts'
import type { Manifest } from '../../core/manifest/schema.ts'
import { isFit } from '../../core/telemetry/calibration-evidence.ts'
import { pointNeed } from '../../core/telemetry/calibration-need.ts'
import { calibrate } from '../calibrate.ts'
import type { Effects } from '../context.ts'
import { packJson, pathsOf } from './files.ts'

/**
 * Calibrates the client for a point that is replayed alone, and leaves calibration.json beside it. False: it cannot measure the point here.
 *
 * @throws GateError `calibration_failed` (exit 4) where it could not be calibrated and the manifest requires evidence of the client
 */
export async function calibratePoint(
  effects: Effects,
  { manifest, key }: { manifest: Manifest; key: PointKey },
  signal: AbortSignal,
): Promise<boolean> {
  const need = pointNeed(manifest, key.load)
  const { file, evidence } = await calibrate(effects, { manifest, need, earlier: null, useKept: true }, signal)
  const fit = isFit(evidence)
  if (!file.made && !fit) {
    throw new GateError({
      code: 'calibration_failed',
      message: `the client could not be calibrated: ${file.cause}`,
      hint: 'let this machine start a process that listens on 127.0.0.1, or leave client out of acceptance.required_evidence',
      exitCode: EXIT.invalid,
    })
  }
  await effects.pack.write(pathsOf(pointName(key)).calibration, packJson(file))
  return fit
}
