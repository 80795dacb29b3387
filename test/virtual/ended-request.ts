import type { Sequence } from '../../fixtures/engine/model/sequence.ts'
import type { RequestRecord } from '../../src/core/record/record.ts'
import type { ScheduleHeader, ScheduleRow } from '../../src/core/schedule/schedule.ts'
import { nearestRank } from '../../src/core/slo/percentile.ts'
import type { ErrorCode } from '../../src/core/stream/error-codes.ts'
import { ERROR_CODES } from '../../src/core/stream/error-codes.ts'
import type { VirtualPrompt } from './live-replica.ts'

/**
 * The prompt of a row as the model knows it: a shared prefix by its name, a session's history as the first part of what its next turn
 * asks, all else unique. A planned cancellation is an answer that is no longer.
 */
export function promptOf(row: ScheduleRow, prefixTokens: ReadonlyMap<string, number>): VirtualPrompt {
  const tokens = row.prefix === undefined ? undefined : prefixTokens.get(row.prefix)
  return {
    promptTokens: row.inputTokens,
    outputTokens: row.cancelAfterTokens ?? row.outputTokens,
    prefix: row.prefix === undefined || tokens === undefined ? null : { id: row.prefix, tokens },
    session: row.session ?? null,
  }
}

export function prefixTokensOf(header: ScheduleHeader): ReadonlyMap<string, number> {
  return new Map(header.prefixes.map(({ id, tokens }) => [id, tokens]))
}

export interface EndedRequest {
  row: ScheduleRow
  replica: number
  sequence: Sequence | null
  /** On the engine's clock; the record's times are relative to `originUs`. */
  originUs: number
  dueUs: number
  sentUs: number | null
  endUs: number
  /** Null: it ended well. */
  errorCode: ErrorCode | null
  httpStatus: number | null
  gapsUs: readonly number[]
  /** How long its last byte waited to be read. */
  intakeUs: number
  /** What came together, where gaps were kept. */
  chunkTokens: number
  /** Whether its answer says how much of its prompt came from a cache. */
  tellsCached: boolean
}

/** The chunks of an answer as they were sent: each waits for its last token. */
export function chunksOf({ gapsUs, chunkTokens }: Pick<EndedRequest, 'gapsUs' | 'chunkTokens'>) {
  const firstUs = gapsUs.slice(0, chunkTokens - 1).reduce((sum, us) => sum + us, 0)
  const chunkGapsUs: number[] = []
  const tokensPerChunk = gapsUs.length === 0 ? [] : [Math.min(chunkTokens, gapsUs.length + 1)]
  for (let at = chunkTokens - 1; at < gapsUs.length; at += chunkTokens) {
    const own = gapsUs.slice(at, at + chunkTokens)
    chunkGapsUs.push(own.reduce((sum, us) => sum + us, 0))
    tokensPerChunk.push(own.length)
  }
  return { firstUs, gapsUs: chunkGapsUs, tokensPerChunk }
}

/** The record that a load generator would have written, had it seen every token the moment it was made. */
export function endedRecord(ended: EndedRequest): RequestRecord {
  const { row, sequence, originUs, errorCode } = ended
  const isOk = errorCode === null
  const isLeft = isOk && row.cancelAfterTokens !== undefined
  const tokens = row.cancelAfterTokens ?? row.outputTokens
  const since = (us: number | undefined) => (us === undefined || us < 0 ? null : us - originUs)
  const sent = chunksOf(ended)
  const madeUs = since(sequence?.firstTokenUs)
  const firstTokenUs = madeUs === null ? null : madeUs + sent.firstUs
  return {
    id: row.id,
    class: row.class,
    status: isLeft ? 'cancelled' : isOk ? 'ok' : ended.httpStatus === 503 ? 'rejected' : ERROR_CODES[errorCode].status,
    errorCode: isLeft ? 'planned_cancellation' : errorCode,
    dueUs: ended.dueUs - originUs,
    handedUs: (ended.sentUs === null ? ended.dueUs : ended.sentUs - ended.intakeUs) - originUs,
    sentUs: ended.sentUs === null ? null : ended.sentUs - originUs,
    firstTokenUs,
    firstContentUs: firstTokenUs,
    lastTokenUs: isOk ? since(sequence?.lastTokenUs) : null,
    endUs: ended.endUs - originUs,
    inputTokens: isOk && !isLeft ? row.inputTokens : null,
    outputTokens: isOk ? tokens : null,
    cachedTokens: isOk && !isLeft && sequence && ended.tellsCached ? sequence.cachedTokens : null,
    chunks: isOk ? sent.tokensPerChunk.length || tokens : firstTokenUs === null ? 0 : 1,
    gapUs: gapSummary(sent.gapsUs),
    httpStatus: ended.httpStatus,
    finishReason: isOk && !isLeft ? 'length' : null,
    replica: ended.replica,
    session: row.session ?? null,
    turn: row.turn ?? null,
  }
}

function gapSummary(gapsUs: readonly number[]): RequestRecord['gapUs'] {
  if (gapsUs.length === 0) return null
  const ascending = new Uint32Array(gapsUs.length)
  for (let index = 0; index < gapsUs.length; index += 1) ascending[index] = gapsUs[index] ?? 0
  ascending.sort()
  const at = (share: number) => nearestRank(ascending, share) ?? 0
  return { p50: at(0.5), p95: at(0.95), max: at(1) }
}
