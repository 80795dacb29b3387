import { byDay, medianPoint } from './days.ts'
import { historyLine, readHistory } from './lines.ts'
import type { LineFault } from './lines.ts'
import { MERGED_MAX } from './point-schema.ts'
import type { HistoryPoint } from './point.ts'
import { pointValue, pointWeight, runsOf, seriesKey } from './point.ts'

export interface Compacted {
  text: string
  before: number
  after: number
  /** What was unreadable and is gone; lines of a later version stay. */
  dropped: LineFault[]
}

/**
 * The history with one point a day, cache state and series for every day before `keepFrom` (`2026-08-31`): the day's median, with how
 * many it stands for. A day whose points do not count keeps its last one. Compacting twice is compacting once.
 */
export function compactHistory(text: string, keepFrom: string): Compacted {
  const { points, faults, newer } = readHistory(text)
  const kept = [...Map.groupBy(points, seriesKey).values()].flatMap((series) =>
    [...byDay(series)].flatMap(([day, ofDay]) => (day < keepFrom ? mergeDay(ofDay) : ofDay)),
  )
  const lines = kept.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at)).map(historyLine)
  return {
    text: [...newer.map((line) => `${line}\n`), ...lines].join(''),
    before: points.length,
    after: kept.length,
    dropped: faults.filter(({ code }) => code !== 'newer'),
  }
}

function mergeDay(points: readonly HistoryPoint[]): readonly HistoryPoint[] {
  const runs = [...new Set(points.flatMap(runsOf))].toSorted()
  const stands = medianPoint(points) ?? points.at(-1)
  if (points.length < 2 || stands === undefined || runs.length > MERGED_MAX) return points
  const counted = points.filter((point) => pointValue(point) !== null)
  const notCounted = points.reduce(
    (sum, point) => sum + (point.merged?.notCounted ?? (pointValue(point) === null ? 1 : 0)),
    0,
  )
  return [
    { ...stands, merged: { points: counted.reduce((sum, point) => sum + pointWeight(point), 0), notCounted, runs } },
  ]
}
