import type { Plan } from '../capacity/record.ts'
import type { Outcome } from '../gate/verdict.ts'
import type { Cache } from '../kernel/point.ts'
import type { Limiting } from '../slo/report.ts'

/** What a compaction put together: one point stands for several of its day. */
interface Merged {
  /** Points whose value counts; the point itself is their lower median. */
  points: number
  /** Points beside them that were shown and did not count. */
  notCounted: number
  /** Every run that is in it: so that none is added a second time. */
  runs: string[]
}

/** One run's capacity in one cache state, as one line of the history. Rates are integer milli-requests a second, shares 0..1. */
export interface HistoryPoint {
  schema: 1
  /** When the record was made: ISO 8601, UTC. */
  at: string
  /** SHA-256 of the run's capacity record. */
  run: string
  /** Whose trend it belongs to: the gate's id, or the name that was given. */
  series: string
  kind: 'measured' | 'simulated'
  cache: Cache
  /** SHA-256 of the experiment, and of the hardware that must be equal. */
  experiment: string
  hardware: string
  /** The same hardware for people. */
  machine: string
  subject: { sha256: string; name: string; version: string; image: string | null }
  /** Of the repository that the run was started in; null where it was in none, and in lines of earlier versions. */
  commit: string | null
  plan: Plan
  outcome: Outcome
  /** Code of the first reason for the outcome. */
  reason: string | null
  capacityMilliRps: number | null
  /** The lowest failing rate: null where no ceiling was found. */
  failMilliRps: number | null
  perReplicaRps: number | null
  baselineMilliRps: number | null
  guardMilliRps: number | null
  /** The worst class's attainment at the guard rate, over its repeats; null where none was measured there, or a class had none. */
  attainmentAtGuard: number | null
  attainmentSpread: [low: number, high: number] | null
  /** Relative standard deviation from boot to boot. */
  bootSpread: number | null
  limiting: Limiting | null
  /** The experiment's declared tolerance. */
  toleranceShare: number
  runUrl: string | null
  toolVersion: string
  /** Null for the point of a single run. */
  merged: Merged | null
}

/** A capacity that a trend can be drawn from. `isBound`: even the lowest tested rate failed, so that the capacity is below it. */
export interface PointValue {
  milliRps: number
  isBound: boolean
}

/**
 * A point's value; null for one that is shown and does not count: an undecided or invalid measurement, a confirmation (it tests the
 * guard rate only, so it knows a lower bound), and a sweep that found no ceiling.
 */
export function pointValue(point: HistoryPoint): PointValue | null {
  if (point.plan !== 'sweep' || point.outcome === 'inconclusive' || point.outcome === 'invalid') return null
  if (point.failMilliRps === null) return null
  if (point.capacityMilliRps === null) return { milliRps: point.failMilliRps, isBound: true }
  return { milliRps: point.capacityMilliRps, isBound: false }
}

/** What keeps points comparable: only those that share it make one trend. */
export function seriesKey(point: HistoryPoint): string {
  const { series, kind, experiment, hardware, cache } = point
  return JSON.stringify([series, kind, experiment, hardware, cache])
}

/** How many runs a point stands for. */
export function pointWeight(point: HistoryPoint): number {
  return point.merged?.points ?? 1
}

/** Every run that a point holds. */
export function runsOf(point: HistoryPoint): readonly string[] {
  return point.merged?.runs ?? [point.run]
}
