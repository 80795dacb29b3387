import type { Distribution } from './report.ts'

/** Below this many values no P99 is reported: about 100 of 10,000 lie beyond it. */
export const P99_MIN_VALUES = 10_000

/**
 * The nearest-rank percentile of values in ascending order: the value at rank ⌈p · n⌉, in the same floating-point steps as the
 * reference's. Null where there is none.
 */
export function nearestRank(ascending: ArrayLike<number>, probability: number): number | null {
  return ascending[Math.max(0, Math.ceil(probability * ascending.length) - 1)] ?? null
}

/** The percentiles of values, which are sorted in place. */
export function distributionOf(values: Float64Array): Distribution {
  values.sort()
  return {
    n: values.length,
    p50: nearestRank(values, 0.5),
    p90: nearestRank(values, 0.9),
    p95: nearestRank(values, 0.95),
    p99: values.length >= P99_MIN_VALUES ? nearestRank(values, 0.99) : null,
  }
}
