import type { Manifest } from '../manifest/schema.ts'

/**
 * How late an event may be stamped before it is more than `client.calibration_error_max_share` of a cutoff, in microseconds: the least over
 * the classes of that share of the TTFT cutoff, of the E2E cutoff, and of the TPOT cutoff times O − 1.
 */
export function stampToleranceUs({ client, workload }: Pick<Manifest, 'client' | 'workload'>): number {
  const cutoffsMs = workload.flatMap((entry) => [
    entry.request_ttft_cutoff_ms,
    ...(entry.request_e2e_cutoff_ms === undefined ? [] : [entry.request_e2e_cutoff_ms]),
    ...(entry.output_tokens > 1 ? [entry.request_tpot_cutoff_ms * (entry.output_tokens - 1)] : []),
  ])
  return Math.min(...cutoffsMs) * client.calibration_error_max_share * 1000
}
