import { describe, expect, test } from 'vitest'
import type { Answer, AnswerExpectation } from '../../../src/core/stream/answer-reader.ts'
import { answer, text, delta, usage, ending, DONE, chat, ids } from './spoken-answer.ts'
import type { Part } from './spoken-answer.ts'

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
      outputIds: null,
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
