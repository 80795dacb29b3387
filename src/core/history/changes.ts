import { eDivisive, SEGMENT_MIN } from './e-divisive.ts'
import { median } from './medians.ts'
import { LEVEL_MIN, twoInARow } from './two-in-a-row.ts'

/** Fewer values than this say nothing: a level, and two that leave it. */
export const VALUES_MIN = LEVEL_MIN + 2
/** The latest days that are looked at. */
const VALUES_MAX = 400

/** A change of the level of a series: the first value after it, and the medians before and after. */
export interface Change {
  index: number
  before: number
  after: number
  /** after / before − 1 */
  share: number
  /** Found by two values in a row beyond the tolerance, or by E-divisive. */
  by: 'two-in-a-row' | 'e-divisive'
  /** Of the permutation test; null for two in a row. */
  p: number | null
}

/** The smallest change that is one, however sure its sign: significance alone would call every drift of a hundredth part. */
export function leastShare(toleranceShare: number): number {
  return toleranceShare / 2
}

interface Mark {
  index: number
  p: number | null
}

/**
 * The changes of a series of daily values, oldest first: those that E-divisive finds, and within its segments those of two values in a
 * row beyond the tolerance. What moves the level by less than half the tolerance is none. Empty below `VALUES_MIN` values.
 */
export function findChanges(values: readonly number[], toleranceShare: number): Change[] {
  if (values.length < VALUES_MIN) return []
  const offset = Math.max(0, values.length - VALUES_MAX)
  const recent = values.slice(offset)
  const least = leastShare(toleranceShare)
  // Narrow splits go first: in a fall's first nights one lies before it, and would part its two values from their level.
  const splits = wideEnough(recent, eDivisive(recent), least)
  const changes = wideEnough(recent, withRuns(recent, splits, toleranceShare), least)
  return changes.map((change) => ({ ...change, index: change.index + offset }))
}

/** Two in a row shortly before a split is the same change, seen by the other test. */
function withRuns(values: readonly number[], splits: readonly Mark[], toleranceShare: number): Mark[] {
  const starts = [0, ...splits.map(({ index }) => index)]
  const runs = starts.flatMap((start, which) => {
    const end = starts[which + 1] ?? values.length
    const isLast = which === starts.length - 1
    return twoInARow(values.slice(start, end), toleranceShare)
      .map((index) => ({ index: index + start, p: null }))
      .filter(({ index }) => isLast || end - index >= SEGMENT_MIN)
  })
  return [...splits, ...runs].toSorted((one, other) => one.index - other.index)
}

/** Takes the narrowest change away, and measures the levels anew, until all are wide enough. */
function wideEnough(values: readonly number[], marks: readonly Mark[], least: number): Change[] {
  const changes = measured(values, marks)
  const narrowest = changes.reduce<Change | null>(
    (one, other) => (one === null || Math.abs(other.share) < Math.abs(one.share) ? other : one),
    null,
  )
  if (narrowest === null || Math.abs(narrowest.share) >= least) return changes
  return wideEnough(
    values,
    marks.filter(({ index }) => index !== narrowest.index),
    least,
  )
}

function measured(values: readonly number[], marks: readonly Mark[]): Change[] {
  return marks.map(({ index, p }, which) => {
    const before = median(values.slice(marks[which - 1]?.index ?? 0, index))
    const after = median(values.slice(index, marks[which + 1]?.index ?? values.length))
    return { index, before, after, share: after / before - 1, by: p === null ? 'two-in-a-row' : 'e-divisive', p }
  })
}
