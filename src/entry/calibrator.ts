import { extname, join } from 'node:path'
import { localCalibrator } from '../adapters/calibration/calibrator.ts'
import { createReplay } from '../adapters/replay/replay.ts'
import { systemClock } from '../adapters/system/clock.ts'
import { terminalProgress } from '../adapters/terminal/progress.ts'
import type { CalibrationEffects } from '../app/calibrate.ts'
import type { Calibrator } from '../app/ports/calibrator.ts'
import type { Clock } from '../app/ports/clock.ts'
import type { Inputs } from './inputs.ts'

/** Beside this file, in a clone as in a bundle. */
const NULL_SERVER = join(import.meta.dirname, `null-server${extname(import.meta.filename)}`)

/** The calibration of this process's own load generator. What a manifest says of the connection to its engine does not hold for it. */
export function composeCalibrator(clock: Clock): Calibrator {
  return localCalibrator({ clock, replay: createReplay(clock), serverPath: NULL_SERVER })
}

/** What the calibration alone needs. */
export function composeCalibration({ screen }: Pick<Inputs, 'screen'>): CalibrationEffects & Disposable {
  const clock = systemClock()
  const progress = terminalProgress(screen, clock)
  return { clock, progress, calibrator: composeCalibrator(clock), [Symbol.dispose]: () => progress[Symbol.dispose]() }
}
