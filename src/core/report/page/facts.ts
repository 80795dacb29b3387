import type { CalibrationFile } from '../../telemetry/calibration.ts'
import type { ReportInput } from '../context.ts'

/** A metric over a point's time, thinned: `values[i]` is of the i-th of equal stretches; null where nothing was read. */
export interface Lane {
  title: string
  unit: string
  /** What one value says of its stretch. */
  of: 'highest' | 'lowest' | 'mean'
  values: (number | null)[]
}

/** The values at equal steps of probability, from 0 to 1, of a class's successes at one point. */
export interface Quantiles {
  class: string
  ttftMs: number[]
  tpotMs: number[]
}

/** What of a point's raw files is drawn. Microseconds from the cohort's start, negative before it. */
export interface PointPicture {
  fromUs: number
  arrivalUs: number
  cohortUs: number
  lanes: Lane[]
  quantiles: Quantiles[]
}

/** A point whose files cannot be read has a reason instead. */
export type Pictured = PointPicture | { why: string }

export interface PageInput extends ReportInput {
  /** By the point's name. */
  pictures: ReadonlyMap<string, Pictured>
  calibration: CalibrationFile | null
}
