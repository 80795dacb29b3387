import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { requestBody, requestHeaders, requestPath } from '../../../../src/adapters/replay/request-body.ts'
import type { PromptContext } from '../../../../src/core/schedule/prompt.ts'
import { promptRequest, promptText, promptTokenIds } from '../../../../src/core/schedule/prompt.ts'
import type { ScheduleRow } from '../../../../src/core/schedule/schedule.ts'
import { testRows, testShape } from '../../../contract/replay/shape.ts'
import type { ShapeParts } from '../../../contract/replay/shape.ts'

const [row] = testRows(1) as [ScheduleRow]

function bodyOf(parts: ShapeParts = {}, of: ScheduleRow = row, context: PromptContext = {}): Record<string, unknown> {
  return JSON.parse(requestBody(testShape(parts), of, context).toString()) as Record<string, unknown>
}

describe('requestBody', () => {
  it('asks for exactly the scheduled tokens, streamed, with usage and ids on every chunk', () => {
    const { prompt, ...rest } = bodyOf()
    expect(prompt).toHaveLength(24)
    expect(rest).toEqual({
      model: 'fixture',
      stream: true,
      temperature: 0,
      max_tokens: 4,
      min_tokens: 4,
      ignore_eos: true,
      return_token_ids: true,
      stream_options: { include_usage: true, continuous_usage_stats: true },
    })
  })

  it('writes the prompt’s ids as they are, whatever their length', () => {
    const ids = fc.record({
      first: fc.integer({ min: 0, max: 4_000_000_000 }),
      size: fc.integer({ min: 16, max: 1e8 }),
    })
    fc.assert(
      fc.property(ids, fc.integer({ min: 16, max: 300 }), ({ first, size }, inputTokens) => {
        const range = [first, first + size] as const
        const parts = { model: { prompt_token_ids: range } }
        const shape = testShape(parts)
        const expected = promptTokenIds({ ...promptRequest(shape.header, { ...row, inputTokens }, shape.epoch), range })
        expect(bodyOf(parts, { ...row, inputTokens })['prompt']).toEqual([...expected])
      }),
    )
  })

  it('takes text for a prompt, and messages for chat', () => {
    const shape = testShape()
    const text = promptText(promptRequest(shape.header, row, shape.epoch))
    expect(bodyOf({ client: { prompt: 'text' } })).toMatchObject({ prompt: text, max_tokens: 4 })
    const chat = bodyOf({ client: { endpoint: 'chat' } })
    expect(chat).toMatchObject({ messages: [{ role: 'user', content: text }], max_completion_tokens: 4 })
    expect(chat).not.toHaveProperty('prompt')
    expect(chat).not.toHaveProperty('max_tokens')
  })

  it('gives a warm row its prefix', () => {
    const header = { cache: 'warm', prefixSet: 'v1', prefixes: [{ id: 'p-00001', tokens: 16, weight: 1 }] } as const
    const warm = (id: string) =>
      bodyOf({ header }, { ...row, id, inputTokens: 40, prefix: 'p-00001' })['prompt'] as number[]
    const [one, other] = [warm('r-00001'), warm('r-00002')]
    expect(one.slice(0, 16)).toEqual(other.slice(0, 16))
    expect(one.slice(16, 24)).not.toEqual(other.slice(16, 24))
  })

  it('salts a cold point that is isolated so, each request by itself, and no other', () => {
    const cold = { cold: { isolate: 'cache_salt' } }
    expect(bodyOf({ cache: cold })['cache_salt']).toBe('7-3-r-00001')
    expect(bodyOf({ cache: { cold: {} } })).not.toHaveProperty('cache_salt')
    const header = { cache: 'warm', prefixSet: 'v1', prefixes: [{ id: 'p-00001', tokens: 16, weight: 1 }] } as const
    expect(bodyOf({ cache: cold, header })).not.toHaveProperty('cache_salt')
  })

  it('says what the sampling says', () => {
    const sampling = { temperature: 0.7, ignore_eos: false, min_tokens: 'none', stop: ['\n"'] }
    const body = bodyOf({ client: { sampling } })
    expect(body).toMatchObject({ temperature: 0.7, ignore_eos: false, stop: ['\n"'] })
    expect(body).not.toHaveProperty('min_tokens')
  })

  it('leaves out what the dialect has no word for', () => {
    const body = bodyOf({ engine: { name: 'some-server' } })
    expect(body).toMatchObject({ stream_options: { include_usage: true }, max_tokens: 4 })
    for (const field of ['min_tokens', 'ignore_eos', 'return_token_ids', 'cache_salt']) {
      expect(body).not.toHaveProperty(field)
    }
  })
})

describe('the request’s head', () => {
  it('asks the endpoint’s path, for an uncompressed event stream, with the row’s id', () => {
    const shape = testShape()
    expect(requestPath(shape)).toBe('/v1/completions')
    expect(requestPath(testShape({ client: { endpoint: 'chat' } }))).toBe('/v1/chat/completions')
    const headers = requestHeaders(shape, row)
    expect(headers.slice(-4)).toEqual(['accept-encoding', 'identity', 'x-request-id', 'r-00001'])
    const mute = { ...shape, dialect: { ...shape.dialect, requestIdHeader: null } }
    expect(requestHeaders(mute, row)).not.toContain('r-00001')
  })
})
