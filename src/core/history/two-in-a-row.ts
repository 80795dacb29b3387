import { median } from './medians.ts'

/** Values that make a level before a first change can be seen against it. */
export const LEVEL_MIN = 5
/** After a change its two values are a level. */
const LEVEL_AFTER_CHANGE = 2

/**
 * Where two values in a row lie beyond the tolerance of their level on the same side: the index of the first of the two. The level is the
 * median of the values since the last change. One such value alone is a spike and moves nothing but, a little, the median.
 */
export function twoInARow(values: readonly number[], toleranceShare: number): number[] {
  const found: number[] = []
  let start = 0
  let index = LEVEL_MIN
  while (index + 1 < values.length) {
    const level = median(values.slice(start, index))
    const sides = [values[index] as number, values[index + 1] as number].map((value) =>
      sideOf(value, level, toleranceShare),
    )
    if (sides[0] !== 0 && sides[0] === sides[1]) {
      found.push(index)
      start = index
      index += LEVEL_AFTER_CHANGE
    } else index += 1
  }
  return found
}

function sideOf(value: number, level: number, toleranceShare: number): -1 | 0 | 1 {
  if (value < level * (1 - toleranceShare)) return -1
  return value > level * (1 + toleranceShare) ? 1 : 0
}
