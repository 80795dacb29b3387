import { describe, expect, test } from 'vitest'
import { complete, readEvents, readMetric, startEngine, untilMetric } from './started-engine.ts'

const prompt = Array.from({ length: 64 }, (_, index) => 3000 + index)

describe('the metrics page', () => {
  test('has the names, types and labels of the imitated engine', async () => {
    await using engine = await startEngine('--model-id', 'm')
    const response = await fetch(`${engine.url}/metrics`)
    expect(response.headers.get('content-type')).toBe('text/plain; version=1.0.0; charset=utf-8')
    const text = await response.text()
    const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => `${type} ${name}`)
    const created = types.filter((line) => line.endsWith('_created'))
    expect(types.filter((line) => !line.endsWith('_created'))).toMatchSnapshot()
    expect(created.every((line) => line.startsWith('gauge '))).toBe(true)
    // One beside each counter and histogram, but for the process's own counter.
    expect(created).toHaveLength(types.filter((line) => /^(counter|histogram) vllm:/.test(line)).length)
    expect(text).toContain('\nvllm:num_requests_running{engine="0",model_name="m"} 0.0\n')
    expect(text).toContain('\nvllm:request_success_total{engine="0",finished_reason="length",model_name="m"} 0.0\n')
    expect(text).toContain('\nvllm:admission_rejections_total{model_name="m",reason="max_num_queued_reqs"} 0.0\n')
    expect(text).toContain('\nvllm:time_to_first_token_seconds_bucket{engine="0",le="+Inf",model_name="m"} 0.0\n')
    const series = text.split('\n').filter((line) => line.length > 0 && !line.startsWith('#'))
    expect(
      series.filter((line) => !/^[a-z0-9_:]+(\{[a-z_]+="[^"]*"(,[a-z_]+="[^"]*")*\})? [0-9.e+-]+$/.test(line)),
    ).toEqual([])
  })

  test('counts tokens, hits and requests as they were', async () => {
    await using engine = await startEngine()
    await (await complete(engine.url, { prompt, max_tokens: 5 })).text()
    await (await complete(engine.url, { prompt, max_tokens: 5 })).text()
    const values = async (...names: string[]) =>
      Promise.all(names.map((name) => readMetric(engine.url, `vllm:${name}`)))
    expect(await values('prefix_cache_queries_total', 'prefix_cache_hits_total', 'prompt_tokens_total')).toEqual([
      128, 48, 128,
    ])
    expect(await values('generation_tokens_total', 'prompt_tokens_cached_total', 'num_preemptions_total')).toEqual([
      10, 48, 0,
    ])
    expect(await values('time_to_first_token_seconds_count', 'inter_token_latency_seconds_count')).toEqual([2, 8])
    expect(await values('e2e_request_latency_seconds_count', 'request_prompt_tokens_sum')).toEqual([2, 128])
    expect(await values('request_prefill_kv_computed_tokens_sum', 'kv_cache_usage_perc')).toEqual([80, 0])
    const success = 'vllm:request_success_total{engine="0",finished_reason="length",model_name="fixture"} 2.0'
    expect(await (await fetch(`${engine.url}/metrics`)).text()).toContain(success)
  })
})

describe('under load', () => {
  test('running and waiting are gauged, a full queue is a 503, and a reset is refused', async () => {
    await using engine = await startEngine('--slots', '1', '--max-queued', '1', '--base-us', '20000')
    const long = { max_tokens: 400, stream: true }
    const leave = new AbortController()
    const streams = [complete(engine.url, long, { signal: leave.signal })]
    await untilMetric(engine.url, 'vllm:num_requests_running', 1)
    streams.push(complete(engine.url, long, { signal: leave.signal }))
    await untilMetric(engine.url, 'vllm:num_requests_waiting', 1)
    // The headers come at once, also to the one that waits.
    expect((await Promise.all(streams)).map(({ status }) => status)).toEqual([200, 200])
    const refused = await complete(engine.url, long)
    expect(refused.status).toBe(503)
    expect(await refused.json()).toMatchObject({ error: { type: 'Service Unavailable', code: 503 } })
    expect(await readMetric(engine.url, 'vllm:admission_rejections_total')).toBe(1)
    const reset = await fetch(`${engine.url}/reset_prefix_cache`, { method: 'POST' })
    expect([reset.status, await reset.text()]).toEqual([200, '{"success":false}'])
    expect(await readMetric(engine.url, 'vllm:kv_cache_usage_perc')).toBeGreaterThan(0)

    leave.abort()
    await untilMetric(engine.url, 'vllm:num_requests_running', 0)
    await untilMetric(engine.url, 'vllm:num_requests_waiting', 0)
    expect(await readMetric(engine.url, 'vllm:kv_cache_usage_perc')).toBe(0)
    expect(await readMetric(engine.url, 'vllm:generation_tokens_total')).toBeLessThan(400)
    const again = await fetch(`${engine.url}/reset_prefix_cache`, { method: 'POST' })
    expect(await again.text()).toBe('{"success":true}')
  })

  test('every stream gets its exact length through a batch larger than the slots, with preemptions', async () => {
    // Steps so slow that the streams run beside each other, however late they are asked for.
    const flags = ['--slots', '4', '--kv-blocks', '24', '--max-model-len', '200', '--base-us', '20000']
    await using engine = await startEngine(...flags)
    const streams = Array.from({ length: 12 }, async (_, index) => {
      const body = { prompt: [...prompt, index], max_tokens: 40 + index, stream: true, return_token_ids: true }
      const { chunks, last } = await readEvents(await complete(engine.url, { ...body, cache_salt: `s${index}` }))
      const tokens = chunks.flatMap((chunk) => chunk.choices[0]!.token_ids!)
      return [tokens.length, chunks.at(-1)!.choices[0]!.finish_reason, last]
    })
    expect(await Promise.all(streams)).toEqual(streams.map((_, index) => [40 + index, 'length', '[DONE]']))
    expect(await readMetric(engine.url, 'vllm:num_preemptions_total')).toBeGreaterThan(0)
  })
})
