import { type RandomGenerator, shuffle } from './random.ts'
import type { SessionShape } from './sessions.ts'

/** A class's request shape, and its share as an integer weight. */
export interface ClassShape {
  name: string
  inputTokens: number
  outputTokens: number
  weight: number
  /** Where its requests are turns of sessions: its tokens are then those of each turn. */
  session?: SessionShape
  /** Where prompts are made of a dataset: the texts that it may take. */
  texts?: readonly number[]
}

/**
 * Splits `total` by integer weights so that the parts sum to it exactly: largest remainder (Hamilton), the earlier one on a tie.
 * Weights that sum to `total` come back as they are.
 */
export function largestRemainder(weights: readonly number[], total: number): number[] {
  const sum = weights.reduce((left, right) => left + BigInt(right), 0n)
  if (sum === 0n) return weights.map(() => 0)
  const exact = weights.map((weight) => BigInt(weight) * BigInt(total))
  const parts = exact.map((product) => Number(product / sum))
  const missing = total - parts.reduce((left, right) => left + right, 0)
  const byRemainder = exact
    .map((product, index) => ({ remainder: product % sum, index }))
    .sort((a, b) => (a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1))
  for (const { index } of byRemainder.slice(0, missing)) parts[index] = (parts[index] ?? 0) + 1
  return parts
}

/** `total` requests in exactly the mix's proportions, shuffled. */
export function shuffledMix(classes: readonly ClassShape[], total: number, random: RandomGenerator): ClassShape[] {
  const counts = largestRemainder(
    classes.map((shape) => shape.weight),
    total,
  )
  return shuffle(
    classes.flatMap((shape, index) => Array.from({ length: counts[index] ?? 0 }, () => shape)),
    random,
  )
}
