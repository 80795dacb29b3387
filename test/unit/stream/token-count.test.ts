import { describe, expect, test } from 'vitest'
import type { AnswerExpectation } from '../../../src/core/stream/answer-reader.ts'
import { AnswerStream } from '../../../src/core/stream/answer-stream.ts'
import { answer, chat, delta, DONE, ending, ids, type Part, text, usage } from './spoken-answer.ts'

/** `tokens` after each of the parts. */
function tokensAfter(parts: Part[], expected: Partial<AnswerExpectation>): number[] {
  const stream = new AnswerStream({ shape: 'completions', outputTokens: null, ...expected })
  return parts.map((part, index) => {
    const text = typeof part === 'string' ? part : `data: ${JSON.stringify(part)}\n\n`
    stream.push(new TextEncoder().encode(text), index)
    return stream.tokens
  })
}

describe('tokens so far', () => {
  const continuous = { continuousUsage: true }
  test.each<[string, Part[], Partial<AnswerExpectation>, number[]]>([
    ['nothing yet', [': ping\n\n', 'data: null\n\n'], {}, [0, 0]],
    ['by chunks where nothing else tells', [text('a'), text(''), text('b', 'stop'), ending(7)], {}, [1, 1, 2, 2]],
    ['by ids, whatever the chunks', [text('a', null, ids(1, 2)), text('', null, ids(3)), text('b')], {}, [2, 3, 3]],
    [
      'by ids rather than by usage',
      [
        { ...text('a', null, ids(1, 2)), ...usage(2) },
        { ...text('', null, ids(3)), ...usage(9) },
      ],
      continuous,
      [2, 3],
    ],
    [
      'by continuous usage',
      [{ ...text(''), ...usage(0) }, { ...text('a'), ...usage(1) }, { ...text('bcd'), ...usage(4) }, ending(4)],
      continuous,
      [0, 1, 4, 4],
    ],
    [
      'by continuous usage of every choice',
      [
        { choices: [{ index: 0, text: 'a' }], ...usage(2) },
        { choices: [{ index: 1, text: 'b' }], ...usage(3) },
        { choices: [{ index: 0, text: 'c' }], ...usage(5) },
      ],
      continuous,
      [2, 5, 8],
    ],
    [
      'by usage that rises unasked',
      [
        { ...text('a'), ...usage(1) },
        { ...text('b'), ...usage(3) },
      ],
      {},
      [1, 3],
    ],
    ['by chunks where usage comes once, late', [text('a'), { ...text('b', 'stop'), ...usage(9) }], continuous, [1, 2]],
    [
      'never fewer than usage once told',
      [{ ...text('a'), ...usage(4) }, text('b'), { ...text('c'), ...usage(9) }],
      continuous,
      [4, 4, 4],
    ],
    ['not by a role chunk', [delta({ role: 'assistant', content: '' }), delta({ content: 'a' })], chat, [0, 1]],
  ])('%s', (_name, parts, expected, tokens) => {
    expect(tokensAfter(parts, expected)).toEqual(tokens)
  })
})

describe('output ids', () => {
  const parts = [text('a', null, ids(5, 6)), text(''), text('b', 'length', ids(7)), DONE]

  test('are kept in order on request', () => {
    expect(answer(parts, { keepTokenIds: true }).outputIds).toEqual([5, 6, 7])
    expect(answer(parts, {}).outputIds).toBeNull()
    expect(answer(parts, { keepTokenIds: false }).outputIds).toBeNull()
  })

  test('are null where the engine sent none', () => {
    expect(answer([text('a', 'stop', ids()), ending(1), DONE], { keepTokenIds: true }).outputIds).toBeNull()
    expect(
      answer([text('a', 'stop', { token_ids: null }), ending(1), DONE], { keepTokenIds: true }).outputIds,
    ).toBeNull()
  })

  test('keep the place of one that is no id', () => {
    const odd = text('a', 'stop', { token_ids: [1, -5, 'x', null, 2.5, 2 ** 40, 2] })
    expect(answer([odd, DONE], { keepTokenIds: true }).outputIds).toEqual([1, -1, -1, -1, -1, -1, 2])
  })

  test('end with the answer: what follows an error is not kept', () => {
    const failed = answer([parts[0]!, { error: { code: 500 } }, parts[2]!, DONE], { keepTokenIds: true })
    expect(failed.outputIds).toEqual([5, 6])
  })
})
