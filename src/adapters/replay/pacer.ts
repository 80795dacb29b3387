import type { Clock } from '../../app/ports/clock.ts'
import type { Alarm } from './alarm.ts'

/** The end of a wait is polled, since an alarm is late by up to this. */
const SPIN_US = 250
/** What was too far off to be worked at may be near enough by then. */
const LONGEST_SLEEP_US = 1_000_000

/** Work that can wait, done in slices while nothing is due. */
export interface IdleWork {
  /** One slice of at most about a millisecond. False: nothing is left to do for now. */
  slice(): boolean
  /** Longest that a slice is expected to take, microseconds: none is begun when less is left. */
  readonly sliceUs: number
}

/** Waits for due times: asleep until shortly before, then polling once a loop turn. Reads are served all the while. */
export class Pacer {
  readonly #clock: Clock
  readonly #turn: (then: () => void) => void
  readonly #alarm: Alarm

  /** `turn` calls back after the event loop has been round once; `alarm` runs by `clock`. */
  constructor(clock: Clock, turn: (then: () => void) => void, alarm: Alarm) {
    this.#clock = clock
    this.#turn = turn
    this.#alarm = alarm
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
    // One promise a wait: one for each of its looks would be much of all garbage.
    const look = (): void => {
      const leftUs = atUs - this.#clock.nowUs()
      if (leftUs <= 0 || signal.aborted) resolve()
      else if (hasWork && leftUs > idle.sliceUs) work()
      else if (leftUs > 2 * SPIN_US) {
        hasWork = true
        this.#sleep(atUs - Math.max(SPIN_US, leftUs - LONGEST_SLEEP_US), signal, look)
      } else this.#turn(look)
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
    look()
    return promise
  }

  #sleep(untilUs: number, signal: AbortSignal, then: () => void): void {
    const wake = (): void => {
      this.#alarm.clear()
      signal.removeEventListener('abort', wake)
      then()
    }
    this.#alarm.set(untilUs, wake)
    signal.addEventListener('abort', wake)
  }
}

/** A loop turn takes a microsecond and leaves garbage: polling at a fifth of its pace leaves a fifth. */
const TURN_REST_MS = 0.005

/** The event loop once round, after a moment: everything that was readable is read before it calls back. */
export function loopTurn(then: () => void): void {
  const untilMs = performance.now() + TURN_REST_MS
  while (performance.now() < untilMs);
  setImmediate(then)
}
