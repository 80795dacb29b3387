import type { Schedule, ScheduleRow } from './schedule.ts'

/** The rows in their committed steps: the initial ones, then each extension block. A point may stop only at the end of one. */
export function scheduleBlocks(schedule: Schedule): readonly (readonly ScheduleRow[])[] {
  const { initialRequests, blockRequests } = schedule.header
  const blocks = [schedule.rows.slice(0, initialRequests)]
  if (blockRequests > 0) {
    for (let start = initialRequests; start < schedule.rows.length; start += blockRequests) {
      blocks.push(schedule.rows.slice(start, start + blockRequests))
    }
  }
  return blocks
}
