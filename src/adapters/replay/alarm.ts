import { Worker } from 'node:worker_threads'
import { LONGEST_TIMER_MS } from '../system/clock.ts'

/** Calls back once, at a time or soon after. */
export interface Alarm {
  /** `atUs`: of the machine's monotonic clock. What was set before is forgotten. */
  set(atUs: number, then: () => void): void
  /** Nothing is called back any more. */
  clear(): void
}

/** What the two threads share. */
interface Shared {
  /** Counts what was set: the one that is rung for. */
  order: Int32Array
  atUs: Float64Array
}

/**
 * An alarm clock in a thread of its own: late by two wake-ups, some 100 µs, where a timer of the event loop has a grain of a millisecond. The
 * loop sleeps in its poll meanwhile, so that what comes in is read at once.
 *
 * Timers stand in until the thread is up, and where it cannot be started or ends: the sending is later then, which its lag shows.
 */
export class ThreadAlarm implements Alarm, AsyncDisposable {
  readonly #shared: Shared = {
    order: new Int32Array(new SharedArrayBuffer(4)),
    atUs: new Float64Array(new SharedArrayBuffer(8)),
  }
  readonly #thread: Worker | null
  #isUp = false
  #timer: NodeJS.Timeout | undefined
  #then: (() => void) | null = null

  constructor(start: (shared: Shared) => Worker = startThread) {
    this.#thread = this.#started(start)
  }

  set(atUs: number, then: () => void): void {
    const { order, atUs: shared } = this.#shared
    this.#then = then
    shared[0] = atUs
    Atomics.add(order, 0, 1)
    Atomics.notify(order, 0)
    if (!this.#isUp) this.#setTimer()
  }

  clear(): void {
    this.#then = null
    clearTimeout(this.#timer)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.clear()
    await this.#thread?.terminate()
  }

  #started(start: (shared: Shared) => Worker): Worker | null {
    try {
      const thread = start(this.#shared)
      thread.on('message', (order: number) => this.#rung(order))
      thread.on('online', () => void (this.#isUp = true))
      // After an error comes the exit.
      thread.on('error', () => undefined)
      thread.on('exit', () => this.#lost())
      return thread
    } catch {
      // No more threads or memory for one.
      return null
    }
  }

  #lost(): void {
    this.#isUp = false
    if (this.#then) this.#setTimer()
  }

  #setTimer(): void {
    clearTimeout(this.#timer)
    const order = this.#shared.order[0] ?? 0
    // A timer may fire a moment too soon.
    const fire = (): void => (this.#leftMs() > 0 ? this.#setTimer() : this.#rung(order))
    this.#timer = setTimeout(fire, Math.min(Math.max(0, Math.ceil(this.#leftMs())), LONGEST_TIMER_MS))
  }

  #leftMs(): number {
    return (this.#shared.atUs[0] ?? 0) / 1000 - Number(process.hrtime.bigint()) / 1e6
  }

  #rung(order: number): void {
    const then = this.#then
    if (order !== this.#shared.order[0] || !then) return
    this.clear()
    then()
  }
}

/** Without the options of this thread: what they load is of no use there. */
function startThread(workerData: Shared): Worker {
  return new Worker(`(${alarmThread.toString()})()`, { eval: true, workerData, execArgv: [], env: {} })
}

/**
 * Runs in the thread, from its text: it can name nothing outside itself. Why a wait ended is never asked: an order may be seen before its
 * notice comes, which then ends the wait for that very order.
 */
function alarmThread(): void {
  const { workerData, parentPort } = process.getBuiltinModule('node:worker_threads')
  const { order, atUs } = workerData as Shared
  let rung = 0
  for (;;) {
    const current = Atomics.load(order, 0)
    const leftMs = (atUs[0] ?? 0) / 1000 - Number(process.hrtime.bigint()) / 1e6
    if (current === rung) Atomics.wait(order, 0, current)
    else if (leftMs > 0) Atomics.wait(order, 0, current, leftMs)
    else {
      rung = current
      parentPort?.postMessage(current)
    }
  }
}
