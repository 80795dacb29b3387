import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { headFailure } from '../../../src/core/stream/answer-head.ts'
import type { Answer, AnswerExpectation, StreamEnd } from '../../../src/core/stream/answer-reader.ts'
import { AnswerStream } from '../../../src/core/stream/answer-stream.ts'
import { ERROR_CODES, type ErrorCode, transportErrorCode } from '../../../src/core/stream/error-codes.ts'

type Part = string | object

/** An answer whose events come one each 10 µs; strings are raw stream text. */
function answer(parts: Part[], expected: Partial<AnswerExpectation> = {}, end: StreamEnd = 'clean'): Answer {
  const stream = new AnswerStream({ shape: 'completions', outputTokens: null, ...expected })
  parts.forEach((part, index) => {
    const text = typeof part === 'string' ? part : `data: ${JSON.stringify(part)}\n\n`
    stream.push(new TextEncoder().encode(text), (index + 1) * 10)
  })
  return stream.finish(end, (parts.length + 1) * 10)
}

const text = (value: string, finish: string | null = null, more: object = {}) => ({
  choices: [{ index: 0, text: value, finish_reason: finish, ...more }],
})
const delta = (value: object, finish: string | null = null, more: object = {}) => ({
  choices: [{ index: 0, delta: value, finish_reason: finish, ...more }],
})
const usage = (completion: number, cached?: number) => ({
  usage: {
    prompt_tokens: 9,
    completion_tokens: completion,
    prompt_tokens_details: cached === undefined ? null : { cached_tokens: cached },
  },
})
const ending = (completion: number, cached?: number) => ({ choices: [], ...usage(completion, cached) })
const DONE = 'data: [DONE]\n\n'
const chat = { shape: 'chat' } as const
const ids = (...token_ids: number[]) => ({ token_ids })

describe('a whole answer', () => {
  test('has its times, gaps and the engine’s counts', () => {
    expect(answer([text('a'), text('b'), text('c', 'length'), ending(3, 4), DONE], { outputTokens: 3 })).toEqual({
      status: 'ok',
      errorCode: null,
      errorText: null,
      firstTokenUs: 10,
      firstContentUs: 10,
      lastTokenUs: 30,
      endUs: 50,
      inputTokens: 9,
      outputTokens: 3,
      cachedTokens: 4,
      chunks: 3,
      gapsUs: [10, 10],
      tokensPerChunk: [0, 0, 0],
      finishReason: 'length',
      usageSeen: true,
    })
  })

  test.each<[string, Part[], Partial<AnswerExpectation>, Partial<Answer>]>([
    ['a clean end in place of [DONE]', [text('a', 'stop'), ending(1)], {}, { status: 'ok', endUs: 30 }],
    ['[DONE] with blanks', [text('a', 'stop'), ending(1), 'data: [DONE] \n\n'], {}, { status: 'ok' }],
    ['[DONE] without its blank line', [text('a', 'stop'), ending(1), 'data: [DONE]'], {}, { status: 'ok' }],
    [
      'null usage, several empty choices',
      [{ ...text('a', 'stop'), usage: null }, { choices: [] }, ending(1), { choices: [] }, DONE],
      {},
      { outputTokens: 1 },
    ],
    [
      'usage that is corrected: the last counts',
      [{ ...text('a'), ...usage(1) }, { ...text('b', 'stop'), ...usage(2, 3) }, ending(5), DONE],
      {},
      { outputTokens: 5, cachedTokens: 3 },
    ],
    [
      'ids alone give the count',
      [text('a', null, ids(1, 2)), text('', 'length', ids(3)), DONE],
      { outputTokens: 3 },
      { status: 'ok', outputTokens: 3, usageSeen: false, tokensPerChunk: [2, 1] },
    ],
    [
      'ids of half a character bear a token, before any text',
      [text('', null, ids(7)), text('é', 'stop', ids(8)), DONE],
      {},
      { firstTokenUs: 10, firstContentUs: 20, chunks: 2 },
    ],
    [
      'usage that rises from zero where asked for',
      [{ ...text(''), ...usage(1) }, { ...text('b'), ...usage(4) }, { ...text('', 'stop'), ...usage(4) }, DONE],
      { continuousUsage: true },
      { firstTokenUs: 10, lastTokenUs: 20, tokensPerChunk: [1, 3], firstContentUs: 20 },
    ],
    [
      'else between two values',
      [{ ...text(''), ...usage(1) }, { ...text(''), ...usage(2) }, { ...text('', 'stop'), ...usage(2) }, DONE],
      {},
      { firstTokenUs: 20, chunks: 1, tokensPerChunk: [1] },
    ],
    [
      'usage on the finish chunk alone is no token',
      [text('a'), text('b'), { ...text('', 'length'), ...usage(2) }, DONE],
      { continuousUsage: true },
      { lastTokenUs: 20, chunks: 2, outputTokens: 2 },
    ],
    [
      'a usage chunk is no token, though asked to be continuous',
      [text('a', 'length'), ending(1), DONE],
      { continuousUsage: true },
      { lastTokenUs: 10, chunks: 1 },
    ],
    [
      'role-only and empty deltas are no token',
      [delta({ role: 'assistant', content: '' }), delta({ content: 'a' }), delta({}, 'stop'), ending(1), DONE],
      chat,
      { firstTokenUs: 20, lastTokenUs: 20, chunks: 1 },
    ],
    [
      'a role chunk with usage zero is no token',
      [{ ...delta({ role: 'assistant' }), ...usage(0) }, { ...delta({ content: 'a' }, 'stop'), ...usage(1) }, DONE],
      { ...chat, continuousUsage: true },
      { firstTokenUs: 20, tokensPerChunk: [1] },
    ],
    [
      'reasoning under both names',
      [
        delta({ reasoning_content: 'a', content: null }),
        delta({ reasoning: 'b' }),
        delta({ content: 'c' }, 'stop'),
        ending(3),
        DONE,
      ],
      chat,
      { firstTokenUs: 10, firstContentUs: 10, chunks: 3 },
    ],
    [
      'empty reasoning is none',
      [delta({ reasoning_content: '', content: '' }), delta({ content: 'c' }, 'stop'), ending(1), DONE],
      chat,
      { firstTokenUs: 20 },
    ],
    [
      'tool calls',
      [
        delta({ tool_calls: [{ index: 0, function: { name: 'f', arguments: '' } }] }),
        delta({ tool_calls: [{ function: { arguments: '{' } }] }),
        delta({ tool_calls: [{ function: { arguments: '' } }] }, 'tool_calls'),
        ending(9),
        DONE,
      ],
      chat,
      { chunks: 2, finishReason: 'tool_calls' },
    ],
    [
      'two choices, each with its finish',
      [text('a', 'stop'), { choices: [{ index: 1, text: 'b', finish_reason: 'length' }] }, ending(2), DONE],
      { choices: 2 },
      { status: 'ok' },
    ],
    [
      'an unknown finish reason, made printable',
      [text('a', `r\u0000\n${'x'.repeat(99)}`), ending(1), DONE],
      {},
      { status: 'ok', finishReason: `r\ufffd\ufffd${'x'.repeat(61)}` },
    ],
    [
      'a batch’s null, a blank event, an annotation',
      ['data: null\n\n', 'data:\n\n', 'event: note\ndata: hi\n\n', text('a', 'stop'), ending(1), DONE],
      {},
      { status: 'ok' },
    ],
    ['an error that is null', [{ ...text('a', 'stop'), error: null }, ending(1), DONE], {}, { status: 'ok' }],
  ])('%s', (_, parts, expected, observed) => {
    expect(answer(parts, expected)).toMatchObject(observed)
  })

  test('nothing counts after [DONE]', () => {
    const before = answer([text('a', 'stop'), ending(1), DONE])
    const after = answer(
      [text('a', 'stop'), ending(1), DONE, text('b'), ending(7), 'data: {"error":{}}\n\n', 'data: {'],
      {},
      'cut_body',
    )
    expect(after).toEqual(before)
    const rest = `data: ${JSON.stringify(text('b', 'stop', ids(1)))}\n\ndata: {"error":"late"}\n\n`
    expect(answer([text('a', 'stop'), ending(1), DONE + rest])).toEqual(before)
    const failed = answer([`data: {"error":"first"}\n\n${rest}${DONE}`])
    expect(failed).toMatchObject({ errorText: 'first', chunks: 0, finishReason: null })
  })
})

describe('an answer that is not whole', () => {
  const nested = { error: { message: 'engine died', code: 500 } }
  test.each<[string, Part[], Partial<AnswerExpectation>, StreamEnd, Answer['status'], ErrorCode]>([
    [
      'an error in a chunk, then [DONE]',
      [text('a'), nested, text('b', 'stop'), ending(2), DONE],
      {},
      'clean',
      'error',
      'in_stream_error',
    ],
    ['a flat error', [{ object: 'error', message: 'm', code: 400 }, DONE], {}, 'clean', 'error', 'in_stream_error'],
    ['an error of code 503', [{ error: { code: 503 } }, DONE], {}, 'clean', 'rejected', 'in_stream_error'],
    ['an error of code "429"', [{ error: { code: '429' } }, DONE], {}, 'clean', 'rejected', 'in_stream_error'],
    [
      'an error event',
      ['event: error\ndata: no luck\n\n', text('a', 'stop'), ending(1), DONE],
      {},
      'clean',
      'error',
      'in_stream_error',
    ],
    [
      'an error event of code 503',
      ['event: error\ndata: {"error":{"code":503}}\n\n'],
      {},
      'clean',
      'rejected',
      'in_stream_error',
    ],
    ['an error field', ['error: {"code":503,"message":"busy"}\n\n', DONE], {}, 'clean', 'rejected', 'in_stream_error'],
    ['an error as text', [{ error: 'boom' }], {}, 'clean', 'error', 'in_stream_error'],
    [
      'an error after the finish',
      [text('a', 'stop'), ending(1), nested, DONE],
      {},
      'clean',
      'error',
      'in_stream_error',
    ],
    ['finish reason abort', [text('a', 'abort'), ending(1), DONE], {}, 'clean', 'error', 'engine_abort'],
    ['finish reason error', [text('a', 'error'), ending(1), DONE], {}, 'clean', 'error', 'engine_abort'],
    ['[DONE] without finish', [text('a'), ending(1), DONE], {}, 'clean', 'error', 'done_without_finish'],
    ['[DONE] alone', [DONE], {}, 'clean', 'error', 'done_without_finish'],
    [
      '[DONE] with one choice of two',
      [text('a', 'stop'), ending(1), DONE],
      { choices: 2 },
      'clean',
      'error',
      'done_without_finish',
    ],
    [
      '[DONE] with a choice that was not asked for',
      [{ choices: [{ index: 1, text: 'b' }] }, text('a', 'stop'), ending(1), DONE],
      {},
      'clean',
      'error',
      'done_without_finish',
    ],
    ['a clean end without finish', [text('a')], {}, 'clean', 'error', 'end_without_finish'],
    ['an empty body', [], {}, 'clean', 'error', 'end_without_finish'],
    ['a cut after the finish', [text('a', 'stop'), ending(1)], {}, 'cut_body', 'error', 'cut_body'],
    ['no token', [text('', 'stop'), ending(0), DONE], {}, 'clean', 'error', 'no_token'],
    ['a wrong length', [text('a', 'length'), ending(2), DONE], { outputTokens: 3 }, 'clean', 'error', 'wrong_length'],
    ['no usage', [text('a', 'length'), DONE], {}, 'clean', 'error', 'usage_missing'],
    [
      'usage without numbers',
      [text('a', 'length'), { choices: [], usage: { completion_tokens: 'x' } }, DONE],
      {},
      'clean',
      'error',
      'usage_missing',
    ],
    ['an event that is no JSON', [text('a'), 'data: {"choices"\n\n', DONE], {}, 'clean', 'error', 'malformed_event'],
    ['an event that is no object', ['data: [1]\n\n', DONE], {}, 'clean', 'error', 'malformed_event'],
    ['choices that are no list', [{ choices: 5 }, DONE], {}, 'clean', 'error', 'malformed_event'],
    [
      'a choice out of all bounds',
      [{ choices: [{ index: 1e9, text: 'a', finish_reason: null }] }],
      {},
      'clean',
      'error',
      'malformed_event',
    ],
    [
      'an event half way at a clean end',
      [text('a', 'stop'), ending(1), 'data: {"err'],
      {},
      'clean',
      'error',
      'malformed_event',
    ],
    ['the first-token deadline', [], {}, 'first_token_deadline', 'timeout', 'first_token_deadline'],
    ['a stall', [text('a')], {}, 'stall_deadline', 'timeout', 'stall_deadline'],
    ['the whole deadline', [text('a', 'stop')], {}, 'whole_deadline', 'timeout', 'whole_deadline'],
    ['our own cancellation', [text('a')], {}, 'planned_cancellation', 'cancelled', 'planned_cancellation'],
    ['a reset', [text('a')], {}, 'connection_reset', 'error', 'connection_reset'],
  ])('%s', (_, parts, expected, end, status, errorCode) => {
    const observed = answer(parts, expected, end)
    expect({ status: observed.status, errorCode: observed.errorCode }).toEqual({ status, errorCode })
  })

  test('keeps what was observed, and what the engine said', () => {
    const message = `died\u0007 ${'x'.repeat(300)}`
    const observed = answer([text('a', null, ids(5)), text('b', null, ids(6)), { error: { message } }, DONE])
    expect(observed).toMatchObject({
      firstTokenUs: 10,
      lastTokenUs: 20,
      endUs: 30,
      outputTokens: 2,
      chunks: 2,
      gapsUs: [10],
    })
    expect(observed.errorText).toBe(`died\ufffd ${'x'.repeat(194)}`)
  })

  test('an event over the limit is malformed', () => {
    const stream = new AnswerStream({ shape: 'completions', outputTokens: null }, { maxEventChars: 50 })
    stream.push(new TextEncoder().encode(`data: ${'x'.repeat(60)}`), 5)
    expect(stream.isDecided).toBe(true)
    expect(stream.finish('clean', 9)).toMatchObject({ errorCode: 'malformed_event', endUs: 5 })
  })
})

describe('hostile events', () => {
  const leaf = fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.boolean())
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 5 }, leaf, fc.array(tie('value'), { maxLength: 3 }), tie('object')),
    object: fc.dictionary(
      fc.constantFrom(
        'choices',
        'index',
        'text',
        'delta',
        'content',
        'usage',
        'completion_tokens',
        'error',
        'finish_reason',
        'token_ids',
        'tool_calls',
        'function',
        'prompt_tokens_details',
        'code',
        'object',
      ),
      tie('value'),
      { maxKeys: 5 },
    ),
  }))
  test('of any form end in an answer', () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 5 }), fc.constantFrom('chat', 'completions'), (events, shape) => {
        const observed = answer(
          events.map((event) => `data: ${JSON.stringify(event)}\n\n`),
          { shape, continuousUsage: true },
        )
        expect(observed.gapsUs.length).toBe(Math.max(0, observed.chunks - 1))
        expect(observed.status === 'ok').toBe(observed.errorCode === null)
      }),
      { numRuns: 2000 },
    )
  })
  test('of an error nested too deep to be quoted', () => {
    const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`
    for (const data of [`{"error":${deep}}`, `{"error":{"error":${deep}}}`, `{"error":{"code":503,"x":${deep}}}`]) {
      expect(answer([text('a'), `data: ${data}\n\n`])).toMatchObject({ errorCode: 'in_stream_error', chunks: 1 })
    }
    expect(answer([`data: {"error":{"code":503,"x":${deep}}}\n\n`]).status).toBe('rejected')
  })
  test.each([2 ** 31, 2 ** 53 - 1])('of %d tokens: no count that a request can have', (count) => {
    const observed = answer([
      text('a', 'stop'),
      { choices: [], usage: { prompt_tokens: count, completion_tokens: count } },
      DONE,
    ])
    expect(observed).toMatchObject({ errorCode: 'usage_missing', inputTokens: null, outputTokens: null })
  })
  test('of random bytes too', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 30 })), (reads) => {
        const stream = new AnswerStream({ shape: 'chat', outputTokens: 1 })
        for (const bytes of reads) stream.push(bytes, 1)
        expect(stream.finish('clean', 2).status).not.toBe('ok')
      }),
    )
  })
})

describe('codes', () => {
  test('of the head', () => {
    const sse = 'text/event-stream; charset=utf-8'
    expect(headFailure(200, sse, undefined)).toBeNull()
    expect(headFailure(200, 'Text/Event-Stream', 'identity')).toBeNull()
    expect(headFailure(200, 'text/html', null)).toEqual({ status: 'error', errorCode: 'not_an_event_stream' })
    expect(headFailure(200, undefined, null)).toEqual({ status: 'error', errorCode: 'not_an_event_stream' })
    expect(headFailure(200, sse, 'gzip')).toEqual({ status: 'error', errorCode: 'unexpected_encoding' })
    expect([429, 503, 500, 302, 204].map((status) => headFailure(status, sse, null)?.status)).toEqual([
      'rejected',
      'rejected',
      'error',
      'error',
      'error',
    ])
  })

  test.each([
    ['ECONNREFUSED', 'connect_failed'],
    ['ECONNRESET', 'connection_reset'],
    ['UND_ERR_SOCKET', 'connection_reset'],
    [undefined, 'connection_reset'],
    ['ENOTFOUND', 'name_not_resolved'],
    ['EMFILE', 'client_resource'],
    ['EADDRNOTAVAIL', 'client_resource'],
    ['HPE_INVALID_CONSTANT', 'bad_http'],
    ['HPE_HEADER_OVERFLOW', 'headers_too_large'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls_failed'],
    ['CERT_HAS_EXPIRED', 'tls_failed'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls_failed'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls_failed'],
  ])('of the transport: %s is %s', (systemCode, errorCode) => {
    expect(transportErrorCode(systemCode)).toBe(errorCode)
  })

  test('that speak of the client blame the client alone', () => {
    const blamed = Object.entries(ERROR_CODES).filter(([, meaning]) => meaning.blames === 'client')
    expect(blamed.map(([code]) => code)).toEqual(['name_not_resolved', 'planned_cancellation', 'client_resource'])
  })
})
