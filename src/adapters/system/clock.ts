import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '../../app/ports/clock.ts'

/** The longest delay that a Node timer holds; a longer one would fire at once. */
const LONGEST_TIMER_MS = 2_147_483_647

/**
 * The machine's clocks. `nowUs` reads the monotonic clock that all threads of the process share, so that times taken in a worker
 * compare with those taken here.
 */
export function systemClock(): Clock {
  return {
    nowUs: () => Number(process.hrtime.bigint() / 1000n),
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
