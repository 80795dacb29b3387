import type { RandomGenerator } from '../schedule/random.ts'
import { randomStream, shuffle } from '../schedule/random.ts'

/** Values on either side of a split at least; twice as many make a segment that can be split. */
export const SEGMENT_MIN = 5
/** The chance at most, for values in any order, of a split as wide as the one found. */
export const SIGNIFICANCE = 0.01
const PERMUTATIONS = 199

/** The first value after a change, and the test's p: (1 + permutations with as wide a split) ÷ (1 + permutations). */
export interface Split {
  index: number
  p: number
}

interface Segment {
  start: number
  values: readonly number[]
  best: Best
}

interface Best {
  at: number
  statistic: number
}

/**
 * E-divisive (Matteson & James, JASA 109, 2014) with α = 1: splits the values where the energy distance of what lies before and after is the
 * greatest, again and again, until a permutation test within the segments no longer tells the widest split from chance. The
 * permutations come from a fixed seed: equal values give equal splits.
 */
export function eDivisive(values: readonly number[]): Split[] {
  const random = randomStream('change-points')
  const segments: Segment[] = [segmentOf(0, values)]
  const splits: Split[] = []
  for (;;) {
    const widest = segments.reduce((one, other) => (other.best.statistic > one.best.statistic ? other : one))
    const p = widest.best.statistic > 0 ? permutationP(segments, widest.best.statistic, random) : 1
    if (p > SIGNIFICANCE) return splits.toSorted((one, other) => one.index - other.index)
    const { start, best } = widest
    splits.push({ index: start + best.at, p })
    segments.splice(
      segments.indexOf(widest),
      1,
      segmentOf(start, widest.values.slice(0, best.at)),
      segmentOf(start + best.at, widest.values.slice(best.at)),
    )
  }
}

function segmentOf(start: number, values: readonly number[]): Segment {
  return { start, values, best: widestSplit(values) }
}

/** Stops as soon as the test cannot be passed any more: the rest would change nothing but the digits of a p that is too high. */
function permutationP(segments: readonly Segment[], found: number, random: RandomGenerator): number {
  let asWide = 0
  for (let done = 0; done < PERMUTATIONS; done += 1) {
    const widest = segments.map(({ values }) => widestSplit(shuffle([...values], random)).statistic)
    if (widest.some((statistic) => statistic >= found)) asWide += 1
    if ((1 + asWide) / (1 + PERMUTATIONS) > SIGNIFICANCE) break
  }
  return (1 + asWide) / (1 + PERMUTATIONS)
}

/**
 * The split at τ, and the end κ of what is compared with it, of the greatest mn/(m+n) · Ê over m = τ and n = κ − τ (equations 5 and 7).
 * Ê = 2/(mn) Σ|x−y| − Σ|x−x′| / C(m,2) − Σ|y−y′| / C(n,2), each sum from cumulative sums of the distances.
 */
function widestSplit(values: readonly number[]): Best {
  const size = values.length
  const best: Best = { at: 0, statistic: 0 }
  if (size < 2 * SEGMENT_MIN) return best
  const sums = distanceSums(values)
  for (let at = SEGMENT_MIN; at <= size - SEGMENT_MIN; at += 1) {
    const before = sums.upTo(at, at)
    for (let end = at + SEGMENT_MIN; end <= size; end += 1) {
      const reach = sums.upTo(at, end)
      const [m, n] = [at, end - at]
      const across = (2 * (reach - before)) / (m * n)
      const within = before / (m * (m - 1)) + (sums.upTo(end, end) - 2 * reach + before) / (n * (n - 1))
      const statistic = ((m * n) / (m + n)) * (across - within)
      if (statistic > best.statistic) Object.assign(best, { at, statistic })
    }
  }
  return best
}

/** Sums of |a − b| over the first i values against the first j, ordered pairs. */
function distanceSums(values: readonly number[]): { upTo(i: number, j: number): number } {
  const width = values.length + 1
  const sums = new Float64Array(width * width)
  for (let row = 1; row < width; row += 1) {
    const a = values[row - 1] as number
    let ofRow = 0
    for (let column = 1; column < width; column += 1) {
      ofRow += Math.abs(a - (values[column - 1] as number))
      sums[row * width + column] = (sums[(row - 1) * width + column] as number) + ofRow
    }
  }
  return { upTo: (i, j) => sums[i * width + j] as number }
}
