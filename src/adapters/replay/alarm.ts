import { Worker } from 'node:worker_threads'

/** Calls back once, at a time or soon after. */
export interface Alarm {
  /** `atUs`: of the machine's monotonic clock. What was set before is forgotten. */
  set(atUs: number, then: () => void): void
  /** Nothing is called back any more. */
  clear(): void
}

/**
 * An alarm clock in a thread of its own: late by two wake-ups, some 100 µs, where a timer of the event loop has a grain of a millisecond. The
 * loop sleeps in its poll meanwhile, so that what comes in is read at once.
 */
export class ThreadAlarm implements Alarm, AsyncDisposable {
  readonly #order = new Int32Array(new SharedArrayBuffer(4))
  readonly #atUs = new Float64Array(new SharedArrayBuffer(8))
  readonly #thread: Worker
  #then: (() => void) | null = null

  constructor() {
    const workerData = { order: this.#order, atUs: this.#atUs }
    this.#thread = new Worker(`(${alarmThread.toString()})()`, { eval: true, workerData })
    this.#thread.on('message', (order: number) => this.#rung(order))
  }

  set(atUs: number, then: () => void): void {
    this.#then = then
    this.#atUs[0] = atUs
    Atomics.add(this.#order, 0, 1)
    Atomics.notify(this.#order, 0)
  }

  clear(): void {
    this.#then = null
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.clear()
    await this.#thread.terminate()
  }

  #rung(order: number): void {
    const then = this.#then
    if (order !== this.#order[0] || !then) return
    this.#then = null
    then()
  }
}

/**
 * Runs in the thread, from its text: it can name nothing outside itself. Why a wait ended is never asked: an order may be seen before its
 * notice comes, which then ends the wait for that very order.
 */
function alarmThread(): void {
  const { workerData, parentPort } = process.getBuiltinModule('node:worker_threads')
  const { order, atUs } = workerData as { order: Int32Array; atUs: Float64Array }
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
