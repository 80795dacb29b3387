import { describe, expect, test } from 'vitest'
import { type Answer, type AnswerExpectation, AnswerReader } from '../../../src/core/stream/answer-reader.ts'
import { AnswerStream } from '../../../src/core/stream/answer-stream.ts'
import { answersOf } from './recorded.ts'
import { storedExpectations } from './expected.ts'
import { chat, delta, DONE, ending, type Part, text, usage } from './spoken-answer.ts'

// What other load generators were caught at, each in its smallest form: a reader that falls for it gives another record.

/** An answer whose parts come at these milliseconds; its record in milliseconds. */
function timed(parts: [atMs: number, part: Part][], expected: Partial<AnswerExpectation> = {}): Answer {
  const stream = new AnswerStream({ shape: 'completions', outputTokens: null, ...expected })
  for (const [atMs, part] of parts) {
    const bytes = typeof part === 'string' ? part : `data: ${JSON.stringify(part)}\n\n`
    stream.push(new TextEncoder().encode(bytes), atMs * 1000)
  }
  return stream.finish('clean', ((parts.at(-1)?.[0] ?? 0) + 1) * 1000)
}

const role = delta({ role: 'assistant', content: '' })

describe('the first token', () => {
  test('a role chunk is not it, however long before it comes', () => {
    const seen = timed(
      [
        [0, role],
        [200, delta({ content: 'Hi' }, 'stop')],
        [201, ending(1)],
        [202, DONE],
      ],
      chat,
    )
    expect(seen).toMatchObject({ status: 'ok', firstTokenUs: 200_000, firstContentUs: 200_000, chunks: 1, gapsUs: [] })
  })

  test('an early chunk of a long prefill leaves no gap behind', () => {
    const parts: [number, Part][] = [
      [5, role],
      [1300, delta({ content: 'a' })],
      [1310, delta({ content: 'b' }, 'stop')],
    ]
    expect(timed([...parts, [1311, ending(2)]], chat)).toMatchObject({ firstTokenUs: 1_300_000, gapsUs: [10_000] })
  })

  test.each(['reasoning_content', 'reasoning'])('text under %s is one, before any content', (name) => {
    const parts: [number, Part][] = [
      [10, role],
      [20, delta({ [name]: 'Hm' })],
      [90, delta({ content: 'Yes' }, 'stop')],
    ]
    const seen = timed([...parts, [91, ending(2)], [92, DONE]], chat)
    expect(seen).toMatchObject({ status: 'ok', firstTokenUs: 20_000, firstContentUs: 20_000, gapsUs: [70_000] })
  })

  test('reasoning alone is an answer', () => {
    const parts: [number, Part][] = [
      [10, role],
      [20, delta({ reasoning_content: 'Hm' }, 'length')],
      [21, ending(1)],
    ]
    expect(timed(parts, chat)).toMatchObject({ status: 'ok', chunks: 1, outputTokens: 1 })
  })

  test('an answer without any token has none: it fails, and no time is zero', () => {
    const seen = timed([[1, DONE]], chat)
    expect(seen).toMatchObject({ status: 'error', errorCode: 'done_without_finish', firstTokenUs: null })
    const empty = timed(
      [
        [1, delta({ content: '' }, 'stop')],
        [2, ending(0)],
        [3, DONE],
      ],
      chat,
    )
    expect(empty).toMatchObject({ status: 'error', errorCode: 'no_token', firstTokenUs: null, lastTokenUs: null })
  })
})

describe('an error inside a 200', () => {
  const failure = { error: { message: 'engine died', code: 500 } }

  test('after tokens is an error, [DONE] or not', () => {
    const parts: [number, Part][] = [
      [10, text('a')],
      [20, text('b')],
      [30, failure],
      [31, DONE],
    ]
    expect(timed(parts)).toMatchObject({ status: 'error', errorCode: 'in_stream_error', chunks: 2, outputTokens: null })
  })

  test('as the only event is an error', () => {
    expect(
      timed([
        [10, failure],
        [11, DONE],
      ]),
    ).toMatchObject({ status: 'error', errorCode: 'in_stream_error' })
  })

  test('before any token is not credited with what was asked for', () => {
    const seen = timed(
      [
        [10, failure],
        [11, ending(512)],
        [12, DONE],
      ],
      { outputTokens: 512 },
    )
    expect(seen).toMatchObject({ status: 'error', outputTokens: null, chunks: 0, firstTokenUs: null })
  })
})

describe('output tokens', () => {
  test('without usage or ids are unknown, never the number asked for nor that of the chunks', () => {
    const parts: [number, Part][] = [1, 2, 3, 4].map((at) => [at, text('x')])
    const seen = timed([...parts, [5, text('x', 'stop')], [6, DONE]], { outputTokens: 100 })
    expect(seen).toMatchObject({ status: 'error', errorCode: 'usage_missing', outputTokens: null, chunks: 5 })
  })

  test('are the engine’s count, not that of the chunks', () => {
    const seen = timed([
      [1, text('a b c')],
      [2, text('d e')],
      [3, text('f g h i', 'length')],
      [4, ending(9)],
    ])
    expect(seen).toMatchObject({ outputTokens: 9, chunks: 3, tokensPerChunk: [0, 0, 0] })
  })

  test('of a first chunk that holds several are told apart from those of the rest', () => {
    const parts: [number, Part][] = [
      [10, { ...text('a'), ...usage(8) }],
      [20, { ...text('b', 'length'), ...usage(9) }],
    ]
    const seen = timed([...parts, [21, ending(9)]], { continuousUsage: true })
    expect(seen).toMatchObject({ tokensPerChunk: [8, 1], gapsUs: [10_000], outputTokens: 9 })
  })

  test('are what the engine says, where the text would make another number', () => {
    const seen = timed(
      [
        [1, text('one word each', 'length')],
        [2, ending(300)],
      ],
      { outputTokens: 300 },
    )
    expect(seen).toMatchObject({ status: 'ok', outputTokens: 300 })
  })

  test('input tokens too: a chat template’s are the engine’s to count', () => {
    expect(
      timed(
        [
          [1, delta({ content: 'a' }, 'stop')],
          [2, ending(1)],
        ],
        chat,
      ).inputTokens,
    ).toBe(9)
  })
})

describe('gaps', () => {
  test('begin after the first token: two chunks have one', () => {
    expect(
      timed([
        [200, text('a')],
        [210, text('b', 'stop')],
        [211, ending(2)],
      ]).gapsUs,
    ).toEqual([10_000])
  })

  test('are of chunks, and say so: forty tokens come in one gap', () => {
    const answer = answersOf('tensorrt-llm/unseen').find(({ name }) => name === 'comp_forty_tokens_a_chunk')!
    const stream = new AnswerStream(answer.expectation)
    answer.body
      .toString()
      .split(/(?<=\n\n)/)
      .forEach((event, index) => stream.push(Buffer.from(event), index * 400_000))
    const seen = stream.finish('clean', 2_400_000)
    expect(seen).toMatchObject({ status: 'ok', tokensPerChunk: [1, 40, 40, 40], gapsUs: [400_000, 400_000, 400_000] })
  })

  test('of chunks in one read are none long, and none is lost', () => {
    const both = `data: ${JSON.stringify(text('a'))}\n\ndata: ${JSON.stringify(text('b'))}\n\n`
    expect(
      timed([
        [10, both],
        [30, text('c', 'stop')],
        [31, ending(3)],
      ]).gapsUs,
    ).toEqual([0, 20_000])
  })
})

describe('bytes', () => {
  test('a character whose bytes come in two reads', () => {
    const bytes = new TextEncoder().encode(`data: ${JSON.stringify(text('中', 'stop'))}\n\n`)
    const at = bytes.indexOf(0xe4) + 1
    const stream = new AnswerStream({ shape: 'completions', outputTokens: null })
    stream.push(bytes.subarray(0, at), 1000)
    stream.push(bytes.subarray(at), 2000)
    stream.push(new TextEncoder().encode(`data: ${JSON.stringify(ending(1))}\n\n`), 3000)
    expect(stream.finish('clean', 4000)).toMatchObject({ status: 'ok', firstTokenUs: 2000, chunks: 1 })
  })

  test('a first chunk with a long prompt’s ids, in reads of 64 KiB', () => {
    const prompt = Array.from({ length: 50_000 }, (_, id) => id)
    const first = Buffer.from(`data: ${JSON.stringify({ ...text('a'), prompt_token_ids: prompt })}\n\n`)
    const stream = new AnswerStream({ shape: 'completions', outputTokens: 2, keepTokenIds: true })
    for (let from = 0; from < first.length; from += 65_536) stream.push(first.subarray(from, from + 65_536), from)
    stream.push(Buffer.from(`data: ${JSON.stringify(text('b', 'length', { token_ids: [4, 5] }))}\n\n${DONE}`), 1e6)
    const seen = stream.finish('clean', 2e6)
    expect(seen).toMatchObject({ status: 'ok', chunks: 2, firstTokenUs: 262_144, outputIds: [4, 5] })
  })
})

test('an answer without end is given up after a million chunks, whatever it says then', () => {
  const reader = new AnswerReader({ shape: 'completions', outputTokens: null })
  const chunk = JSON.stringify({ choices: [{ text: 'a' }] })
  for (let sent = 0; sent < 1_048_576; sent++) reader.observe(chunk, '', sent)
  expect(reader.isDecided).toBe(false)
  reader.observe(chunk, '', 2_000_000)
  reader.observe('[DONE]', '', 3_000_000)
  const seen = { status: 'error', errorCode: 'wrong_length', chunks: 1_048_576, endUs: 2_000_000 }
  expect(reader.finish('clean', 4_000_000)).toMatchObject(seen)
})

test('a usage chunk without choices ends nothing and breaks nothing, in every engine that sends one', () => {
  const withUsage = ['vllm/default', 'llm-d-sim/default', 'sglang/unseen', 'tensorrt-llm/unseen', 'dynamo/unseen']
  const okay = withUsage.map((situation) =>
    [...storedExpectations(situation).streams.values()].filter((seen) => seen.status === 'ok' && seen.usageSeen),
  )
  expect(okay.every((seen) => seen.length > 0)).toBe(true)
})
