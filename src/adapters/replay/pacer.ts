import type { Clock } from '../../app/ports/clock.ts'

/** A timer is late by up to this: its grain is a millisecond, and on a loop that reads it is rounded up anew after each read. */
const TIMER_LATE_US = 1100
/** The end of a wait is polled without a pause; what is before it, between naps. A nap lasts some 70 µs longer than asked for. */
const SPIN_US = 100
const LONGEST_NAP_US = 50
/** A loop turn that took longer had something to read: the next one may have too. */
const QUIET_TURN_US = 30

/** Work that can wait, done in slices while nothing is due. */
export interface IdleWork {
  /** One slice of at most about a millisecond. False: nothing is left to do for now. */
  slice(): boolean
  /** Longest that a slice is expected to take, microseconds: none is begun when less is left. */
  readonly sliceUs: number
}

/**
 * Waits for due times. Time passes by a coarse timer, then by polling once a loop turn, so that reads are served in between; while there are
 * none, by short naps, which cost an eighth of the CPU of polling.
 */
export class Pacer {
  readonly #clock: Clock
  readonly #turn: (then: () => void) => void
  readonly #nap: (us: number) => void

  /** `turn` calls back after the event loop has been round once; `nap` blocks the thread for about so long. */
  constructor(clock: Clock, turn: (then: () => void) => void, nap: (us: number) => void = napUs) {
    this.#clock = clock
    this.#turn = turn
    this.#nap = nap
  }

  /** The event loop once round. */
  turn(): Promise<void> {
    return new Promise((resolve) => this.#turn(resolve))
  }

  /**
   * Resolves once `clock.nowUs() ≥ atUs`, or at the end of the loop turn in which `signal` aborts: never early otherwise. Idle work is
   * done while there is time for it. Rejects with what idle work throws.
   */
  until(atUs: number, idle: IdleWork, signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    let hasWork = true
    let isQuiet = false
    let turnedUs = 0
    // One promise a wait: one for each of its thousand looks would be a third of all garbage.
    const look = (): void => {
      const leftUs = atUs - this.#clock.nowUs()
      if (leftUs <= 0 || signal.aborted) resolve()
      else if (hasWork && leftUs > idle.sliceUs) work()
      else if (leftUs >= TIMER_LATE_US + 1000) {
        hasWork = true
        void this.#sleepUs(leftUs - TIMER_LATE_US, signal).then(look, reject)
      } else {
        if (isQuiet && leftUs > SPIN_US) this.#nap(Math.min(LONGEST_NAP_US, leftUs - SPIN_US))
        turnedUs = this.#clock.nowUs()
        this.#turn(polled)
      }
    }
    const work = (): void => {
      try {
        hasWork = idle.slice()
      } catch (error) {
        return reject(error)
      }
      if (hasWork) this.#turn(look)
      else look()
    }
    const polled = (): void => {
      isQuiet = this.#clock.nowUs() - turnedUs < QUIET_TURN_US
      look()
    }
    look()
    return promise
  }

  async #sleepUs(us: number, signal: AbortSignal): Promise<void> {
    try {
      await this.#clock.sleep(Math.floor(us / 1000), signal)
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }
}

/** The event loop once round: everything that was readable is read before it calls back. */
export function loopTurn(then: () => void): void {
  setImmediate(then)
}

const nothing = new Int32Array(new SharedArrayBuffer(4))

/** Blocks the thread: nothing is read meanwhile. */
function napUs(us: number): void {
  Atomics.wait(nothing, 0, 0, us / 1000)
}
