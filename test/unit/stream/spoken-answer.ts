import type { Answer, AnswerExpectation, StreamEnd } from '../../../src/core/stream/answer-reader.ts'
import { AnswerStream } from '../../../src/core/stream/answer-stream.ts'

export type Part = string | object

/** An answer whose events come one each 10 µs; strings are raw stream text. */
export function answer(parts: Part[], expected: Partial<AnswerExpectation> = {}, end: StreamEnd = 'clean'): Answer {
  const stream = new AnswerStream({ shape: 'completions', outputTokens: null, ...expected })
  parts.forEach((part, index) => {
    const text = typeof part === 'string' ? part : `data: ${JSON.stringify(part)}\n\n`
    stream.push(new TextEncoder().encode(text), (index + 1) * 10)
  })
  return stream.finish(end, (parts.length + 1) * 10)
}

export const text = (value: string, finish: string | null = null, more: object = {}) => ({
  choices: [{ index: 0, text: value, finish_reason: finish, ...more }],
})
export const delta = (value: object, finish: string | null = null, more: object = {}) => ({
  choices: [{ index: 0, delta: value, finish_reason: finish, ...more }],
})
export const usage = (completion: number, cached?: number) => ({
  usage: {
    prompt_tokens: 9,
    completion_tokens: completion,
    prompt_tokens_details: cached === undefined ? null : { cached_tokens: cached },
  },
})
export const ending = (completion: number, cached?: number) => ({ choices: [], ...usage(completion, cached) })
export const DONE = 'data: [DONE]\n\n'
export const chat = { shape: 'chat' } as const
export const ids = (...token_ids: number[]) => ({ token_ids })
