import type { CalibrationFile } from '../../core/telemetry/calibration.ts'
import { parseCalibration } from '../../core/telemetry/calibration-file.ts'
import type { Pack } from '../ports/pack.ts'
import { readPackText } from './files.ts'

/** A calibration that the pack holds, or null. Throws GateError `calibration_damaged`. */
export async function readCalibration(pack: Pack, path: string): Promise<CalibrationFile | null> {
  return (await pack.read(path)) === null ? null : parseCalibration(await readPackText(pack, path), path)
}
