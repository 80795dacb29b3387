import type { Reason } from '../kernel/evidence.ts'
import type { Status } from '../stream/error-codes.ts'

/** Nearest-rank percentiles of n values; null where n does not allow one (P99 below 10,000) or there is none. */
export interface Distribution {
  n: number
  p50: number | null
  p90: number | null
  p95: number | null
  p99: number | null
}

/** Tokens of the token-bearing chunks: of the n whose engine says it by ids or continuous usage; the rest are unknown. */
export interface ChunkReport {
  n: number
  unknown: number
  mean: number | null
  p50: number | null
  p95: number | null
  max: number | null
}

export type Interval = [low: number, high: number]

/** One class of one cohort. The first block is the reference report's, key by key; the second is ours. */
export interface ClassReport {
  successful_count: number
  passing_count: number
  request_ttft_cutoff_ms: number
  request_tpot_cutoff_ms: number
  attainment: number | null
  sample_adequate: boolean
  p99_sample_adequate: boolean
  class_slo_pass: boolean
  p50_ttft_ms: number | null
  p95_ttft_ms: number | null
  p99_ttft_ms: number | null
  p50_tpot_ms: number | null
  p95_tpot_ms: number | null
  p99_tpot_ms: number | null
  p95_e2e_ms: number | null
  output_tokens: number

  attempted_count: number
  failed_count: number
  error_rate: number | null
  request_e2e_cutoff_ms: number | null
  /** Passing over attempted, planned cancellations left out where the manifest says so. */
  attempted_attainment: number | null
  attainment_wilson95: Interval | null
  attainment_block_bootstrap95: Interval | null
  /** Share of successes that miss each cutoff: which metric limits the class. */
  miss_share: { ttft: number; tpot: number; e2e: number } | null
  good_rps: number
  ttft_ms: Distribution
  tpot_ms: Distribution
  e2e_ms: Distribution
  /** From due instead of from sent. */
  ttft_from_due_ms: Distribution
  e2e_from_due_ms: Distribution
  /**
   * Gaps between token-bearing chunks, from the class's histogram (1 % bins); n is gaps. Where chunks hold several tokens, a gap is not one
   * token's time: `tokens_per_chunk` says. Null where no histogram was given.
   */
  itl_ms: Distribution | null
  /** Null where no histogram was given; left out by reports older than it. */
  tokens_per_chunk?: ChunkReport | null
}

/** Requests a second that were scheduled, sent, answered with a 2xx status and not rejected, ended ok, ended inside their cutoffs. */
export interface RatesRps {
  offered: number
  /** Null where the file holds no send times. */
  sent: number | null
  /** Null where the file holds no HTTP status. */
  accepted: number | null
  completed: number
  good: number
}

export interface Limiting {
  class: string
  metric: 'ttft' | 'tpot' | 'e2e' | 'errors' | 'queue' | 'samples'
}

/** slo-report.json: every key of the reference report with the same meaning, then ours. */
export interface SloReport {
  attempted: number
  successful: number
  failed: number
  error_rate: number | null
  overall_attainment: number | null
  observed_goodput_rps: number
  request_throughput_rps: number
  output_throughput_tps: number
  queue_trend: 'flat' | 'growing' | 'unknown'
  all_class_slos_pass: boolean
  capacity_gate_pass: boolean
  classes: Record<string, ClassReport>

  schema: 1
  duration_seconds: number
  /** From the cohort's start to the last due time; null where the file holds no due times. */
  arrival_seconds: number | null
  percentile: 'nearest-rank'
  latency_origin: 'send' | 'due'
  status_counts: Record<Status, number>
  error_codes: Record<string, number>
  /** Over the whole cohort with its drain, and over the arrival window. */
  rates_rps: RatesRps
  arrival_window_rates_rps: RatesRps | null
  input_tokens: number | null
  cached_tokens: number | null
  output_tokens: number
  send_lag_ms: (Distribution & { max: number | null }) | null
  /** Mean time from sent to terminal status over all requests, in seconds: Little's law. */
  mean_terminal_seconds: number | null
  /** The declared gates beyond the reference's, where the manifest sets them: true, false, or null where not declared. */
  class_error_rate_pass: boolean | null
  attempted_attainment_pass: boolean | null
  limiting: Limiting | null
  /** Only of an imported cohort: whose requests they are, and why its open loop is unproven. */
  origin?: string
  reasons?: Reason[]
}
