import type { HistoryPoint, PointValue } from './point.ts'
import { pointValue, pointWeight } from './point.ts'

/** The value of one day (UTC): the lower median of its counted points, and so a capacity that was measured. */
export interface DayValue extends PointValue {
  /** `2026-11-30` */
  day: string
  /** The median itself. */
  point: HistoryPoint
}

function dayOf(point: HistoryPoint): string {
  return point.at.slice(0, 10)
}

/** Days in order, each with its points in order of time. */
export function byDay(points: readonly HistoryPoint[]): Map<string, HistoryPoint[]> {
  return Map.groupBy(points.toSorted(byTime), dayOf)
}

/**
 * A series as detection sees it: a value a day, oldest first, days without a counted point left out. Detection never sees more, so that
 * a compaction to one point a day cannot change what it says.
 */
export function dayValues(points: readonly HistoryPoint[]): DayValue[] {
  return [...byDay(points)].flatMap(([day, ofDay]) => {
    const point = medianPoint(ofDay)
    const value = point && pointValue(point)
    return point === null || value === null ? [] : [{ day, point, ...value }]
  })
}

/** The lower median by value, a merged point counting for each of its runs; null where none counts. */
export function medianPoint(points: readonly HistoryPoint[]): HistoryPoint | null {
  const counted = points
    .flatMap((point) => {
      const value = pointValue(point)
      return value === null ? [] : [{ point, rank: value.milliRps * 2 - (value.isBound ? 1 : 0) }]
    })
    .toSorted((one, other) => one.rank - other.rank || byTime(one.point, other.point))
  const weight = counted.reduce((sum, { point }) => sum + pointWeight(point), 0)
  let below = 0
  for (const { point } of counted) {
    below += pointWeight(point)
    if (below * 2 >= weight) return point
  }
  return null
}

/** By time, then by run: an order that no order of writing changes. */
export function byTime(one: HistoryPoint, other: HistoryPoint): number {
  return Date.parse(one.at) - Date.parse(other.at) || (one.run < other.run ? -1 : one.run > other.run ? 1 : 0)
}
