/** Time, injected: one monotonic clock for measuring, and the wall clock for people. */
export interface Clock {
  /** Microseconds on a monotonic clock whose zero is arbitrary; never goes backwards. */
  nowUs(): number
  /** ISO 8601, UTC. */
  wallTime(): string
  /** Resolves after `ms`; rejects with the signal's reason when that aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}
