import type { Status } from '../stream/error-codes.ts'

/**
 * One scheduled request, resolved to its terminal status. Times are integer microseconds from the cohort's start on one monotonic
 * clock. TTFT, TPOT and E2E are derived, never stored twice.
 */
export interface RequestRecord {
  id: string
  class: string
  status: Status
  errorCode: string | null
  dueUs: number
  /** When the client had given it to a connection, or asked for one for it. From here to `sentUs` the engine takes its time. */
  handedUs: number | null
  /** When the last byte of the request was handed to the socket. */
  sentUs: number | null
  firstTokenUs: number | null
  firstContentUs: number | null
  lastTokenUs: number | null
  endUs: number
  inputTokens: number | null
  outputTokens: number | null
  cachedTokens: number | null
  chunks: number
  gapUs: { p50: number; p95: number; max: number } | null
  httpStatus: number | null
  finishReason: string | null
  replica: number | null
  session: string | null
  turn: number | null
}
