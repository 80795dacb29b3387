import { PerformanceObserver } from 'node:perf_hooks'
import type { Evidence } from '../../core/kernel/evidence.ts'
import type { ClientWatch } from '../../core/telemetry/line.ts'

/** The loop is looked at so often, and a stall is known to within as much. */
const LOOK_MS = 5

/** Watches what only the client can know of itself while it measures. */
export class ClientState implements Disposable {
  // Not `monitorEventLoopDelay`: it loses what comes between a reset and its next look, and so a stall right after a sample.
  readonly #looks = setInterval(() => this.#look(), LOOK_MS)
  readonly #collections = new PerformanceObserver((list) => this.#collected(list.getEntries()))
  readonly #nowUs: () => number
  #lookedUs: number
  #stallUs = 0
  #blindUs = 0
  readonly #toleranceUs: number
  #cpu = process.cpuUsage()
  #gcUs = 0
  #gcMaxUs = 0

  /** `toleranceUs`: how late an event may be stamped. */
  constructor(toleranceUs: number, nowUs: () => number) {
    this.#toleranceUs = toleranceUs
    this.#nowUs = nowUs
    this.#lookedUs = nowUs()
    this.#collections.observe({ entryTypes: ['gc'] })
  }

  /** What was seen since it was asked last. */
  sample(): ClientWatch {
    this.#look()
    this.#collected(this.#collections.takeRecords())
    const now = process.cpuUsage()
    const watch: ClientWatch = {
      loopStallUs: this.#stallUs,
      loopBlindUs: this.#blindUs,
      gcMaxUs: this.#gcMaxUs,
      gcUs: this.#gcUs,
      cpuUs: now.user + now.system - this.#cpu.user - this.#cpu.system,
    }
    this.#cpu = now
    this.#gcUs = 0
    this.#gcMaxUs = 0
    this.#stallUs = 0
    this.#blindUs = 0
    return watch
  }

  [Symbol.dispose](): void {
    clearInterval(this.#looks)
    this.#collections.disconnect()
  }

  /** The loop stood still for as long as this look comes later than it would have. */
  #look(): void {
    const nowUs = this.#nowUs()
    const stallUs = nowUs - this.#lookedUs - LOOK_MS * 1000
    this.#stallUs = Math.max(this.#stallUs, stallUs)
    this.#blindUs += Math.max(0, stallUs - this.#toleranceUs)
    this.#lookedUs = nowUs
  }

  #collected(entries: readonly { duration: number }[]): void {
    for (const { duration } of entries) {
      const us = Math.round(duration * 1000)
      this.#gcUs += us
      this.#gcMaxUs = Math.max(this.#gcMaxUs, us)
    }
  }
}

/** How many bodies were not built ahead of time. A fact: what it did to the measurement shows in the send lag, which has a limit. */
export function bodiesEvidence(late: number, requests: number): Evidence {
  return {
    probe: 'client.bodies',
    state: 'pass',
    required: false,
    blames: 'client',
    value: late,
    unit: 'requests',
    text: `${late} of ${requests} bodies were not built ahead of time`,
  }
}
