import type { RequestRecord } from '../../src/core/record/record.ts'
import type { ScheduleRow } from '../../src/core/schedule/schedule.ts'

/** What becomes of one request. Left out: a success whose first token comes after 10 ms and the others 1 ms apart. */
export interface FakeAnswer {
  status?: RequestRecord['status']
  errorCode?: string | null
  httpStatus?: number | null
  sendLagUs?: number
  ttftUs?: number
  tpotUs?: number
  outputTokens?: number
  inputTokens?: number
  cachedTokens?: number
  /** What the engine says as it refuses a single request. */
  refusal?: string
}

export type AnswerOf = (row: ScheduleRow, replica: number) => FakeAnswer

/** The record of a row that met this answer. A success is left where the row plans so. */
export function fakeRecord(row: ScheduleRow, dueUs: number, replica: number, answer: FakeAnswer): RequestRecord {
  const { sendLagUs = 0, ttftUs = 10_000, tpotUs = 1000 } = answer
  const isOk = (answer.status ?? 'ok') === 'ok'
  const isLeft = isOk && row.cancelAfterTokens !== undefined
  const tokens = (isLeft ? row.cancelAfterTokens : undefined) ?? answer.outputTokens ?? row.outputTokens
  const sentUs = dueUs + sendLagUs
  const lastUs = sentUs + ttftUs + (tokens - 1) * tpotUs
  return {
    id: row.id,
    class: row.class,
    status: isLeft ? 'cancelled' : (answer.status ?? 'ok'),
    errorCode: isLeft ? 'planned_cancellation' : (answer.errorCode ?? (isOk ? null : 'http_status')),
    dueUs,
    handedUs: sentUs,
    sentUs,
    firstTokenUs: isOk ? sentUs + ttftUs : null,
    firstContentUs: isOk ? sentUs + ttftUs : null,
    lastTokenUs: isOk ? lastUs : null,
    endUs: isOk ? lastUs : sentUs + ttftUs,
    inputTokens: isOk && !isLeft ? (answer.inputTokens ?? row.inputTokens) : null,
    outputTokens: isOk ? tokens : null,
    cachedTokens: isOk && !isLeft ? (answer.cachedTokens ?? 0) : null,
    chunks: isOk ? tokens : 0,
    gapUs: isOk && tokens > 1 ? { p50: tpotUs, p95: tpotUs, max: tpotUs } : null,
    httpStatus: answer.httpStatus ?? (isOk ? 200 : 500),
    finishReason: isOk && !isLeft ? 'length' : null,
    replica,
    session: row.session ?? null,
    turn: row.turn ?? null,
  }
}
