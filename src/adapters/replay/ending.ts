import type { RequestRecord } from '../../core/record/record.ts'
import type { ScheduleRow } from '../../core/schedule/schedule.ts'
import { nearestRank } from '../../core/slo/percentile.ts'
import type { Answer } from '../../core/stream/answer-reader.ts'
import type { ErrorCode } from '../../core/stream/error-codes.ts'
import { ERROR_CODES } from '../../core/stream/error-codes.ts'

/** What was observed of one request, its times in microseconds from the cohort's start. */
export type Ending = Pick<
  Answer,
  | 'status'
  | 'errorCode'
  | 'firstTokenUs'
  | 'firstContentUs'
  | 'lastTokenUs'
  | 'endUs'
  | 'inputTokens'
  | 'outputTokens'
  | 'cachedTokens'
  | 'chunks'
  | 'gapsUs'
  | 'tokensPerChunk'
  | 'outputIds'
  | 'finishReason'
> & { handedUs: number | null; sentUs: number | null; httpStatus: number | null }

/** A request of which no event was read. */
export function failedEnding(errorCode: ErrorCode, endUs: number): Omit<Ending, 'handedUs' | 'sentUs' | 'httpStatus'> {
  return {
    status: ERROR_CODES[errorCode].status,
    errorCode,
    firstTokenUs: null,
    firstContentUs: null,
    lastTokenUs: null,
    endUs,
    inputTokens: null,
    outputTokens: null,
    cachedTokens: null,
    chunks: 0,
    gapsUs: [],
    tokensPerChunk: [],
    outputIds: null,
    finishReason: null,
  }
}

/** The record of a row that was due at `dueUs` and sent to that replica. */
export function recordOf(row: ScheduleRow, dueUs: number, replica: number, ending: Ending): RequestRecord {
  return {
    id: row.id,
    class: row.class,
    status: ending.status,
    errorCode: ending.errorCode,
    dueUs,
    handedUs: ending.handedUs,
    sentUs: ending.sentUs,
    firstTokenUs: ending.firstTokenUs,
    firstContentUs: ending.firstContentUs,
    lastTokenUs: ending.lastTokenUs,
    endUs: ending.endUs,
    inputTokens: ending.inputTokens,
    outputTokens: ending.outputTokens,
    cachedTokens: ending.cachedTokens,
    chunks: ending.chunks,
    gapUs: gapSummary(ending.gapsUs),
    httpStatus: ending.httpStatus,
    finishReason: ending.finishReason,
    replica,
    session: row.session ?? null,
    turn: row.turn ?? null,
  }
}

function gapSummary(gapsUs: readonly number[]): RequestRecord['gapUs'] {
  const ascending = Float64Array.from(gapsUs).sort()
  const at = (share: number): number => nearestRank(ascending, share) ?? 0
  return gapsUs.length === 0 ? null : { p50: at(0.5), p95: at(0.95), max: at(1) }
}
