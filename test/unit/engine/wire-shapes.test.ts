import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { complete, post, readEvents, startEngine } from './started-engine.ts'
import type { Chunk, StartedEngine } from './started-engine.ts'

let engine: StartedEngine

beforeAll(async () => {
  engine = await startEngine('--model-id', 'acme/dense', '--served-version', '2.5')
})
afterAll(() => engine.stop())

const usageOf = (prompt: number, completion: number) => ({
  prompt_tokens: prompt,
  total_tokens: prompt + completion,
  completion_tokens: completion,
})
const everything = {
  stream: true,
  stream_options: { include_usage: true, continuous_usage_stats: true },
  return_token_ids: true,
}

describe('a streamed completion', () => {
  test('gives a token a chunk, the finish with the last, and nothing that was not asked for', async () => {
    const response = await complete(engine.url, { model: 'acme/dense', stream: true })
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    const { chunks, last } = await readEvents(response)
    expect(last).toBe('[DONE]')
    expect(chunks.map((chunk) => chunk.choices[0]!.finish_reason)).toEqual([null, null, null, 'length'])
    expect(chunks.every((chunk) => chunk.choices[0]!.text!.length > 0)).toBe(true)
    expect(chunks.every((chunk) => !('usage' in chunk) && chunk.choices[0]!.token_ids === null)).toBe(true)
    expect(chunks[0]).toMatchObject({ object: 'text_completion', model: 'acme/dense' })
    expect(Object.keys(chunks[0]!.choices[0]!)).toEqual([
      'index',
      'text',
      'logprobs',
      'finish_reason',
      'stop_reason',
      'prompt_token_ids',
      'token_ids',
    ])
  })

  test('carries token ids, rising usage and a last chunk without choices where asked for', async () => {
    const prompt = Array.from({ length: 40 }, (_, index) => 1000 + index)
    const { chunks } = await readEvents(await complete(engine.url, { prompt, max_tokens: 3, ...everything }))
    expect(chunks.map((chunk) => chunk.usage)).toEqual([
      ...[1, 2, 3].map((count) => usageOf(40, count)),
      { ...usageOf(40, 3), prompt_tokens_details: { cached_tokens: 0 } },
    ])
    expect(chunks.map((chunk) => chunk.choices.length)).toEqual([1, 1, 1, 0])
    expect(chunks.slice(0, 3).map((chunk) => chunk.choices[0]!.prompt_token_ids)).toEqual([prompt, null, null])
    expect(chunks.slice(0, 3).every((chunk) => chunk.choices[0]!.token_ids!.length === 1)).toBe(true)
    expect(chunks[3]!.system_fingerprint).toMatch(/^fixture-2\.5-[0-9a-f]{8}$/)
  })

  test('hits what an equal prompt left, but for its last block, and not under another salt', async () => {
    const prompt = Array.from({ length: 64 }, (_, index) => 2000 + index)
    const cached = async (body: object) => {
      const response = await complete(engine.url, {
        prompt,
        stream: true,
        stream_options: { include_usage: true },
        ...body,
      })
      return (await readEvents(response)).chunks.at(-1)!.usage!.prompt_tokens_details!.cached_tokens
    }
    expect([await cached({}), await cached({}), await cached({ cache_salt: 'x' })]).toEqual([0, 48, 0])
    const reset = await fetch(`${engine.url}/reset_prefix_cache`, { method: 'POST' })
    expect(await reset.json()).toEqual({ success: true })
    expect(await cached({})).toBe(0)
  })

  test('is the same text for the same prompt, and has the id that the request brought', async () => {
    const init = { headers: { 'x-request-id': 'r-1 "quoted"' } }
    const streams = await Promise.all([1, 2].map(async () => readEvents(await complete(engine.url, everything, init))))
    expect(streams[0]!.chunks[0]!.id).toBe('cmpl-r-1 "quoted"')
    const ids = streams.map(({ chunks }) => chunks.flatMap((chunk) => chunk.choices[0]?.token_ids ?? []))
    expect(ids[0]).toEqual(ids[1])
    expect(new Set(ids[0]).size).toBeGreaterThan(1)
  })

  test('packs tokens into chunks by the stream interval, first and last apart', async () => {
    const { chunks } = await readEvents(
      await complete(engine.url, { ...everything, stream_interval: 4, max_tokens: 11 }),
    )
    expect(chunks.slice(0, -1).map((chunk) => chunk.choices[0]!.token_ids!.length)).toEqual([1, 4, 4, 2])
  })

  test('may stop before its length unless the end token is ignored, never before its least', async () => {
    const ends = await Promise.all(
      Array.from({ length: 24 }, async (_, index) => {
        const body = { prompt: [index, 1], max_tokens: 12, min_tokens: 3, ignore_eos: false, ...everything }
        const { chunks } = await readEvents(await complete(engine.url, body))
        return [chunks.at(-2)!.choices[0]!.finish_reason, chunks.at(-1)!.usage!.completion_tokens] as const
      }),
    )
    const stopped = ends.filter(([reason]) => reason === 'stop')
    expect(stopped.length).toBeGreaterThan(0)
    expect(stopped.length).toBeLessThan(24)
    expect(stopped.every(([, tokens]) => tokens >= 3 && tokens < 12)).toBe(true)
    expect(ends.every(([reason, tokens]) => reason === 'stop' || tokens === 12)).toBe(true)
  })
})

describe('a streamed chat', () => {
  const chat = (body: object) => {
    const messages = [
      { role: 'system', content: 'You are a server.' },
      { role: 'user', content: [{ type: 'text', text: 'Explain the queue' }] },
    ]
    return post(engine.url, '/v1/chat/completions', { messages, ignore_eos: true, max_completion_tokens: 3, ...body })
  }

  test('opens with a role chunk that bears no token', async () => {
    const { chunks, last } = await readEvents(await chat({ stream: true }))
    expect(last).toBe('[DONE]')
    expect(chunks[0]!.choices[0]!.delta).toEqual({ role: 'assistant', content: '' })
    expect(chunks[0]!.prompt_token_ids).toBeNull()
    expect(chunks.slice(1).map((chunk) => chunk.choices[0]!.finish_reason)).toEqual([null, null, 'length'])
    expect(chunks.slice(1).every((chunk) => chunk.choices[0]!.delta!.content!.length > 0)).toBe(true)
    expect(chunks[0]!.object).toBe('chat.completion.chunk')
  })

  test('says zero tokens on the role chunk, and the prompt ids at its top', async () => {
    const { chunks } = await readEvents(await chat(everything))
    const prompt = chunks[0]!.usage!.prompt_tokens
    expect(chunks.map((chunk) => chunk.usage!.completion_tokens)).toEqual([0, 1, 2, 3, 3])
    expect(chunks[0]!.prompt_token_ids).toHaveLength(prompt)
    expect(chunks[1]!.choices[0]!.token_ids).toHaveLength(1)
    expect(chunks.at(-1)!.choices).toEqual([])
  })

  test('can be had whole', async () => {
    const answer = (await (await chat({ return_token_ids: true })).json()) as Chunk
    expect(answer).toMatchObject({
      object: 'chat.completion',
      choices: [{ message: { role: 'assistant' }, finish_reason: 'length' }],
      usage: { completion_tokens: 3, prompt_tokens_details: { cached_tokens: expect.any(Number) } },
    })
    expect(answer.prompt_token_ids).toHaveLength(answer.usage!.prompt_tokens)
    expect(answer.choices[0]!.token_ids).toHaveLength(3)
  })
})

test('a whole completion has the same tokens as a streamed one', async () => {
  const body = { prompt: [5, 6, 7], max_tokens: 6, return_token_ids: true }
  const whole = (await (await complete(engine.url, body)).json()) as Chunk
  const { chunks } = await readEvents(await complete(engine.url, { ...body, stream: true }))
  expect(whole.choices[0]!.token_ids).toEqual(chunks.flatMap((chunk) => chunk.choices[0]!.token_ids))
  expect(whole.choices[0]!.text).toBe(chunks.map((chunk) => chunk.choices[0]!.text).join(''))
  expect(whole.usage).toMatchObject(usageOf(3, 6))
})

test('a half character is a token without text', async () => {
  await using halves = await startEngine('--split-character-every', '3')
  const { chunks } = await readEvents(await complete(halves.url, { ...everything, max_tokens: 6 }))
  const tokens = chunks.slice(0, 6).map((chunk) => chunk.choices[0]!)
  expect(tokens.map(({ text }) => text === '')).toEqual([false, false, true, false, false, true])
  expect(tokens.every(({ token_ids: ids }) => ids!.length === 1)).toBe(true)
})

describe('the other routes', () => {
  test('health, version, models and load', async () => {
    const get = async (path: string) => (await fetch(`${engine.url}${path}`)).text()
    expect((await fetch(`${engine.url}/health`)).status).toBe(200)
    expect(await get('/health')).toBe('')
    expect(await get('/version')).toBe('{"version":"2.5"}')
    expect(JSON.parse(await get('/v1/models'))).toMatchObject({
      object: 'list',
      data: [{ id: 'acme/dense', root: 'acme/dense', max_model_len: 4096 }],
    })
    expect(await get('/load')).toBe('{"server_load":0}')
  })

  test('unknown paths and methods, as the web framework says it', async () => {
    const none = await fetch(`${engine.url}/v1/nothing`)
    expect([none.status, await none.text()]).toEqual([404, '{"detail":"Not Found"}'])
    const wrong = await fetch(`${engine.url}/v1/completions`)
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST'])
    const admin = await fetch(`${engine.url}/admin/faults`)
    expect(admin.status).toBe(404)
  })

  test.each([
    [{ model: 'nope' }, 404, 'NotFoundError', 'model'],
    [{ prompt: '' }, 400, 'BadRequestError', 'prompt'],
    [{ prompt: [999_999] }, 400, 'BadRequestError', null],
    [{ prompt: [-5] }, 400, 'Bad Request', 'body.prompt.0'],
    [{ max_tokens: 0 }, 400, 'BadRequestError', 'max_tokens'],
    [{ max_tokens: 100_000 }, 400, 'BadRequestError', 'max_tokens'],
    [{ max_tokens: 'many' }, 400, 'Bad Request', 'body.max_tokens'],
    [{ min_tokens: 64, max_tokens: 32 }, 400, 'BadRequestError', null],
    [{ temperature: -1 }, 400, 'BadRequestError', 'temperature'],
    [{ cache_salt: '' }, 400, 'BadRequestError', 'cache_salt'],
    [{ stream_options: { include_usage: true } }, 400, 'BadRequestError', 'stream_options'],
    [{ n: 0 }, 400, 'BadRequestError', null],
    [{ prompt: Array.from({ length: 4095 }, () => 1), max_tokens: 4 }, 400, 'BadRequestError', 'input_tokens'],
  ])('a request with %j is refused with %i %s', async (body, status, type, param) => {
    const response = await complete(engine.url, body)
    expect(response.status).toBe(status)
    const { error } = (await response.json()) as { error: Record<string, unknown> }
    expect(error).toEqual({ message: expect.any(String), type, param, code: status })
  })

  test.each([
    ['no body', '', 'application/json'],
    ['half a body', '{"prompt": "x"', 'application/json'],
    ['an array', '[]', 'application/json'],
    ['another media type', '{"prompt":"x"}', 'text/plain'],
  ])('%s is a bad request', async (_, body, type) => {
    const headers = { 'content-type': type }
    const response = await fetch(`${engine.url}/v1/completions`, { method: 'POST', body, headers })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { type: 'Bad Request', code: 400 } })
  })

  test('a chat without messages is a bad request', async () => {
    for (const body of [{}, { messages: [] }, { messages: [{ content: 'x' }] }]) {
      expect((await post(engine.url, '/v1/chat/completions', body)).status).toBe(400)
    }
  })
})
