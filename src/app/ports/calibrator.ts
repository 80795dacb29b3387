import type { Calibration, ClientIdentity } from '../../core/telemetry/calibration.ts'
import type { CalibrationNeed } from '../../core/telemetry/calibration-need.ts'

/** Finds what the client on this machine is, as a measuring instrument. */
export interface Calibrator {
  identity(): Promise<ClientIdentity>
  /** A calibration of this very client that covers the need and is less than a day old; null where there is none that can be read. */
  kept(need: CalibrationNeed): Promise<Calibration | null>
  /**
   * Measures for 15 seconds at most, against a server of its own. Throws GateError `calibration_failed` where that server could not be
   * started, ended, or did not answer every request.
   */
  measure(need: CalibrationNeed, signal: AbortSignal): Promise<Calibration>
  /** Keeps a calibration for `kept`. One that cannot be kept is measured again: no error. */
  keep(calibration: Calibration): Promise<void>
}
