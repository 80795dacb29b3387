import { type Manifest, manifestSchema } from '../../../src/core/manifest/schema.ts'

type Raw = Record<string, unknown>

/** The worked example's manifest, with cache states and extension blocks declared; parts can be replaced. */
export function workedExample(
  parts: { client?: Raw; warm?: Raw; cache?: Raw; model?: Raw; workload?: Raw[] } = {},
): Manifest {
  const cutoffs = { request_ttft_cutoff_ms: 500, request_tpot_cutoff_ms: 40 }
  return manifestSchema.parse({
    model: {
      id: 'dense-70b-class',
      revision: 'dense-70b-fixture-r1',
      tokenizer_revision: 'dense-70b-tokenizer-fixture-r1',
      precision: 'bf16',
      prompt_token_ids: [1000, 100000],
      ...parts.model,
    },
    engine: { name: 'fixture', version: '1.0', placement: { tp: 2, pp: 1, dp: 4, replicas: 4, gpus: 8 } },
    client: {
      streaming: true,
      arrival_pattern: 'poisson',
      minimum_duration_seconds: 300,
      initial_scheduled_requests: 22000,
      extension_requests: 2000,
      request_schedule_seed: 20260911,
      class_schedule_counts: { interactive: 15400, long_context: 4400, generation_heavy: 2200 },
      warmup_seconds: 60,
      maximum_duration_seconds: 3600,
      request_timeout_seconds: 120,
      automatic_retries: false,
      ...parts.client,
    },
    workload: parts.workload ?? [
      { name: 'interactive', mix: 0.7, input_tokens: 1024, output_tokens: 128, ...cutoffs },
      { name: 'long_context', mix: 0.2, input_tokens: 8192, output_tokens: 256, ...cutoffs },
      { name: 'generation_heavy', mix: 0.1, input_tokens: 512, output_tokens: 1024, ...cutoffs },
    ],
    cache: parts.cache ?? {
      cold: {},
      warm: { prefix_set: 'v1', count: 64, tokens: 256, law: 'zipf', exponent: 1, hit_rate_min: 0.09, ...parts.warm },
    },
    acceptance: {
      class_slo_attainment_min: 0.95,
      min_successful_samples_per_class: 2000,
      error_rate_max: 0.01,
      queue_trend_required: 'flat',
      target_utilization: 0.75,
    },
  })
}

/** How many of each. */
export function tally(values: Iterable<string>): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1
  return counts
}

/** The GateError code that a call ends with. */
export function codeOf(call: () => unknown): string {
  try {
    call()
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error)
  }
  return 'no error'
}
