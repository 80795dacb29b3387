import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks'
import type { Evidence } from '../../core/kernel/evidence.ts'
import type { ClientWatch } from '../../core/telemetry/line.ts'

/** The loop is looked at so often, and a stall is known to within as much. */
const RESOLUTION_MS = 5

/** Watches what only the client can know of itself while it measures. */
export class ClientState implements Disposable {
  readonly #delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  readonly #collections = new PerformanceObserver((list) => this.#collected(list.getEntries()))
  #cpu = process.cpuUsage()
  #gcUs = 0
  #gcMaxUs = 0

  constructor() {
    this.#delay.enable()
    this.#collections.observe({ entryTypes: ['gc'] })
  }

  /** What was seen since it was asked last. */
  sample(): ClientWatch {
    this.#collected(this.#collections.takeRecords())
    const now = process.cpuUsage()
    const watch: ClientWatch = {
      // What is recorded is the interval between two looks at the clock.
      loopStallUs: Math.max(0, Math.round(this.#delay.max / 1000 - RESOLUTION_MS * 1000)),
      gcMaxUs: this.#gcMaxUs,
      gcUs: this.#gcUs,
      cpuUs: now.user + now.system - this.#cpu.user - this.#cpu.system,
    }
    this.#cpu = now
    this.#gcUs = 0
    this.#gcMaxUs = 0
    this.#delay.reset()
    return watch
  }

  [Symbol.dispose](): void {
    this.#delay.disable()
    this.#collections.disconnect()
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
