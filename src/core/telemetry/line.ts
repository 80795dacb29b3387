import type { Blame, Evidence } from '../kernel/evidence.ts'
import type { PointKey } from '../kernel/point.ts'
import type { MachineSeen } from './machine-line.ts'

/** What the replay knows of a finished point beyond its records. The first line of telemetry.jsonl.gz. */
export interface PointFacts {
  schema: 1
  key: PointKey
  epoch: number
  scheduleSha256: string
  deployId: string
  dialect: string
  replicas: number
  /** Schedule rows that belong to the cohort: the initial ones and each extension block that was begun. */
  cohortRequests: number
  /** From the cohort's start to the last due time that was reached. */
  arrivalUs: number
  /** From the cohort's start to the last terminal status: the reference's T. */
  cohortUs: number
  /** The maximum duration ended the arrivals. */
  maximumReached: boolean
  /** Why the point was stopped before its schedule ended; null where it was not. */
  stoppedEarly: string | null
  warmupRequests: number
}

/** What the client watched of itself since its sample before. */
export interface ClientWatch {
  /** The longest time for which its event loop stood still: what came meanwhile was stamped up to so much late. */
  loopStallUs: number
  /** Of all its standstills together what went beyond the lateness that a stamp may have; older packs have the longest one alone. */
  loopBlindUs?: number
  /** The longest pause for garbage collection, and all of them together. */
  gcMaxUs: number
  gcUs: number
  /** Processor time of all its threads. */
  cpuUs: number
}

/** The client's own state, sampled at 1 Hz or more: `backlog` is requests due but not yet sent. */
interface ClientLine extends ClientWatch {
  t: 'client'
  atUs: number
  inFlight: number
  backlog: number
  sent: number
  resolved: number
}

/**
 * One line of a point's telemetry.jsonl.gz. Times are microseconds from the cohort's start (negative before it), on the client's
 * monotonic clock.
 */
export type TelemetryLine =
  | { t: 'point'; facts: PointFacts }
  | ClientLine
  /** One scrape of one replica: the series that the dialect names, as scraped (`name` or `name{a="b",…}`) → value. */
  | { t: 'engine'; atUs: number; replica: number; values: Record<string, number> }
  /** A scrape that failed. */
  | { t: 'gap'; atUs: number; replica: number; error: string }
  /** What was seen of the machine. */
  | { t: 'machine'; atUs: number; seen: MachineSeen }
  /** Something that happened: an engine's exit, a restart, a hang. */
  | { t: 'event'; atUs: number; replica: number | null; kind: string; blames: Blame; text: string }
  /** A fact that an adapter probed itself: identity, reset, prewarm, quiesce. */
  | { t: 'evidence'; evidence: Evidence }
