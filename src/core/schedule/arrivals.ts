import { uniformInt } from 'pure-rand/distribution/uniformInt'
import type { RandomGenerator } from './random.ts'

/** One request a second on average, in microseconds. */
export const MEAN_GAP_US = 1_000_000

/**
 * One exponential gap of mean 1,000,000 µs in whole microseconds, by comparing integers only (von Neumann 1951, Forsythe 1972).
 *
 * Draw u₁ from 0 … M−1, then further ones for as long as each is smaller than the one before. Given u₁ = j the chance of a
 * descent of at least i more is C(j, i)/Mⁱ, so the descent's length is odd with chance Σ(−1)ⁱ·C(j, i)/Mⁱ = (1−1/M)ʲ. Odd ends the
 * draw, even adds M and starts again: M·k + j comes with chance (1−1/M)^(M·k+j)/M, which is exactly the geometric law of
 * parameter 1/M: the exponential's own on a grid of microseconds, memoryless and without rounding. Plus one, its mean is M.
 */
export function exponentialGapUs(random: RandomGenerator): number {
  for (let whole = 0; ; whole += MEAN_GAP_US) {
    const first = uniformInt(random, 0, MEAN_GAP_US - 1)
    let isOdd = true
    let least = first
    for (;;) {
      const next = uniformInt(random, 0, MEAN_GAP_US - 1)
      if (next >= least) break
      least = next
      isOdd = !isOdd
    }
    if (isOdd) return whole + first + 1
  }
}
