import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { GateError, EXIT } from '../kernel/errors.ts'
import type { RandomGenerator } from './random.ts'
import type { SchedulePrefix } from './schedule.ts'

/** The weight of the most popular prefix under Zipf's law. */
const TOP_WEIGHT = 100_000_000n

/** Zipf exponents are exact to this many parts: two decimals. */
const EXPONENT_PARTS = 100

/** Exact power of integers. */
function power(base: bigint, exponent: number): bigint {
  let result = 1n
  for (let square = base, left = exponent; left > 0; left = Math.floor(left / 2), square *= square) {
    if (left % 2 === 1) result *= square
  }
  return result
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b)
}

/** The exponent as a fraction of integers, e.g. 0.75 → 3/4. */
function fraction(exponent: number): { over: number; under: number } {
  const parts = Math.round(exponent * EXPONENT_PARTS)
  if (!(exponent >= 0 && exponent <= 10) || Math.abs(exponent * EXPONENT_PARTS - parts) > 1e-9) {
    throw new GateError({
      code: 'zipf_exponent',
      message: `cache.warm.exponent ${exponent} is not between 0 and 10 with at most two decimals`,
      hint: 'write it with two decimals, such as 1.0 or 0.99: only those give the same bytes on every machine',
      exitCode: EXIT.invalid,
    })
  }
  const divisor = greatestCommonDivisor(parts, EXPONENT_PARTS)
  return { over: parts / divisor, under: EXPONENT_PARTS / divisor }
}

/**
 * Zipf's law as integer weights, without a floating power: the weight of rank k is the largest integer w with w ≤ W·k^(−p/q), found
 * by comparing w^q·k^p with W^q. At least 1, so that every prefix can be drawn.
 *
 * @throws GateError `zipf_exponent` unless the exponent lies in 0 … 10 with at most two decimals.
 */
export function zipfWeights(count: number, exponent: number): number[] {
  const { over, under } = fraction(exponent)
  const top = power(TOP_WEIGHT, under)
  const weights: number[] = []
  let previous = TOP_WEIGHT
  for (let rank = 1; rank <= count; rank++) {
    const share = top / power(BigInt(rank), over)
    let low = 1n
    let high = previous
    while (low < high) {
      const middle = (low + high + 1n) / 2n
      if (power(middle, under) <= share) low = middle
      else high = middle - 1n
    }
    previous = low
    weights.push(Number(low))
  }
  return weights
}

/** Draws prefix ids by their weights. */
export function prefixDrawer(prefixes: readonly SchedulePrefix[], random: RandomGenerator): () => string | undefined {
  let total = 0
  const upTo = prefixes.map((prefix) => (total += prefix.weight))
  return () => {
    if (total === 0) return undefined
    const drawn = uniformInt(random, 0, total - 1)
    let low = 0
    let high = upTo.length - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if ((upTo[middle] ?? 0) > drawn) high = middle
      else low = middle + 1
    }
    return prefixes[low]?.id
  }
}
