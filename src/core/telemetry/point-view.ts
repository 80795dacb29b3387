import type { Dialect } from '../dialect/dialect.ts'
import type { Manifest } from '../manifest/schema.ts'
import type { RequestRecord } from '../record/record.ts'
import type { Schedule } from '../schedule/schedule.ts'
import type { PointFacts } from './line.ts'
import type { Timeline } from './timeline.ts'

/** Everything that the evidence of one point is read from: the contents of its files. */
export interface PointView {
  manifest: Manifest
  dialect: Dialect
  schedule: Schedule
  facts: PointFacts
  records: readonly RequestRecord[]
  timeline: Timeline
}
