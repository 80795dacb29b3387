import type { WorkloadClass } from './schema.ts'

type Lengths = Pick<WorkloadClass, 'input_tokens' | 'output_tokens' | 'session'>

/** The whole prompt of a session's turn (from 0): what each turn adds, and the replies between. Of a class without sessions its own. */
export function promptTokensOfTurn({ input_tokens, output_tokens }: Omit<Lengths, 'session'>, turn: number): number {
  return (turn + 1) * input_tokens + turn * output_tokens
}

/**
 * Over one whole session (of a class without, over one request): the prompts' tokens in all, and how many of them its turns repeat, which
 * an engine with a prefix cache need not compute again.
 */
export function sessionTokens(shape: Lengths): { inputTokens: number; repeatedTokens: number; requests: number } {
  const turns = shape.session?.turns ?? 1
  const reply = shape.session?.history === 'live' ? shape.output_tokens - 1 : 0
  let inputTokens = 0
  let repeatedTokens = 0
  for (let turn = 0; turn < turns; turn++) {
    inputTokens += promptTokensOfTurn(shape, turn)
    if (turn > 0) repeatedTokens += promptTokensOfTurn(shape, turn - 1) + reply
  }
  return { inputTokens, repeatedTokens, requests: turns }
}
