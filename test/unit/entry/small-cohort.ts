import type { RequestRecord } from '../../../src/core/record/record.ts'
import type { Schedule } from '../../../src/core/schedule/schedule.ts'

/** A cohort of a schedule at one request a second, all of it good: first token after 50 ms, then one a millisecond. */
export function cohortOf(schedule: Schedule): RequestRecord[] {
  return schedule.rows.map((row) => {
    const sentUs = row.offsetUs + 100
    const firstTokenUs = sentUs + 50_000
    const lastTokenUs = firstTokenUs + (row.outputTokens - 1) * 1000
    return {
      id: row.id,
      class: row.class,
      status: 'ok',
      errorCode: null,
      dueUs: row.offsetUs,
      handedUs: sentUs,
      sentUs,
      firstTokenUs,
      firstContentUs: firstTokenUs,
      lastTokenUs,
      endUs: lastTokenUs,
      inputTokens: row.inputTokens,
      outputTokens: row.outputTokens,
      cachedTokens: 0,
      chunks: row.outputTokens,
      gapUs: null,
      httpStatus: 200,
      finishReason: 'length',
      replica: 0,
      session: null,
      turn: null,
    }
  })
}
