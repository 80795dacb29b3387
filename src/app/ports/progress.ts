/** How a point stands while it runs. */
export interface PointProgress {
  point: string
  rateRps: number | null
  elapsedSeconds: number
  remainingSeconds: number | null
  sent: number
  resolved: number
  inFlight: number
  backlog: number
  /** Attainment so far by class; null before a success. */
  attainment: Record<string, number | null>
}

/** What a person watches. Never standard output. */
export interface Progress {
  point(state: PointProgress): void
  /** A line that stays: a step begun, a point's outcome. */
  note(text: string): void
  warn(text: string): void
}
