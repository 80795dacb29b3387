import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { referenceRecord } from './reference.ts'
import { difference, readInParts, type Splittable } from './split-check.ts'

const anyText = fc.oneof(
  fc.constantFrom('', 'a', ' the', '中文', 'é', '🦀🦀', '\u{2028}', '"\\\n', '[DONE]', 'data: x\n\n', '\u{feff}'),
  fc.string({ unit: 'binary', maxLength: 12 }),
)
const maybe = <Value>(value: fc.Arbitrary<Value>, empty: null | undefined = undefined) =>
  fc.oneof(fc.constant(empty), value)

const anyUsage = fc.record({
  prompt_tokens: fc.nat(5000),
  completion_tokens: maybe(fc.nat(40)),
  prompt_tokens_details: fc.constantFrom(undefined, null, {}, { cached_tokens: 16 }, { cached_tokens: null }),
})

const anyToolCall = fc.record({
  index: fc.nat(2),
  function: fc.record({ name: maybe(anyText, null), arguments: maybe(anyText) }),
})
const anyDelta = fc.oneof(
  fc.record({ role: fc.constant('assistant'), content: fc.constantFrom('', null) }),
  fc.record({ content: anyText, reasoning_content: maybe(anyText, null) }, { requiredKeys: [] }),
  fc.record({ reasoning: anyText }),
  fc.record({ refusal: anyText }),
  fc.record({ content: fc.constant(null), tool_calls: fc.array(anyToolCall, { maxLength: 3 }) }),
)
const anyChoice = fc.record(
  {
    index: fc.nat(2),
    text: anyText,
    delta: anyDelta,
    finish_reason: fc.constantFrom(null, null, null, undefined, '', 'stop', 'length', 'tool_calls', 'abort', 'timeout'),
    token_ids: fc.constantFrom(undefined, null, [], [7], [8, 9, 10]),
    logprobs: fc.constant(null),
  },
  { requiredKeys: ['text', 'delta'] },
)
const anyChunk = fc.record(
  {
    id: fc.string({ maxLength: 8 }),
    object: fc.constantFrom('text_completion', 'chat.completion.chunk'),
    choices: fc.oneof(
      { weight: 6, arbitrary: fc.tuple(anyChoice) },
      fc.array(anyChoice, { maxLength: 3 }),
      fc.constant([]),
    ),
    usage: maybe(anyUsage, null),
    sglext: fc.constant({ cached_tokens_details: { device: 1 } }),
    error: fc.constantFrom(null, undefined),
  },
  { requiredKeys: ['choices'] },
)
const anyError = fc.oneof(
  fc.record({ error: fc.record({ message: anyText, code: fc.constantFrom(500, 503, '429', null) }) }),
  fc.record({ object: fc.constant('error'), message: anyText, code: fc.constantFrom(400, 503) }),
)

/** The lines of one event, or of something between events, without their ends. */
const anyLines = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.tuple(anyChunk, fc.boolean(), fc.boolean()).map(([chunk, isPretty, hasSpace]) =>
      JSON.stringify(chunk, null, isPretty ? 1 : 0)
        .split('\n')
        .map((line) => `data:${hasSpace ? ' ' : ''}${line}`),
    ),
  },
  { weight: 2, arbitrary: anyError.map((error) => [`data: ${JSON.stringify(error)}`]) },
  { weight: 1, arbitrary: anyError.map((error) => ['event: error', `data: ${JSON.stringify(error)}`]) },
  { weight: 1, arbitrary: anyError.map((error) => [`error: ${JSON.stringify(error)}`]) },
  { weight: 1, arbitrary: fc.constant(['event: error', ': worker gone']) },
  { weight: 4, arbitrary: fc.constantFrom('data', 'data:', 'data: null', 'data:  ').map((line) => [line]) },
  {
    weight: 4,
    arbitrary: fc.constantFrom([], [''], [':'], [': ping - 2026'], ['retry: 10', 'id: 4'], ['odd', 'x: y']),
  },
  { weight: 2, arbitrary: fc.constant(['event: request_id', ': "7d0c"']) },
  { weight: 2, arbitrary: fc.constant(['event: note', 'data: no json']) },
  { weight: 2, arbitrary: fc.constantFrom(['data: [DONE]'], ['data:[DONE] '], ['event: message', 'data: [DONE]']) },
)

const anyStream: fc.Arbitrary<Splittable> = fc
  .record({
    events: fc.array(anyLines, { maxLength: 12 }),
    end: fc.constantFrom([], ['data: [DONE]', ''], ['data: [DONE]']),
    lineEnds: fc.infiniteStream(fc.constantFrom('\n', '\n', '\n', '\r\n', '\r')),
    hasMark: fc.boolean(),
    lost: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.nat(60)),
    isWhole: fc.boolean(),
    shape: fc.constantFrom('completions' as const, 'chat' as const),
    outputTokens: fc.constantFrom(null, 3, 7),
    choices: fc.constantFrom(1, 1, 2),
    continuousUsage: fc.boolean(),
  })
  .map(({ events, end, lineEnds, hasMark, lost, isWhole, ...asked }) => {
    const lines = [...events.flatMap((event) => [...event, '']), ...end]
    const text = lines.map((line) => line + (lineEnds.next().value ?? '\n')).join('')
    const bytes = Buffer.from((hasMark ? '\u{feff}' : '') + text)
    const expectation = { ...asked, keepTokenIds: true }
    return { body: bytes.subarray(0, Math.max(0, bytes.length - lost)), isWhole, expectation }
  })

/** Ascending offsets in a body of that length. */
const cutsIn = (length: number, drawn: readonly number[]): number[] =>
  drawn.map((cut) => cut % (length + 1)).sort((a, b) => a - b)

describe('any legal stream', () => {
  test('gives one record, however its bytes are split', () => {
    fc.assert(
      fc.property(anyStream, fc.array(fc.nat(), { maxLength: 12 }), (stream, drawn) => {
        const record = referenceRecord(stream.body, stream.isWhole, stream.expectation)
        const cuts = cutsIn(stream.body.length, drawn)
        expect(difference(readInParts(stream, []), record, [])).toBeNull()
        expect(difference(readInParts(stream, cuts), record, cuts)).toBeNull()
      }),
      { numRuns: 1500 },
    )
  })

  test('gives it byte by byte, and at each place between two bytes', () => {
    fc.assert(
      fc.property(anyStream, (stream) => {
        const record = referenceRecord(stream.body, stream.isWhole, stream.expectation)
        const places = Array.from({ length: Math.max(0, stream.body.length - 1) }, (_, at) => at + 1)
        expect(difference(readInParts(stream, places), record, places)).toBeNull()
        const found = places.map((cut) => difference(readInParts(stream, [cut]), record, [cut]))
        expect(found.filter((one) => one !== null)).toEqual([])
      }),
      { numRuns: 40 },
    )
  })

  test('is among them whole, broken and refused', () => {
    const seen = new Map<string, number>()
    for (const stream of fc.sample(anyStream, { numRuns: 1500, seed: 7 })) {
      const { errorCode } = referenceRecord(stream.body, stream.isWhole, stream.expectation)
      seen.set(errorCode ?? 'ok', (seen.get(errorCode ?? 'ok') ?? 0) + 1)
    }
    const codes = ['ok', 'in_stream_error', 'engine_abort', 'cut_body', 'done_without_finish', 'end_without_finish']
    expect(codes.map((code) => [code, (seen.get(code) ?? 0) > 0])).toEqual(codes.map((code) => [code, true]))
  })
})
