import { describe, expect, test } from 'vitest'
import { NO_FAULTS, parseFaultFlags, withFaults } from '../../../fixtures/engine/server/fault-settings.ts'
import { FaultPlan } from '../../../fixtures/engine/server/fault-plan.ts'
import { complete, post, readEvents, readMetric, startEngine, untilMetric } from './started-engine.ts'
import type { Chunk } from './started-engine.ts'

const stream = { stream: true, max_tokens: 8, return_token_ids: true, stream_options: { include_usage: true } }

function faulty(...faults: string[]) {
  return startEngine(...faults.flatMap((fault) => ['--fault', fault]))
}

function tokensIn(chunks: Chunk[]): number {
  return chunks.reduce((sum, chunk) => sum + (chunk.choices?.[0]?.token_ids?.length ?? 0), 0)
}

describe('faults on the wire', () => {
  test('crash after so many requests, with the exit code', async () => {
    await using engine = await faulty('crash_after_requests=2', 'crash_exit_code=9')
    await (await complete(engine.url, {})).text()
    expect(engine.exited()).toBeNull()
    await (await complete(engine.url, {})).text()
    expect(engine.exited()).toBe(9)
  })

  test('crash after so many seconds', async () => {
    await using engine = await faulty('crash_after_seconds=0.02')
    await expect.poll(() => engine.exited()).toBe(134)
  })

  test('hang: accepted, never answered', async () => {
    await using engine = await faulty('hang_after_requests=1')
    expect((await complete(engine.url, {})).status).toBe(200)
    const signal = AbortSignal.timeout(100)
    await expect(complete(engine.url, {}, { signal })).rejects.toThrow('timeout')
    expect((await fetch(`${engine.url}/health`)).status).toBe(200)
  })

  test('slow start: 503 until then', async () => {
    await using slow = await faulty('slow_start_seconds=60')
    expect((await fetch(`${slow.url}/health`)).status).toBe(503)
    expect((await complete(slow.url, {})).status).toBe(503)
    await using engine = await faulty('slow_start_seconds=0.15')
    await expect.poll(async () => (await fetch(`${engine.url}/health`)).status).toBe(200)
    expect((await complete(engine.url, {})).status).toBe(200)
  })

  test('stall: the streams freeze, then go on to their full length', async () => {
    await using engine = await faulty('stall_after_requests=2', 'stall_seconds=0.2')
    const first = complete(engine.url, { ...stream, max_tokens: 300 })
    await untilMetric(engine.url, 'vllm:num_requests_running', 1)
    const second = complete(engine.url, stream)
    expect(tokensIn((await readEvents(await second)).chunks)).toBe(8)
    expect(tokensIn((await readEvents(await first)).chunks)).toBe(300)
    // Both waited for it, by the engine's own clock.
    expect(await readMetric(engine.url, 'vllm:e2e_request_latency_seconds_sum')).toBeGreaterThan(0.4)
  })

  test('cut: the connection dies after half the tokens', async () => {
    await using engine = await faulty('cut_share=1')
    const response = await complete(engine.url, stream)
    expect(response.status).toBe(200)
    let text = ''
    const reading = (async () => {
      for await (const part of response.body!) text += Buffer.from(part).toString()
    })()
    await expect(reading).rejects.toThrow('terminated')
    expect(text.split('\n\n').filter((frame) => frame.startsWith('data: '))).toHaveLength(4)
    expect(text).not.toContain('[DONE]')
    await untilMetric(engine.url, 'vllm:num_requests_running', 0)
  })

  test('error in the stream: the event, the end mark, a clean end', async () => {
    await using engine = await faulty('error_share=1')
    const { chunks, last } = await readEvents(await complete(engine.url, stream))
    expect(last).toBe('[DONE]')
    expect(chunks.at(-1)!.error).toMatchObject({ type: 'InternalServerError', code: 500 })
    expect(tokensIn(chunks)).toBe(4)
    const whole = await complete(engine.url, {})
    expect(whole.status).toBe(500)
  })

  test('wrong length: so many fewer, and it says so in good faith', async () => {
    await using engine = await faulty('short_by=3')
    const { chunks } = await readEvents(await complete(engine.url, stream))
    expect([tokensIn(chunks), chunks.at(-1)!.usage!.completion_tokens]).toEqual([5, 5])
    expect(chunks.at(-2)!.choices[0]!.finish_reason).toBe('length')
  })

  test.each([429, 503])('a share of %i, the same requests each time', async (status) => {
    const statuses = await Promise.all(
      [1, 2].map(async () => {
        await using engine = await faulty('reject_share=0.3', `reject_status=${status}`)
        const seen: number[] = []
        for (let index = 0; index < 40; index += 1) seen.push((await complete(engine.url, { max_tokens: 1 })).status)
        return seen
      }),
    )
    expect(statuses[0]).toEqual(statuses[1])
    const refused = statuses[0]!.filter((one) => one !== 200)
    expect(new Set(refused)).toEqual(new Set([status]))
    expect(refused.length).toBeGreaterThan(4)
    expect(refused.length).toBeLessThan(22)
  })

  test('a wrong version, an HTML page, a closed connection', async () => {
    await using liar = await faulty('version=9.9')
    expect(await (await fetch(`${liar.url}/version`)).json()).toEqual({ version: '9.9' })
    await using page = await faulty('html=1')
    const response = await complete(page.url, stream)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    await using closer = await faulty('close_connections=1')
    await expect(complete(closer.url, {})).rejects.toThrow('fetch failed')
    await expect(fetch(`${closer.url}/health`)).rejects.toThrow('fetch failed')
  })
})

describe('faults of the engine', () => {
  const prompt = Array.from({ length: 64 }, (_, index) => index)

  test('leaked blocks stay in the usage', async () => {
    await using engine = await faulty('leak_blocks_per_request=2')
    for (const salt of ['a', 'b', 'c'])
      await (await complete(engine.url, { prompt: [1, 2], max_tokens: 31, cache_salt: salt })).text()
    expect(await readMetric(engine.url, 'vllm:kv_cache_usage_perc')).toBeCloseTo(6 / 1024, 10)
  })

  test('the prefix cache stops hitting after so many requests', async () => {
    await using engine = await faulty('cache_off_after_requests=2')
    for (let request = 0; request < 4; request += 1) await (await complete(engine.url, { prompt })).text()
    expect(await readMetric(engine.url, 'vllm:prefix_cache_hits_total')).toBe(48)
    expect(await readMetric(engine.url, 'vllm:prefix_cache_queries_total')).toBe(256)
  })

  test('slower prefill and growing steps make the engine say so itself', async () => {
    const seconds = async (faults: string[], metric: string) => {
      const flags = faults.flatMap((fault) => ['--fault', fault])
      await using engine = await startEngine('--per-prefill-token-us', '100', ...flags)
      await (await complete(engine.url, { prompt, max_tokens: 20 })).text()
      return await readMetric(engine.url, `vllm:${metric}`)
    }
    const prefill = 'request_prefill_time_seconds_sum'
    expect(await seconds([], prefill)).toBeCloseTo(0.0074, 5)
    expect(await seconds(['prefill_factor=3'], prefill)).toBeCloseTo(0.0202, 5)
    const decode = 'request_decode_time_seconds_sum'
    const plain = await seconds([], decode)
    expect((await seconds(['growth_per_step=0.1'], decode)) / plain).toBeCloseTo(2, 1)
  })
})

describe('the admin endpoint', () => {
  test('changes the faults of a running engine, and clears them', async () => {
    await using engine = await startEngine('--admin', '--fault', 'short_by=1')
    const admin = (body: unknown) => post(engine.url, '/admin/faults', body)
    expect(await (await admin({ version: '7', reject_share: 1 })).json()).toMatchObject({
      short_by: 1,
      reject_share: 1,
    })
    expect((await complete(engine.url, {})).status).toBe(503)
    expect(await (await fetch(`${engine.url}/version`)).json()).toEqual({ version: '7' })
    expect(await (await admin({ clear: true })).json()).toEqual(NO_FAULTS)
    expect((await complete(engine.url, {})).status).toBe(200)
    expect(await (await fetch(`${engine.url}/admin/faults`)).json()).toEqual(NO_FAULTS)
    await admin({ close_connections: true })
    await expect(complete(engine.url, {})).rejects.toThrow('fetch failed')
    expect((await admin({ clear: true })).status).toBe(200)
    await admin({ crash_after_seconds: 0.01 })
    await expect.poll(() => engine.exited()).toBe(134)
  })

  test('says what is wrong with a bad body and leaves the faults alone', async () => {
    await using engine = await startEngine('--admin')
    for (const body of [{ nonsense: 1 }, { cut_share: 'x' }, [], null]) {
      const response = await post(engine.url, '/admin/faults', body)
      expect(response.status).toBe(400)
      expect(await response.json()).toEqual({ error: expect.any(String) })
    }
    expect(await (await fetch(`${engine.url}/admin/faults`)).json()).toEqual(NO_FAULTS)
  })
})

describe('fault settings', () => {
  test('are read from flags', () => {
    expect(parseFaultFlags(['cut_share=0.5', 'version=1=2'])).toEqual({ ...NO_FAULTS, cut_share: 0.5, version: '1=2' })
    expect(parseFaultFlags(['cut_share'])).toContain('name=value')
    expect(parseFaultFlags(['cut_share='])).toContain('needs a number')
    expect(withFaults(NO_FAULTS, { toString: 1 })).toContain('unknown fault toString')
  })

  test('draw shares of their size, independent of each other', () => {
    const plan = new FaultPlan({ ...NO_FAULTS, cut_share: 0.2, reject_share: 0.2 }, 5)
    const fates = Array.from({ length: 5000 }, () => plan.next())
    const cut = fates.filter((fate) => fate.breaks === 'cut').length / 5000
    const both = fates.filter((fate) => fate.breaks === 'cut' && fate.rejectStatus !== null).length / 5000
    expect(cut).toBeCloseTo(0.2, 1)
    expect(both).toBeGreaterThan(0.02)
    expect(both).toBeLessThan(0.06)
  })
})
