import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '../../app/ports/clock.ts'

/** The longest delay that a Node timer holds; a longer one would fire at once. */
export const LONGEST_TIMER_MS = 2_147_483_647

/**
 * The machine's clocks. `nowUs` reads the monotonic clock that `process.hrtime` reads too, so that times taken in another thread or process
 * compare with those taken here. It makes no garbage: it is read for each chunk.
 */
export function systemClock(): Clock {
  return {
    nowUs: () => Math.floor(performance.now() * 1000 + originUs),
    wallTime: () => new Date().toISOString(),
    async sleep(ms, signal) {
      try {
        await delay(Math.min(Math.max(ms, 0), LONGEST_TIMER_MS), undefined, signal ? { signal } : {})
      } catch (error) {
        throw signal?.aborted ? signal.reason : error
      }
    },
  }
}

/** What `performance.now` counts from, on the monotonic clock: known to within the shortest of some readings, less than a microsecond. */
const originUs = readOriginUs()

function readOriginUs(): number {
  let origin = { us: 0, widthUs: Infinity }
  for (let each = 0; each < 20; each += 1) {
    const beforeUs = Number(process.hrtime.bigint()) / 1000
    const nowUs = performance.now() * 1000
    const afterUs = Number(process.hrtime.bigint()) / 1000
    const widthUs = afterUs - beforeUs
    if (widthUs < origin.widthUs) origin = { us: (beforeUs + afterUs) / 2 - nowUs, widthUs }
  }
  return origin.us
}
