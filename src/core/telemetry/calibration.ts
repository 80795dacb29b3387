import type { CalibrationNeed } from './calibration-need.ts'

/** What a calibration holds for: another machine, runtime or client measures otherwise. */
export interface ClientIdentity {
  /** Names this very machine, and since when it is up: others of its kind are not it. */
  machine: string
  cpuModel: string
  cores: number
  kernel: string
  node: string
  /** SHA-256 of the program that measures. */
  clientSha256: string
}

/** Absolute errors in whole microseconds, nearest rank, over `n` requests. */
export interface ErrorSpread {
  p50Us: number
  p99Us: number
  n: number
}

/** What the client was found to be, against a server of our own that logs its true times. */
export interface Calibration {
  schema: 1
  made: true
  client: ClientIdentity
  need: CalibrationNeed
  /** ISO 8601, UTC. */
  measuredAt: string
  seconds: number
  /** 2: the first one was not good enough, and it was measured again; the later one counts. */
  attempt: number
  /** The phase at the needed rate, paced by due times. Processor time includes the polling for them. */
  paced: { requestsPerSecond: number; eventsPerSecond: number; cpuUsPerEvent: number }
  /** Reported less true: of TTFT, E2E and their difference, which a class's TPOT divides by O − 1; and sent less due. */
  errors: { ttft: ErrorSpread; e2e: ErrorSpread; decode: ErrorSpread; sendLag: ErrorSpread }
  /** The heavier phase, in a closed loop: nothing is polled for. `readDelayP50Us`: from a last event's write to its reading. */
  heavy: { eventsPerSecond: number; cpuUsPerEvent: number; readDelayP50Us: number }
}

/** A calibration that came to nothing, and why. */
interface UnmadeCalibration {
  schema: 1
  made: false
  need: CalibrationNeed
  measuredAt: string
  cause: string
}

/** calibration.json. */
export type CalibrationFile = Calibration | UnmadeCalibration

/** Whether what was measured of one client holds for the other. */
export function isSameClient(a: ClientIdentity, b: ClientIdentity): boolean {
  return (['machine', 'cpuModel', 'cores', 'kernel', 'node', 'clientSha256'] as const).every(
    (fact) => a[fact] === b[fact],
  )
}

const DAY_MS = 86_400_000

/** Whether it is of the day before `now` (ISO 8601): not older, and not of a clock that was set back since. */
export function isFresh({ measuredAt }: Pick<Calibration, 'measuredAt'>, now: string): boolean {
  const ageMs = Date.parse(now) - Date.parse(measuredAt)
  return ageMs >= 0 && ageMs < DAY_MS
}

/** The null server's streams all tick together so often, as an engine's steps do. */
export const NULL_STEP_MS = 10

export interface Ceiling {
  eventsPerSecond: number
  /** `cpu`: what one core carries at the heavier phase's cost of an event. `reached`: the client fell behind in it. */
  from: 'cpu' | 'reached'
}

/**
 * Events a second that the client carries at most: its main loop has one core. One that read its events later than the next ones were
 * written had not the whole core, and carries what it reached.
 */
export function ceilingOf({ heavy }: Pick<Calibration, 'heavy'>): Ceiling {
  const byCpu = 1e6 / Math.max(0.1, heavy.cpuUsPerEvent)
  if (heavy.readDelayP50Us <= NULL_STEP_MS * 1000) return { eventsPerSecond: byCpu, from: 'cpu' }
  return { eventsPerSecond: Math.min(byCpu, heavy.eventsPerSecond), from: 'reached' }
}
