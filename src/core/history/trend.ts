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

/** A series without a run for longer than this before the history's latest one is measured no more. */
export const ABANDONED_DAYS = 30
const DAY_MS = 86_400_000

/** The trends of a history: the series with the latest point first, cold before warm. */
export function trendsOf(points: readonly HistoryPoint[]): Trend[] {
  const latestMs = points.reduce((most, { at }) => Math.max(most, Date.parse(at)), 0)
  const series = [...Map.groupBy(points, seriesKey)].map(([key, own]) =>
    endedOr(trendOf(key, own.toSorted(byTime)), latestMs),
  )
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

/** By the history's own latest run and no clock: where nothing is measured any more nobody is told anything. */
function endedOr(trend: Trend, latestMs: number): Trend {
  const { drift } = trend
  const isEnded = latestMs - Date.parse(latest(trend).at) > ABANDONED_DAYS * DAY_MS
  return isEnded && drift.state === 'drifting' ? { ...trend, drift: { ...drift, state: 'abandoned' } } : trend
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
