import { createServer } from 'node:http'
import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { prometheusMetrics } from '../../../../src/adapters/metrics/prometheus.ts'
import { systemClock } from '../../../../src/adapters/system/clock.ts'
import { FIXTURE } from '../../../../src/core/dialect/fixture-table.ts'
import { OPENAI } from '../../../../src/core/dialect/openai-table.ts'
import type { TelemetryLine } from '../../../../src/core/telemetry/line.ts'

const never = new AbortController().signal
const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

async function engine(answer: RequestListener) {
  const server = createServer(answer)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { index: 0, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

describe('a scrape', () => {
  it.each<[string, RequestListener, RegExp]>([
    ['HTML', (_, response) => response.setHeader('content-type', 'text/html').end('<html></html>'), /HTML/],
    ['JSON', (_, response) => response.end('{"num_requests": 3}'), /not Prometheus text/],
    ['nothing', (_, response) => response.end(''), /none of the series/],
    ['a redirect', (_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(), /answers 302/],
    ['nobody', (_, response) => response.writeHead(404).end('Not Found'), /answers 404/],
    [
      'a failure with a whole page',
      (_, response) => response.writeHead(500).end('vllm:num_requests_running{engine="0"} 3\n'),
      /answers 500/,
    ],
    ['no end', (_, response) => void response.write('a 1\n'), /within 2000 ms/],
    ['a reset', (request) => request.socket.destroy(), /closed the connection/],
    ['5 MB', (_, response) => response.end(`a 1\n# ${'x'.repeat(5 * 1024 * 1024)}\n`), /more than 4194304 bytes/],
    ['another engine’s names', (_, response) => response.end('other_total 1\n'), /none of the series/],
    [
      'series without number',
      (_, response) =>
        response.end(Array.from({ length: 2000 }, (_n, id) => `vllm:num_requests_running{id="${id}"} 1\n`).join('')),
      /2000 series/,
    ],
  ])('of %s is a gap', async (_, answer, error) => {
    await using metrics = prometheusMetrics({ clock: systemClock() })
    const line = await metrics.scrape(await engine(answer), FIXTURE, 0, never)
    expect(line).toMatchObject({ t: 'gap', error: expect.stringMatching(error) })
  })

  it('of a megabyte is read, without what nobody asked for', async () => {
    const page = Array.from({ length: 20_000 }, (_n, id) => `other_bucket{le="${id}",route="/v1/completions"} 1\n`)
    const answer: RequestListener = (_, response) => response.end(`${page.join('')}vllm:num_requests_running 3\n`)
    await using metrics = prometheusMetrics({ clock: systemClock() })
    expect(page.join('').length).toBeGreaterThan(900_000)
    expect(await metrics.scrape(await engine(answer), FIXTURE, 0, never)).toMatchObject({
      t: 'engine',
      values: { 'vllm:num_requests_running': 3 },
    })
  })

  it('keeps the series that the dialect names, and of these what is a number', async () => {
    const text =
      'vllm:prompt_tokens_total{x="1"} 2\nvllm:prompt_tokens_created{x="1"} 1.7e9\nvllm:time_bucket{le="1"} 3\n' +
      'vllm:corrupted_requests_total 4.5\nvllm:num_requests_running NaN\nvllm:prompt_tokens_total_by_source 9\n'
    const target = await engine((_, response) => response.end(text))
    await using metrics = prometheusMetrics({ clock: systemClock() })
    const line = await metrics.scrape(target, FIXTURE, 0, never)
    expect(line).toMatchObject({ values: { 'vllm:prompt_tokens_total{x="1"}': 2 } })
    expect(Object.keys(line.t === 'engine' ? line.values : {})).toEqual([
      'vllm:prompt_tokens_total{x="1"}',
      'vllm:corrupted_requests_total',
    ])
  })
})

describe('a watch', () => {
  it('of an engine that hangs has one gap an interval, one request at a time', async () => {
    let open = 0
    let most = 0
    const target = await engine((request) => {
      open += 1
      most = Math.max(most, open)
      request.socket.once('close', () => (open -= 1))
    })
    await using metrics = prometheusMetrics({ clock: systemClock() })
    const lines: TelemetryLine[] = []
    const order = { replicas: [target], dialect: FIXTURE, originUs: 0, intervalMs: 60 }
    await using _ = metrics.watch(order, (line) => lines.push(line))
    await expect.poll(() => lines.length).toBeGreaterThanOrEqual(4)
    expect(new Set(lines.map((line) => line.t))).toEqual(new Set(['gap']))
    expect(most).toBe(1)
  })

  it('that was held up tells how many scrapes it left out, and makes none up', async () => {
    let scrapes = 0
    const target = await engine((_, response) => {
      scrapes += 1
      response.end('vllm:num_requests_running 1\n')
    })
    let nowUs = 0
    const waits: number[] = []
    const clock = {
      nowUs: () => nowUs,
      wallTime: () => '',
      sleep: async (ms: number, signal?: AbortSignal) => {
        waits.push(ms)
        signal?.throwIfAborted()
        // The second sleep takes four and a half intervals.
        nowUs += waits.length === 2 ? 4_500_000 : ms * 1000
        if (waits.length === 4) await new Promise((resolve) => signal?.addEventListener('abort', resolve))
        signal?.throwIfAborted()
      },
    }
    await using metrics = prometheusMetrics({ clock })
    const lines: TelemetryLine[] = []
    const watch = metrics.watch({ replicas: [target], dialect: FIXTURE, originUs: 0, intervalMs: 1000 }, (line) =>
      lines.push(line),
    )
    await expect.poll(() => waits.length).toBe(4)
    await watch[Symbol.asyncDispose]()
    expect(waits).toEqual([1000, 1000, 500, 1000])
    expect(lines.map((line) => line.t)).toEqual(['engine', 'engine', 'engine', 'gap', 'engine', 'engine'])
    expect(lines[3]).toMatchObject({ error: '3 scrapes left out: the last took too long' })
    expect(scrapes).toBe(5)
  })

  it('of an engine without metrics says so once', async () => {
    await using metrics = prometheusMetrics({ clock: systemClock() })
    const lines: TelemetryLine[] = []
    const order = { replicas: [{ index: 0, url: 'http://127.0.0.1:1' }], dialect: OPENAI, originUs: 0, intervalMs: 5 }
    const watch = metrics.watch(order, (line) => lines.push(line))
    await systemClock().sleep(30)
    await watch[Symbol.asyncDispose]()
    expect(lines).toMatchObject([{ t: 'gap', error: 'this engine has no metrics route' }])
  })
})
