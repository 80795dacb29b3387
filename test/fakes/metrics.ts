import type { Clock } from '../../src/app/ports/clock.ts'
import type { Replica } from '../../src/app/ports/engine.ts'
import type { Metrics } from '../../src/app/ports/metrics.ts'
import type { TelemetryLine } from '../../src/core/telemetry/line.ts'

export interface FakeMetricsOptions {
  clock: Clock
  /** The series of a replica now, or why there are none. */
  read(replica: Replica): Readonly<Record<string, number>> | { error: string }
}

/** Metrics read from a function. */
export function fakeMetrics({ clock, read }: FakeMetricsOptions): Metrics {
  const line = (target: Replica, originUs: number): TelemetryLine => {
    const at = { atUs: clock.nowUs() - originUs, replica: target.index }
    const found = read(target)
    return typeof found['error'] === 'string'
      ? { t: 'gap', ...at, error: found['error'] }
      : { t: 'engine', ...at, values: { ...(found as Record<string, number>) } }
  }
  return {
    async scrape(target, _dialect, originUs, signal) {
      signal.throwIfAborted()
      return line(target, originUs)
    },
    watch(order, onLine) {
      const stopping = new AbortController()
      const scrapeAll = () => {
        for (const replica of order.replicas) onLine(line(replica, order.originUs))
      }
      const run = async () => {
        for (;;) {
          scrapeAll()
          try {
            await clock.sleep(order.intervalMs, stopping.signal)
          } catch {
            scrapeAll()
            return
          }
        }
      }
      const running = run()
      return {
        async [Symbol.asyncDispose]() {
          stopping.abort()
          await running
        },
      }
    },
  }
}
