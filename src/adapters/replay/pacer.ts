import type { Clock } from '../../app/ports/clock.ts'

/** A timer alone is up to 1.5 ms late (p99): the rest of a wait is polled. */
const POLL_US = 2000

/** Work that can wait, done in slices while nothing is due. */
export interface IdleWork {
  /** One slice of at most about a millisecond. False: nothing is left to do for now. */
  slice(): boolean
  /** Longest that a slice is expected to take, microseconds: none is begun when less is left. */
  readonly sliceUs: number
}

/** Waits for due times. Time passes by a coarse timer, then by polling once a loop turn, so that reads are served in between. */
export class Pacer {
  readonly #clock: Clock
  /** The event loop once round. */
  readonly turn: () => Promise<void>

  /** `turn` resolves after the event loop has been round once. */
  constructor(clock: Clock, turn: () => Promise<void>) {
    this.#clock = clock
    this.turn = turn
  }

  /**
   * Resolves once `clock.nowUs() ≥ atUs`, or at the end of the loop turn in which `signal` aborts: never early otherwise. Idle work is
   * done while there is time for it.
   */
  async until(atUs: number, idle: IdleWork, signal: AbortSignal): Promise<void> {
    let hasWork = true
    for (;;) {
      const leftUs = atUs - this.#clock.nowUs()
      if (leftUs <= 0 || signal.aborted) return
      if (hasWork && leftUs > idle.sliceUs) {
        hasWork = idle.slice()
        if (hasWork) await this.turn()
      } else if (leftUs > POLL_US + 1000) {
        await this.#sleepUs(leftUs - POLL_US, signal)
        hasWork = true
      } else {
        await this.turn()
      }
    }
  }

  async #sleepUs(us: number, signal: AbortSignal): Promise<void> {
    try {
      await this.#clock.sleep(Math.floor(us / 1000), signal)
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }
}

/** The event loop once round: everything that was readable is read before it resolves. */
export function loopTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
