import { meanOf } from './theil-sen.ts'

/** The series is cut into about this many spans; a queue's swings within one tell how far it wanders over all. */
const SPANS = 20

/**
 * How far a queue of this unrest would wander from start to end by chance, in requests (one standard deviation): the variance of its
 * changes over a twentieth of the window, less their mean, taken as a random walk's and carried on to the whole window. A queue that is
 * drawn back to its level wanders less, so that this errs to the quiet side. Few values know little of their own unrest: the estimate is
 * raised by 1 + 5/n. NaN stands for a missing value; 0 where fewer than three changes are there.
 */
export function walkNoise(values: readonly number[]): number {
  const span = Math.max(1, Math.floor(values.length / SPANS))
  const changes = values
    .slice(span)
    .map((value, index) => value - (values[index] ?? Number.NaN))
    .filter((change) => !Number.isNaN(change))
  if (changes.length < 3) return 0
  const mean = meanOf(changes)
  const squares = changes.reduce((sum, change) => sum + (change - mean) ** 2, 0)
  // Changes that overlap share their noise: about one degree of freedom in `span` of them.
  const variance = squares / Math.max(1, changes.length - span)
  return (1 + 5 / values.length) * Math.sqrt((variance / span) * values.length)
}
