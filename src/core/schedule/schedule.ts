import type { Cache } from '../kernel/point.ts'

/**
 * What an id may look like: a letter for its kind, a number of five to eight digits. Measured rows are `r`, warm-up rows `w`,
 * prefixes `p`, prewarming requests `f`; `s` (smoke) and `q` (quiesce) are free for single requests. A letter and a number fit
 * into 32 bits, from which a prompt's first tokens are made, so that no two ids can share a prompt.
 */
export const ID_PATTERN = /^[a-z]-(?:\d{5}|[1-9]\d{5,7})$/

/** A session's name: its class, and a number. Those of warm-up rows have a `w` before the number. */
export const SESSION_PATTERN = /^[A-Za-z0-9_.-]+-w?(?:\d{5}|[1-9]\d{5,7})$/

/** `requestId('r', 7)` is `r-00007`. */
export function requestId(kind: string, number: number): string {
  return `${kind}-${String(number).padStart(5, '0')}`
}

/** `sessionId('chat', 7, 'r')` is `chat-00007`, of a warm-up row `chat-w00007`. */
export function sessionId(className: string, number: number, kind: 'r' | 'w'): string {
  return `${className}-${kind === 'w' ? 'w' : ''}${String(number).padStart(5, '0')}`
}

/**
 * A schedule is JSON Lines: this header, then a row a line. Its digest is the SHA-256 of the uncompressed bytes. Rows after the
 * `initialRequests` first ones are the committed extension blocks, `blockRequests` rows each.
 */
export interface ScheduleHeader {
  version: 1
  cache: Cache
  generator: 'poisson-1' | 'constant-1' | 'gamma-1' | 'burst-1' | 'ramp-1' | 'trace-1'
  /** What the generator needs beside the seed. */
  pattern?: GammaPattern | BurstPattern | RampPattern | TracePattern
  seed: number
  initialRequests: number
  extensionRequests: number
  blockRequests: number
  /** Warm-up rows are drawn from this seed as the rate needs them; they can never collide with measured prompts. */
  warmupSeed: number
  /** The version of the prefix set, where the state is warm: the prefixes' tokens are a function of it and their id alone. */
  prefixSet?: string
  prefixes: readonly SchedulePrefix[]
  /** The texts that prompts are made of: rows name one by its index. */
  dataset?: { sha256: string; texts: number }
}

/** Gamma gaps of mean one second and this shape. */
interface GammaPattern {
  shape: number
}

/** A rate of `height` times the mean for `widthShare` of each period; in the rest what leaves the mean at one. */
export interface BurstPattern {
  height: number
  widthShare: number
  periodRequests: number
}

/** A rate that goes from `from` to `to`, relative to each other, over the initial rows and again over each block. */
export interface RampPattern {
  from: number
  to: number
}

interface TracePattern {
  sha256: string
  format: 'mooncake' | 'azure' | 'burstgpt' | 'jsonl'
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
  /** The session, and which of its requests this is, from 0. Its prompt goes on from the turn before: `inputTokens` holds the history. */
  session?: string
  turn?: number
  /** Real time from the end of the turn before until this one is due at the earliest: no rate scales it. */
  thinkUs?: number
  /** Planned to be left after so many output tokens. */
  cancelAfterTokens?: number
  /** Index of the dataset's text that the prompt is made of. */
  text?: number
}

export interface Schedule {
  header: ScheduleHeader
  rows: readonly ScheduleRow[]
  sha256: string
}
