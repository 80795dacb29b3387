import { stringify } from 'yaml'

const HOW_THE_ENGINE_RUNS = ['--slots', '24', '--token-budget', '512', '--base-us', '4000', '--drain-seconds', '0.1']

/** One replica of the embedded engine, which prefill runs out of at about 26 of these requests a second; four times as slow at 6. */
function argvOf(prefillUs: number, version: string): string[] {
  const costs = ['--per-prefill-token-us', String(prefillUs), '--per-decode-sequence-us', '100']
  return [
    '{node}',
    '{fixture_engine}',
    '--port',
    '{port}',
    ...HOW_THE_ENGINE_RUNS,
    ...costs,
    '--served-version',
    version,
  ]
}

/** The flags that such an engine is started with by hand. */
export function engineFlags(port: number): string[] {
  return argvOf(165, '1.0')
    .slice(2)
    .map((word) => (word === '{port}' ? String(port) : word))
}

/**
 * The manifest that stands for every page's own: passes at 24 RPS and fails at 33.5, in points of two to five seconds. The queue's trend
 * needs three; a wider bracket needs a greater tolerance, and the guard's point would be longer.
 */
export function quickManifestText(firstPort: number): string {
  const cutoffs = { request_ttft_cutoff_ms: 400, request_tpot_cutoff_ms: 300 }
  return stringify({
    gate: { id: 'embedded' },
    model: {
      id: 'fixture',
      revision: 'fixture-r1',
      tokenizer_revision: 'fixture-r1',
      precision: 'bf16',
      prompt_token_ids: [1000, 30_000],
    },
    engine: {
      name: 'fixture',
      version: '1.0',
      placement: { tp: 1, pp: 1, dp: 1, replicas: 1, gpus: 0 },
      deploy: { kind: 'process', argv: argvOf(165, '1.0'), first_port: firstPort, ready_timeout_seconds: 60 },
    },
    client: {
      streaming: true,
      arrival_pattern: 'constant',
      minimum_duration_seconds: 1.5,
      initial_scheduled_requests: 76,
      request_schedule_seed: 7,
      class_schedule_counts: { short: 38, long: 38 },
      warmup_seconds: 0.3,
      maximum_duration_seconds: 6,
      request_timeout_seconds: 20,
      automatic_retries: false,
      // What these tests are about must not hang on how busy the machine is.
      send_lag_p99_max_ms: 1000,
      offered_rate_min_share: 0.9,
      calibration_error_max_share: 1,
    },
    workload: [
      { name: 'short', mix: 0.5, input_tokens: 128, output_tokens: 3, ...cutoffs },
      { name: 'long', mix: 0.5, input_tokens: 304, output_tokens: 2, ...cutoffs },
    ],
    cache: {
      cold: { isolate: 'unique_tokens', restart: 'per_state', hit_rate_max: 0.01 },
      // Few enough tokens that the capacity is about the cold one.
      warm: { prefix_set: 'v1', count: 2, tokens: 16, law: 'uniform', hit_rate_min: 0.05 },
    },
    sweep: { rates_rps: [24, 33.5], refine_step: 0.4, repeats: 1 },
    acceptance: {
      class_slo_attainment_min: 0.95,
      min_successful_samples_per_class: 30,
      error_rate_max: 0.01,
      class_error_rate_max: 0.05,
      queue_trend_required: 'flat',
      target_utilization: 0.75,
      capacity_tolerance: 0.4,
    },
  })
}

/** The override of a revision that loses three quarters of it. */
export const SLOWER_SUBJECT = stringify({ engine: { version: '1.1', deploy: { argv: argvOf(660, '1.1') } } })
