import { manifestSchema } from '../../src/core/manifest/schema.ts'
import type { Manifest } from '../../src/core/manifest/schema.ts'

export interface ManifestChange {
  argv?: readonly string[]
  replicas?: number
  firstPort?: number
  deploy?: Record<string, unknown>
  engine?: Record<string, unknown>
  model?: Record<string, unknown>
}

/** A small manifest of the embedded engine, deployed as processes. */
export function processManifest(change: ManifestChange = {}): Manifest {
  const replicas = change.replicas ?? 1
  return manifestSchema.parse({
    model: {
      id: 'fixture',
      revision: 'fixture-r1',
      tokenizer_revision: 'fixture-r1',
      precision: 'bf16',
      prompt_token_ids: [1000, 30000],
      ...change.model,
    },
    engine: {
      name: 'fixture',
      version: '1.0',
      placement: { tp: 1, pp: 1, dp: replicas, replicas, gpus: 0 },
      deploy: {
        kind: 'process',
        argv: change.argv ?? ['{node}', 'fixtures/engine/main.ts', '--port', '{port}'],
        first_port: change.firstPort ?? 18000,
        ready_timeout_seconds: 30,
        stop_timeout_seconds: 2,
        ...change.deploy,
      },
      ...change.engine,
    },
    client: {
      streaming: true,
      arrival_pattern: 'poisson',
      minimum_duration_seconds: 5,
      initial_scheduled_requests: 60,
      request_schedule_seed: 7,
      class_schedule_counts: { interactive: 60 },
      warmup_seconds: 0,
      maximum_duration_seconds: 60,
      request_timeout_seconds: 10,
      automatic_retries: false,
    },
    workload: [
      {
        name: 'interactive',
        mix: 1,
        input_tokens: 64,
        output_tokens: 16,
        request_ttft_cutoff_ms: 500,
        request_tpot_cutoff_ms: 50,
      },
    ],
    acceptance: {
      class_slo_attainment_min: 0.95,
      min_successful_samples_per_class: 50,
      error_rate_max: 0.01,
      queue_trend_required: 'flat',
      target_utilization: 0.75,
    },
  })
}
