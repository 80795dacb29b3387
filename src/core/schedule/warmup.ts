import { nextGapUs } from './arrivals.ts'
import { drawRows } from './build-schedule.ts'
import { type ClassShape, shuffledMix } from './class-mix.ts'
import { randomStream } from './random.ts'
import type { Schedule, ScheduleRow } from './schedule.ts'

/** The classes of the initial rows, each with its number of them as the weight, in order of first appearance. */
function mixOf(schedule: Schedule): ClassShape[] {
  const shapes = new Map<string, ClassShape>()
  for (const row of schedule.rows.slice(0, schedule.header.initialRequests)) {
    const shape = shapes.get(row.class)
    if (shape) shape.weight += 1
    else {
      const { inputTokens, outputTokens } = row
      shapes.set(row.class, { name: row.class, inputTokens, outputTokens, weight: 1 })
    }
  }
  return [...shapes.values()]
}

/**
 * The rows that warm an engine up at a rate (integer milli-requests a second) for some seconds: the measured mix in exact
 * proportions, the same arrival process and prefix law, drawn from the header's `warmupSeed`. Offsets are at one request a second
 * from the warm-up's start, at most `warmupOffsetUs(milliRps, seconds)`, where the measured cohort starts: since a cohort's first row
 * comes one gap after its start, the arrivals flow on without a seam. Ids are `w-…`, so that no prompt is a measured one's.
 */
export function warmupRows(schedule: Schedule, milliRps: number, seconds: number): ScheduleRow[] {
  const { header } = schedule
  const endUs = warmupOffsetUs(milliRps, seconds)
  const arrivals = randomStream(`schedule-1 ${header.warmupSeed} arrivals`)
  let count = 0
  for (let offsetUs = nextGapUs(header.generator, arrivals); offsetUs <= endUs; count++) {
    offsetUs += nextGapUs(header.generator, arrivals)
  }
  const random = randomStream(`schedule-1 ${header.warmupSeed} classes 0`)
  return drawRows(shuffledMix(mixOf(schedule), count, random), header, 'w', header.warmupSeed)
}

/** The warm-up's length on the schedule's scale of one request a second, integer microseconds. */
export function warmupOffsetUs(milliRps: number, seconds: number): number {
  return Math.round(seconds * 1000) * milliRps
}
