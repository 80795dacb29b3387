import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { prometheusMetrics } from '../../../src/adapters/metrics/prometheus.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import type { Clock } from '../../../src/app/ports/clock.ts'
import type { Replica } from '../../../src/app/ports/engine.ts'
import type { Metrics } from '../../../src/app/ports/metrics.ts'
import { FIXTURE } from '../../../src/core/dialect/fixture-table.ts'
import type { TelemetryLine } from '../../../src/core/telemetry/line.ts'
import { fakeMetrics } from '../../fakes/metrics.ts'

interface Bench extends AsyncDisposable {
  metrics: Metrics
  replicas: Replica[]
  clock: Clock
  /** What each replica shows from now on; null: it fails. */
  show(running: number | null): void
}

const benches: [string, () => Promise<Bench>][] = [
  [
    'the fake',
    async () => {
      let shown: number | null = 0
      const clock = systemClock()
      const read = () => (shown === null ? { error: 'down' } : { 'vllm:num_requests_running{engine="0"}': shown })
      return {
        metrics: fakeMetrics({ clock, read }),
        replicas: [0, 1].map((index) => ({ index, url: `http://fake-${index}` })),
        clock,
        show: (running) => (shown = running),
        [Symbol.asyncDispose]: async () => {},
      }
    },
  ],
  [
    'Prometheus over HTTP',
    async () => {
      let shown: number | null = 0
      const servers = await Promise.all(
        [0, 1].map(async () => {
          const server = createServer((_, response) => {
            response.statusCode = shown === null ? 500 : 200
            response.end(`# TYPE vllm:num_requests_running gauge\nvllm:num_requests_running{engine="0"} ${shown}\n`)
          })
          await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
          return server
        }),
      )
      const clock = systemClock()
      const metrics = prometheusMetrics({ clock })
      return {
        metrics,
        replicas: servers.map((server, index) => ({
          index,
          url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        })),
        clock,
        show: (running) => (shown = running),
        [Symbol.asyncDispose]: async () => {
          await metrics[Symbol.asyncDispose]()
          await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
        },
      }
    },
  ],
]

/** A scrape has four fifths of it: enough on a busy machine too. */
const INTERVAL_MS = 500

const never = new AbortController().signal

describe.each(benches)('%s', (_, make) => {
  it('scrapes one replica now, its time from the origin', async () => {
    await using bench = await make()
    bench.show(3)
    const before = bench.clock.nowUs()
    const originUs = before + 60_000_000
    const line = await bench.metrics.scrape(bench.replicas[1]!, FIXTURE, originUs, never)
    expect(line).toMatchObject({ t: 'engine', replica: 1, values: { 'vllm:num_requests_running{engine="0"}': 3 } })
    const atUs = 'atUs' in line ? line.atUs : Number.NaN
    expect(atUs).toBeGreaterThanOrEqual(before - originUs)
    expect(atUs).toBeLessThanOrEqual(bench.clock.nowUs() - originUs)
  })

  it('says why there is nothing, as a gap and never as zero', async () => {
    await using bench = await make()
    bench.show(null)
    const line = await bench.metrics.scrape(bench.replicas[0]!, FIXTURE, 0, never)
    expect(line).toMatchObject({ t: 'gap', replica: 0, error: expect.stringMatching(/./) })
  })

  it('rejects a scrape with the reason of the abort', async () => {
    await using bench = await make()
    const reason = new Error('cancelled')
    await expect(bench.metrics.scrape(bench.replicas[0]!, FIXTURE, 0, AbortSignal.abort(reason))).rejects.toBe(reason)
  })

  it('watches every replica at once, again and again, and once more at the end', async () => {
    await using bench = await make()
    const lines: TelemetryLine[] = []
    const originUs = bench.clock.nowUs()
    const order = { replicas: bench.replicas, dialect: FIXTURE, originUs, intervalMs: INTERVAL_MS }
    const watch = bench.metrics.watch(order, (line) => lines.push(line))
    await expect.poll(() => lines.length).toBeGreaterThanOrEqual(6)
    bench.show(99)
    await watch[Symbol.asyncDispose]()
    const seen = lines.length
    const last = lines.slice(-2)
    expect(last.map((line) => ('replica' in line ? line.replica : null)).toSorted()).toEqual([0, 1])
    for (const line of last) expect(line).toMatchObject({ values: { 'vllm:num_requests_running{engine="0"}': 99 } })
    await watch[Symbol.asyncDispose]()
    expect(lines).toHaveLength(seen)
  })

  it('goes on after a gap', async () => {
    await using bench = await make()
    const lines: TelemetryLine[] = []
    bench.show(null)
    const order = { replicas: bench.replicas, dialect: FIXTURE, originUs: 0, intervalMs: INTERVAL_MS }
    await using _ = bench.metrics.watch(order, (line) => lines.push(line))
    await expect.poll(() => lines.some((line) => line.t === 'gap')).toBe(true)
    bench.show(1)
    await expect.poll(() => lines.some((line) => line.t === 'engine')).toBe(true)
  })
})
