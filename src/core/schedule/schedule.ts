import type { Cache } from '../kernel/point.ts'

/**
 * A schedule is JSON Lines: this header, then a row a line. Its digest is the SHA-256 of the uncompressed bytes. Rows after the
 * `initialRequests` first ones are the committed extension blocks, `blockRequests` rows each.
 */
export interface ScheduleHeader {
  version: 1
  cache: Cache
  generator: 'poisson-1' | 'constant-1'
  seed: number
  initialRequests: number
  extensionRequests: number
  blockRequests: number
  /** Warm-up rows are drawn from this seed as the rate needs them; they can never collide with measured prompts. */
  warmupSeed: number
  prefixes: readonly SchedulePrefix[]
}

export interface SchedulePrefix {
  id: string
  tokens: number
  /** Integer popularity weight, out of the sum of all. */
  weight: number
}

export interface ScheduleRow {
  id: string
  class: string
  /** Arrival offset at one request a second, integer microseconds, from the cohort's start. */
  offsetUs: number
  /** Prefix tokens count inside. */
  inputTokens: number
  outputTokens: number
  prefix?: string
  session?: string
  turn?: number
  thinkUs?: number
}

export interface Schedule {
  header: ScheduleHeader
  rows: readonly ScheduleRow[]
  sha256: string
}
