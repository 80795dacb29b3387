import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Evidence } from '../../core/kernel/evidence.ts'

const RESOLUTION_MS = 10

/** Watches what only the client can know of itself while it measures. */
export class ClientState implements Disposable {
  readonly #delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  readonly #cpu = process.cpuUsage()
  readonly #startUs: number

  constructor(nowUs: number) {
    this.#startUs = nowUs
    this.#delay.enable()
  }

  /** Facts without a limit: what they did to the measurement shows in the send lag, which has one. */
  evidence(nowUs: number, lateBodies: number, requests: number): Evidence[] {
    const { user, system } = process.cpuUsage(this.#cpu)
    const cores = (user + system) / Math.max(1, nowUs - this.#startUs)
    return [
      this.#eventLoop(),
      fact('client.cpu', round(cores), 'cores', `the client used ${cores.toFixed(2)} cores`),
      fact('client.bodies', lateBodies, 'requests', `${lateBodies} of ${requests} bodies were not built ahead of time`),
    ]
  }

  [Symbol.dispose](): void {
    this.#delay.disable()
  }

  #eventLoop(): Evidence {
    if (this.#delay.count === 0) {
      return { probe: 'client.event_loop', state: 'unknown', required: false, blames: 'client', unit: 'ms' }
    }
    // What is recorded is the interval between two looks at the clock.
    const excessMs = (ns: number) => Math.max(0, ns / 1e6 - RESOLUTION_MS)
    const p99 = excessMs(this.#delay.percentile(99))
    const text = `the event loop was late by ${p99.toFixed(1)} ms at p99 and by ${excessMs(this.#delay.max).toFixed(1)} ms at most`
    return fact('client.event_loop', round(p99), 'ms', text)
  }
}

function fact(probe: string, value: number, unit: string, text: string): Evidence {
  return { probe, state: 'pass', required: false, blames: 'client', value, unit, text }
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}
