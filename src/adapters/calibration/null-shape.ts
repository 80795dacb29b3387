import type { RequestShape } from '../../app/ports/replay.ts'
import { dialectFor } from '../../core/dialect/choose.ts'
import { manifestSchema } from '../../core/manifest/schema.ts'
import type { Manifest } from '../../core/manifest/schema.ts'
import type { CalibrationNeed } from '../../core/telemetry/calibration-need.ts'
import type { NullForm } from './null-stream.ts'

/** Requests whose bytes are those of the need. */
export function calibrationShape(need: CalibrationNeed): RequestShape {
  const manifest = nullManifest(need)
  const dialect = dialectFor(manifest)
  return {
    manifest,
    // The null server knows a request by its id.
    dialect: { ...dialect, requestIdHeader: 'x-request-id' },
    header: {
      version: 1,
      cache: 'cold',
      generator: 'poisson-1',
      seed: 1,
      initialRequests: 1,
      extensionRequests: 0,
      blockRequests: 0,
      warmupSeed: 1,
      prefixes: [],
    },
    epoch: 1,
  }
}

/** What the need's dialect asks of each chunk. */
export function nullForm(need: CalibrationNeed): NullForm {
  const { request } = dialectFor({ engine: { dialect: need.dialect } })
  return {
    endpoint: need.endpoint,
    continuousUsage: request.continuousUsage !== null,
    tokenIds: request.returnTokenIds !== null,
  }
}

function nullManifest(need: CalibrationNeed): Manifest {
  const cutoffs = { request_ttft_cutoff_ms: 1000, request_tpot_cutoff_ms: 1000 }
  return manifestSchema.parse({
    model: {
      id: 'null',
      revision: 'null',
      tokenizer_revision: 'null',
      precision: 'none',
      prompt_token_ids: need.tokenRange,
    },
    engine: {
      name: 'null',
      version: '1',
      dialect: need.dialect,
      placement: { tp: 1, pp: 1, dp: 1, replicas: 1, gpus: 0 },
    },
    client: {
      streaming: true,
      arrival_pattern: 'poisson',
      minimum_duration_seconds: 1,
      initial_scheduled_requests: 1,
      request_schedule_seed: 1,
      class_schedule_counts: {},
      warmup_seconds: 0,
      maximum_duration_seconds: 60,
      request_timeout_seconds: 10,
      automatic_retries: false,
      endpoint: need.endpoint,
      prompt: need.prompt,
    },
    workload: need.classes.map(({ name, inputTokens, outputTokens }) => ({
      name,
      mix: 1,
      input_tokens: inputTokens,
      output_tokens: outputTokens,
      ...cutoffs,
    })),
    acceptance: {
      class_slo_attainment_min: 0,
      min_successful_samples_per_class: 1,
      error_rate_max: 0,
      queue_trend_required: 'flat',
      target_utilization: 1,
    },
  })
}
