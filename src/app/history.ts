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
import { CLOCK_AHEAD_MAX_MS } from '../core/kernel/clock-ahead.ts'
import { EXIT, GateError } from '../core/kernel/errors.ts'
import type { HistoryStore } from './ports/history.ts'

/** A run that is to be added. */
export interface RunToAdd extends RunFacts {
  record: CapacityRecord
  /** Null: the record alone is judged, as a first one without a baseline. */
  verdict: Verdict | null
}

export interface Added {
  location: string
  added: HistoryPoint[]
  /** Points of this run that the history held already. */
  known: number
  /** What was passed over in the history as it was found; putting old days together leaves such lines out, but for a later version's. */
  faults: LineFault[]
}

/**
 * The points of a run, one a cache state. Throws GateError as `historyPoints` does, and `history_from_future`, exit 4, for a run that this
 * machine's clock (`now`, ISO 8601) says is still to come: it would stay the latest one whatever the nights after it measure.
 */
export function pointsOfRun(run: RunToAdd, now: string): HistoryPoint[] {
  const { record } = run
  if (Date.parse(record.createdAt) > Date.parse(now) + CLOCK_AHEAD_MAX_MS) throw fromFuture(record, now)
  const verdict = run.verdict ?? gate({ candidate: record, baseline: null, anchor: null, onMissingBaseline: 'record' })
  return historyPoints(record, verdict, run)
}

function fromFuture({ createdAt }: CapacityRecord, now: string): GateError {
  return new GateError({
    code: 'history_from_future',
    message: `the run says that it began at ${createdAt.slice(0, 40)}, and it is ${now} here`,
    hint: 'set the clock of the machine that measured, then measure again',
    exitCode: EXIT.invalid,
  })
}

/**
 * Adds points, each run's once, and puts the days before `keepFrom` (`2026-08-31`; null: none) together in the same step. Throws GateError as
 * the store does; nothing is written then.
 */
export async function addToHistory(
  store: HistoryStore,
  points: readonly HistoryPoint[],
  keepFrom: string | null = null,
): Promise<Added> {
  let added: HistoryPoint[] = []
  let faults: LineFault[] = []
  await store.update((text) => {
    const after = withPoints(text, points)
    added = after.added
    faults = readHistory(text).faults
    return keepFrom === null ? after.text : withoutOldRuns(after.text, keepFrom)
  }, additionNote(points))
  return { location: store.location, added, known: points.length - added.length, faults }
}

/** A compaction rewrites the whole text: only where it would leave out a line. */
function withoutOldRuns(text: string, keepFrom: string): string {
  const compacted = compactHistory(text, keepFrom)
  return compacted.after < compacted.before ? compacted.text : text
}

function additionNote(points: readonly HistoryPoint[]): string {
  const names = [...new Set(points.map(({ series, cache }) => `${series}, ${cache}`))]
  const runs = [...new Set(points.flatMap(({ runUrl }) => runUrl ?? []))]
  return `Add ${names.join('; ')}${runs.length === 0 ? '' : ` of ${runs.join(', ')}`}`
}

export type CompactedHistory = Omit<Compacted, 'text'> & { location: string; keptFrom: string }

/** Puts the days before `keepFrom` (`2026-08-31`) together, one point each. */
export async function compactBefore(store: HistoryStore, keepFrom: string): Promise<CompactedHistory> {
  let compacted: Compacted | null = null
  await store.update((text) => {
    compacted = compactHistory(text, keepFrom)
    return compacted.text
  }, `Put the days before ${keepFrom} together`)
  const { before, after, dropped } = compacted ?? { before: 0, after: 0, dropped: [] }
  return { location: store.location, keptFrom: keepFrom, before, after, dropped }
}

/** What a history says, and the lines that say nothing. */
export async function readTrends(store: HistoryStore): Promise<{ trends: Trend[]; faults: LineFault[] }> {
  const { points, faults } = readHistory(await store.read())
  return { trends: trendsOf(points), faults }
}

const DAY_MS = 86_400_000

/** The day, in UTC, that many days before a time (ISO 8601). */
export function dayBefore(now: string, days: number): string {
  const midnightMs = Date.parse(`${now.slice(0, 10)}T00:00:00Z`)
  return new Date(Math.max(0, midnightMs - days * DAY_MS)).toISOString().slice(0, 10)
}
