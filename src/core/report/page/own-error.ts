import type { CalibrationFile } from '../../telemetry/calibration.ts'
import { milliseconds, NONE } from '../numbers.ts'

type LatencyMetric = 'ttft' | 'tpot' | 'e2e'

/** The client's own error of a class's metric in milliseconds (P99 of its amount); null where it is not known. */
export type OwnError = (className: string, metric: LatencyMetric) => number | null

/** By the run's calibration: TPOT's is that of the time between first and last token, over the tokens after the first. */
export function ownErrors(calibration: CalibrationFile | null): OwnError {
  if (calibration === null || !calibration.made) return () => null
  const { errors, need } = calibration
  const tokens = new Map(need.classes.map(({ name, outputTokens }) => [name, outputTokens]))
  return (className, metric) => {
    if (metric !== 'tpot') return errors[metric].p99Us / 1000
    const later = (tokens.get(className) ?? 0) - 1
    return later < 1 ? null : errors.decode.p99Us / 1000 / later
  }
}

/** A latency with the client's own error beside it: `123.4 ± 0.2`. */
export function withOwnError(valueMs: number | null, errorMs: number | null): string {
  return valueMs === null ? NONE : `${milliseconds(valueMs)} ${ownErrorText(errorMs)}`
}

/** `± 0.2`, or `± ?` where the client's own error is not known. */
export function ownErrorText(errorMs: number | null): string {
  return `± ${errorMs === null ? '?' : Number(errorMs.toPrecision(2))}`
}
