import type { CapacityRecord } from '../core/capacity/record.ts'
import { gate } from '../core/gate/gate.ts'
import type { Verdict } from '../core/gate/verdict.ts'
import { compactHistory } from '../core/history/compact.ts'
import type { Compacted } from '../core/history/compact.ts'
import { historyPoints } from '../core/history/from-record.ts'
import type { RunFacts } from '../core/history/from-record.ts'
import { readHistory, withPoints } from '../core/history/lines.ts'
import type { LineFault } from '../core/history/lines.ts'
import type { HistoryPoint } from '../core/history/point.ts'
import { trendsOf } from '../core/history/trend.ts'
import type { Trend } from '../core/history/trend.ts'
import type { HistoryStore } from './ports/history.ts'

export interface AddRequest extends RunFacts {
  record: CapacityRecord
  /** Null: the record alone is judged, as a first one without a baseline. */
  verdict: Verdict | null
}

export interface Added {
  location: string
  added: HistoryPoint[]
  /** Points of this run that the history held already. */
  known: number
  /** What is passed over in the history. */
  faults: LineFault[]
}

/** Adds a run's points, once. Throws GateError as `historyPoints` and the store do. */
export async function addToHistory(store: HistoryStore, request: AddRequest): Promise<Added> {
  const { record } = request
  const verdict =
    request.verdict ?? gate({ candidate: record, baseline: null, anchor: null, onMissingBaseline: 'record' })
  const points = historyPoints(record, verdict, request)
  let added: HistoryPoint[] = []
  let faults: LineFault[] = []
  await store.update((text) => {
    const after = withPoints(text, points)
    added = after.added
    faults = readHistory(text).faults
    return after.text
  })
  return { location: store.location, added, known: points.length - added.length, faults }
}

export type CompactedHistory = Omit<Compacted, 'text'> & { location: string; keptFrom: string }

/** Puts the days that are more than `days` before `now` (ISO 8601) together, one point each. */
export async function compactOlderThan(store: HistoryStore, days: number, now: string): Promise<CompactedHistory> {
  const keptFrom = dayBefore(now, days)
  let compacted: Compacted | null = null
  await store.update((text) => {
    compacted = compactHistory(text, keptFrom)
    return compacted.text
  })
  const { before, after, dropped } = compacted ?? { before: 0, after: 0, dropped: [] }
  return { location: store.location, keptFrom, before, after, dropped }
}

/** What a history says, and the lines that say nothing. */
export async function readTrends(store: HistoryStore): Promise<{ trends: Trend[]; faults: LineFault[] }> {
  const { points, faults } = readHistory(await store.read())
  return { trends: trendsOf(points), faults }
}

const DAY_MS = 86_400_000

/** The day, in UTC, that many days before a time. */
function dayBefore(now: string, days: number): string {
  const midnightMs = Date.parse(`${now.slice(0, 10)}T00:00:00Z`)
  return new Date(Math.max(0, midnightMs - days * DAY_MS)).toISOString().slice(0, 10)
}
