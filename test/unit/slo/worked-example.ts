import type { Manifest } from '../../../src/core/manifest/schema.ts'
import { manifestSchema } from '../../../src/core/manifest/schema.ts'

/** The worked example's manifest: three classes, 22,000 requests. */
export function workedExample(acceptance: Partial<Manifest['acceptance']> = {}): Manifest {
  const workload = [
    ['interactive', 0.7, 1024, 128, 500, 40],
    ['long_context', 0.2, 8192, 256, 2500, 50],
    ['generation_heavy', 0.1, 512, 1024, 800, 45],
  ] as const
  return manifestSchema.parse({
    model: { id: 'dense', revision: 'r1', tokenizer_revision: 'r1', precision: 'bf16' },
    engine: { name: 'fixture', version: '1.0', placement: { tp: 2, pp: 1, dp: 4, replicas: 4, gpus: 8 } },
    client: {
      streaming: true,
      arrival_pattern: 'poisson',
      minimum_duration_seconds: 300,
      initial_scheduled_requests: 22_000,
      request_schedule_seed: 1,
      class_schedule_counts: { interactive: 15_400, long_context: 4400, generation_heavy: 2200 },
      warmup_seconds: 60,
      maximum_duration_seconds: 3600,
      request_timeout_seconds: 120,
      automatic_retries: false,
    },
    workload: workload.map(([name, mix, input_tokens, output_tokens, ttft, tpot]) => ({
      name,
      mix,
      input_tokens,
      output_tokens,
      request_ttft_cutoff_ms: ttft,
      request_tpot_cutoff_ms: tpot,
    })),
    acceptance: {
      class_slo_attainment_min: 0.95,
      min_successful_samples_per_class: 2000,
      error_rate_max: 0.01,
      queue_trend_required: 'flat',
      target_utilization: 0.75,
      ...acceptance,
    },
  })
}
