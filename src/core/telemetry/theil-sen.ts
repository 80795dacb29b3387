/** Beyond this many values neighbours are averaged first: the slope takes the median of all pairs. */
const MOST_VALUES = 200

/**
 * The Theil–Sen slope of evenly spaced values: the median of the slopes of all pairs, in units a step. Up to 29 % of the values may be
 * anything without moving it far. NaN stands for a missing value. Null where fewer than two are there.
 */
export function theilSenSlope(values: readonly number[]): number | null {
  const stride = Math.ceil(values.length / MOST_VALUES)
  const thinned = stride > 1 ? averaged(values, stride) : values
  const slopes = new Float64Array((thinned.length * (thinned.length - 1)) / 2)
  let count = 0
  for (let later = 1; later < thinned.length; later += 1) {
    const end = thinned[later] as number
    if (Number.isNaN(end)) continue
    for (let earlier = 0; earlier < later; earlier += 1) {
      const start = thinned[earlier] as number
      if (!Number.isNaN(start)) slopes[count++] = (end - start) / (later - earlier)
    }
  }
  if (count === 0) return null
  const sorted = slopes.subarray(0, count).sort()
  const middle = count >> 1
  const median =
    count % 2 === 1 ? (sorted[middle] as number) : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2
  return median / stride
}

/** Means of runs of `stride` neighbours, missing ones left out; a run without any is missing. */
function averaged(values: readonly number[], stride: number): number[] {
  return Array.from({ length: Math.ceil(values.length / stride) }, (_, run) =>
    meanOf(values.slice(run * stride, (run + 1) * stride)),
  )
}

/** The mean of the values that are there; NaN where none is. */
export function meanOf(values: readonly number[]): number {
  let sum = 0
  let count = 0
  for (const value of values) {
    if (Number.isNaN(value)) continue
    sum += value
    count += 1
  }
  return count === 0 ? Number.NaN : sum / count
}
