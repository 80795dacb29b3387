import { nearestRank } from '../../src/core/slo/percentile.ts'

/** p50 and p99 by nearest rank. */
export interface Spread {
  p50: number
  p99: number
}

export function spreadOf(values: readonly number[]): Spread {
  const ascending = Float64Array.from(values).sort()
  const at = (share: number) => nearestRank(ascending, share) ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99) }
}

export function median(values: readonly number[]): number {
  return nearestRank(Float64Array.from(values).sort(), 0.5) ?? Number.NaN
}

/** The rounds' median, and their range where there are several. */
export function overRounds(values: readonly number[], digits: number): string {
  const show = (value: number) => value.toFixed(digits)
  if (values.length < 2) return values.map(show).join('')
  return `${show(median(values))} (${show(Math.min(...values))}–${show(Math.max(...values))})`
}
