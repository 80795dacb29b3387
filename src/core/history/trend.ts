import { sha256Hex } from '../kernel/hash.ts'
import type { Change } from './changes.ts'
import { findChanges } from './changes.ts'
import type { DayValue } from './days.ts'
import { byTime, dayValues } from './days.ts'
import type { Drift } from './drift.ts'
import { driftOf } from './drift.ts'
import type { HistoryPoint } from './point.ts'
import { seriesKey } from './point.ts'

/** All that a history says of one series. */
export interface Trend {
  /** Names the series for good: 16 hex digits over its name, kind, experiment, hardware and cache state. */
  key: string
  /** Every point, also those that do not count, oldest first. Never empty. */
  points: HistoryPoint[]
  days: DayValue[]
  changes: Change[]
  drift: Drift
}

/** The trends of a history: the series with the latest point first, cold before warm. */
export function trendsOf(points: readonly HistoryPoint[]): Trend[] {
  const series = [...Map.groupBy(points, seriesKey)].map(([key, own]) => trendOf(key, own.toSorted(byTime)))
  return series.toSorted(
    (one, other) =>
      compare(latest(other).at.slice(0, 10), latest(one).at.slice(0, 10)) ||
      compare(latest(one).series, latest(other).series) ||
      compare(latest(one).cache, latest(other).cache) ||
      compare(one.key, other.key),
  )
}

/** The last point of a trend. */
export function latest(trend: Pick<Trend, 'points'>): HistoryPoint {
  return trend.points.at(-1) as HistoryPoint
}

function trendOf(key: string, points: HistoryPoint[]): Trend {
  const days = dayValues(points)
  // The declared tolerance is part of the experiment, and so the same in all points of a series.
  const toleranceShare = points[0]?.toleranceShare ?? 0
  const changes = findChanges(
    days.map(({ milliRps }) => milliRps),
    toleranceShare,
  )
  return { key: sha256Hex(key).slice(0, 16), points, days, changes, drift: driftOf(days, changes, toleranceShare) }
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
