import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { headFailure } from '../../../src/core/stream/answer-head.ts'
import type { Answer, AnswerExpectation, StreamEnd } from '../../../src/core/stream/answer-reader.ts'
import { AnswerStream } from '../../../src/core/stream/answer-stream.ts'
import { ERROR_CODES, transportErrorCode } from '../../../src/core/stream/error-codes.ts'
import type { ErrorCode } from '../../../src/core/stream/error-codes.ts'
import { DEFAULT_SSE_LIMITS } from '../../../src/core/stream/sse-reader.ts'
import { DONE, answer, ending, ids, text } from './spoken-answer.ts'
import type { Part } from './spoken-answer.ts'

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

  test('the ids of the prompt, which vLLM sends back in its first event, are not over the limit however many they are', () => {
    const ids = Array.from({ length: 200_000 }, (_, index) => 100_000 + index)
    const first = { index: 0, text: 'a', finish_reason: 'length', prompt_token_ids: ids, token_ids: [7] }
    const body = new TextEncoder().encode(`data: ${JSON.stringify({ choices: [first] })}\n\ndata: [DONE]\n\n`)
    expect(body.length).toBeGreaterThan(DEFAULT_SSE_LIMITS.maxEventChars)
    const read = (inputTokens: number) => {
      const stream = new AnswerStream({ shape: 'completions', outputTokens: 1, inputTokens })
      stream.push(body, 5)
      return stream.finish('clean', 9)
    }
    expect(read(200_000)).toMatchObject({ status: 'ok', outputTokens: 1 })
    expect(read(8)).toMatchObject({ status: 'error', errorCode: 'malformed_event' })
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
