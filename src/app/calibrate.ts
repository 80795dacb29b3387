import { GateError } from '../core/kernel/errors.ts'
import type { Evidence } from '../core/kernel/evidence.ts'
import type { Manifest } from '../core/manifest/schema.ts'
import type { Calibration, CalibrationFile } from '../core/telemetry/calibration.ts'
import { isFresh, isSameClient } from '../core/telemetry/calibration.ts'
import { calibrationEvidence, covers, isFit } from '../core/telemetry/calibration-evidence.ts'
import type { CalibrationNeed } from '../core/telemetry/calibration-need.ts'
import type { Effects } from './context.ts'

export type CalibrationEffects = Pick<Effects, 'calibrator' | 'clock' | 'progress'>

export interface CalibrationOrder {
  /** Whose cutoffs it is judged by; null: by none. */
  manifest: Manifest | null
  need: CalibrationNeed
  /** What the pack holds of an interrupted run; null where there is none. */
  earlier: CalibrationFile | null
  /** Whether a calibration that was kept may stand for one that is measured now. */
  useKept: boolean
}

export interface Calibrated {
  file: CalibrationFile
  evidence: Evidence[]
}

/**
 * The calibration of this client, now or of the last day (in the pack of an interrupted run as among those that are kept), judged by the manifest. One that is not good enough is measured once more, and
 * the second one counts, whatever it says; only one that is good enough is kept. One that could not be made is a value.
 */
export async function calibrate(
  effects: CalibrationEffects,
  order: CalibrationOrder,
  signal: AbortSignal,
): Promise<Calibrated> {
  const judged = (file: CalibrationFile): Calibrated => ({
    file,
    evidence: calibrationEvidence(file, order.manifest, order.need),
  })
  const known = await knownCalibration(effects, order)
  if (known !== null && isFit(judged(known).evidence)) {
    effects.progress.note(`the client was calibrated at ${known.measuredAt}: good enough for this manifest`)
    return judged(known)
  }
  effects.progress.note('calibrating the client against its null server')
  try {
    const first = await effects.calibrator.measure(order.need, signal)
    if (isFit(judged(first).evidence)) return judged(await kept(effects, first))
    effects.progress.warn(
      `the client is not good enough, and is calibrated once more: ${worst(judged(first).evidence)}`,
    )
    const second = { ...(await effects.calibrator.measure(order.need, signal)), attempt: 2 }
    return judged(isFit(judged(second).evidence) ? await kept(effects, second) : second)
  } catch (error) {
    if (!(error instanceof GateError && error.code === 'calibration_failed')) throw error
    const { need } = order
    return judged({ schema: 1, made: false, need, measuredAt: effects.clock.wallTime(), cause: error.message })
  }
}

async function knownCalibration(effects: CalibrationEffects, order: CalibrationOrder): Promise<Calibration | null> {
  const { earlier, need, useKept } = order
  if (earlier?.made && covers(earlier.need, need) && isFresh(earlier, effects.clock.wallTime())) {
    if (isSameClient(earlier.client, await effects.calibrator.identity())) return earlier
  }
  return useKept ? effects.calibrator.kept(need) : null
}

async function kept({ calibrator }: CalibrationEffects, calibration: Calibration): Promise<Calibration> {
  await calibrator.keep(calibration)
  return calibration
}

/** The first thing that did not pass, in a line. */
function worst(evidence: readonly Evidence[]): string {
  return evidence.find(({ state }) => state !== 'pass')?.text ?? ''
}
