/** What a point is at: its arrivals, further blocks where a class was short of samples, or the answers that are still to come. */
export type PointPhase = 'warm-up' | 'arrivals' | 'extension' | 'drain'

/** How a point stands while it runs. */
export interface PointProgress {
  point: string
  rateRps: number | null
  phase: PointPhase
  /** Since the first arrival that counts; negative before it. */
  elapsedSeconds: number
  /** How long the arrivals take if no extension follows; null for a closed loop. */
  plannedSeconds: number | null
  sent: number
  resolved: number
  /** Of those, how many ended in no success. */
  failed: number
  inFlight: number
  backlog: number
  /** Attainment so far by class; null before a success. */
  attainment: Record<string, number | null>
}

/** What of a run is still to come, as far as its plan and what was measured so far tell. */
export interface Outlook {
  /** Which point is next or under way, from 1, and of how many it probably is one. */
  point: number
  ofAbout: number
  /** From now on; and of it what follows this point. */
  secondsLeft: number
  secondsAfterPoint: number
}

/** What a person watches. Never standard output. */
export interface Progress {
  point(state: PointProgress): void
  /** Told before each point; null where nothing is known any more. */
  outlook(outlook: Outlook | null): void
  /** A line that stays: a step begun, a point's outcome. */
  note(text: string): void
  warn(text: string): void
}
