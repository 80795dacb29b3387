import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus'
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator'
import { sha256Hex } from '../kernel/hash.ts'

export type { RandomGenerator }

/**
 * A stream of random integers of its own for each purpose: xoroshiro128+, its 128 bits of state taken from the SHA-256 of the label.
 * Purposes that share no stream cannot shift one another: that is what keeps a schedule's earlier rows when it is extended.
 */
export function randomStream(label: string): RandomGenerator {
  const digest = sha256Hex(label)
  const word = (index: number) => Number.parseInt(digest.slice(index * 8, index * 8 + 8), 16) | 0
  return xoroshiro128plusFromState([word(0), word(1), word(2), word(3)])
}

/** Fisher–Yates, in place, unbiased. */
export function shuffle<T>(items: T[], random: RandomGenerator): T[] {
  for (let last = items.length - 1; last > 0; last--) {
    const other = uniformInt(random, 0, last)
    const moved = items[last] as T
    items[last] = items[other] as T
    items[other] = moved
  }
  return items
}
