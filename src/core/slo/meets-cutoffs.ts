import type { WorkloadClass } from '../manifest/schema.ts'
import { tpotNs } from '../record/latency.ts'
import type { RequestRecord } from '../record/record.ts'

/**
 * Whether a success meets every cutoff of its class, its TTFT and E2E counted from `originUs`: judged as the analyzer judges the row that is
 * written of it, in the same milliseconds to the last digit. False for what lacks a time or its output tokens.
 */
export function meetsCutoffs(record: RequestRecord, cutoffs: WorkloadClass, originUs: number | null): boolean {
  const { firstTokenUs, lastTokenUs, outputTokens } = record
  if (originUs === null || firstTokenUs === null || lastTokenUs === null || outputTokens === null) return false
  return (
    (firstTokenUs - originUs) / 1000 <= cutoffs.request_ttft_cutoff_ms &&
    tpotNs(lastTokenUs - firstTokenUs, outputTokens) / 1e6 <= cutoffs.request_tpot_cutoff_ms &&
    (lastTokenUs - originUs) / 1000 <= (cutoffs.request_e2e_cutoff_ms ?? Number.POSITIVE_INFINITY)
  )
}
