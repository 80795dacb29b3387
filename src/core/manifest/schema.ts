import { z } from 'zod'
import { EVIDENCE_GROUPS } from '../kernel/evidence.ts'

/**
 * The manifest's schema, and each field's tag. Subject: what an upgrade may change. Experiment: what makes two capacities
 * comparable. Operation: how it is run. Note: for people. Subject and experiment are hashed apart.
 */
export type FieldTag = 'subject' | 'experiment' | 'operation' | 'note'

const tagged =
  (tag: FieldTag) =>
  <T extends z.ZodType>(schema: T): T =>
    schema.meta({ tag }) as T
const subject = tagged('subject')
const experiment = tagged('experiment')
const operation = tagged('operation')
const note = tagged('note')

const text = z.string().min(1)
const count = z.int().min(1)
const seconds = z.number().positive()
const share = z.number().min(0).max(1)
const env = z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), z.string())

const modelSchema = z.strictObject({
  id: experiment(text),
  revision: experiment(text),
  tokenizer_revision: experiment(text),
  precision: experiment(text),
  max_model_len: experiment(count).optional(),
  kv_cache_dtype: experiment(text.default('auto')),
  quantization: experiment(text.default('none')),
  chat_template_sha256: experiment(text.default('none')),
  prompt_token_ids: experiment(z.tuple([z.int().min(0), z.int().min(1)])).optional(),
})

const routerSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: subject(z.literal('client')), policy: subject(z.literal('round_robin').default('round_robin')) }),
  z.strictObject({ kind: subject(z.literal('container')), image: subject(text) }),
  z.strictObject({ kind: subject(z.literal('engine')) }),
  z.strictObject({ kind: subject(z.literal('external')), url: subject(z.url()) }),
])

const deployShared = {
  env: subject(env.default({})),
  secrets: operation(z.array(text).default([])),
  first_port: operation(z.int().min(1).max(65535).default(8000)),
  router: routerSchema.default({ kind: 'client', policy: 'round_robin' }),
  ready_timeout_seconds: operation(seconds.default(1800)),
  stop_timeout_seconds: operation(seconds.default(10)),
}

const deploySchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: operation(z.literal('docker')),
    image: subject(text),
    args: subject(z.array(z.string()).default([])),
    gpus: operation(z.union([z.literal('auto'), z.array(z.array(z.int().min(0)).min(1)).min(1)]).default('auto')),
    weights: operation(text).optional(),
    compile_cache: operation(text).optional(),
    cpus: operation(z.strictObject({ engine: text, client: text })).optional(),
    gpu_free_timeout_seconds: operation(seconds.default(120)),
    ...deployShared,
  }),
  z.strictObject({
    kind: operation(z.literal('process')),
    argv: subject(z.array(text).min(1)),
    ...deployShared,
  }),
  z.strictObject({
    kind: operation(z.literal('endpoint')),
    urls: operation(z.array(z.url()).min(1)),
    router: deployShared.router,
    ready_timeout_seconds: deployShared.ready_timeout_seconds,
  }),
])

const toggle = z.enum(['enabled', 'disabled'])

const engineSchema = z.strictObject({
  name: subject(text),
  version: subject(text),
  dialect: operation(text).optional(),
  placement: experiment(z.strictObject({ tp: count, pp: count, dp: count, replicas: count, gpus: z.int().min(0) })),
  prefix_cache: experiment(toggle.default('enabled')),
  speculative_decoding: experiment(toggle.default('disabled')),
  disaggregated_prefill: experiment(toggle.default('disabled')),
  deploy: deploySchema.optional(),
})

const clientSchema = z.strictObject({
  location: note(text).optional(),
  streaming: experiment(z.literal(true)),
  arrival_pattern: experiment(z.enum(['poisson', 'constant'])),
  minimum_duration_seconds: experiment(seconds),
  initial_scheduled_requests: experiment(count),
  extension_requests: experiment(z.int().min(0).default(0)),
  extension_blocks: experiment(count.default(1)),
  request_schedule_seed: experiment(z.int().min(0).max(0xffff_ffff)),
  class_schedule_counts: experiment(z.record(text, z.int().min(0))),
  warmup_seconds: experiment(z.number().min(0)),
  maximum_duration_seconds: experiment(seconds),
  request_timeout_seconds: experiment(seconds),
  first_token_timeout_seconds: experiment(seconds).optional(),
  stall_timeout_seconds: experiment(seconds).optional(),
  automatic_retries: experiment(z.literal(false)),
  endpoint: experiment(z.enum(['completions', 'chat']).default('completions')),
  prompt: experiment(z.enum(['token_ids', 'text']).default('token_ids')),
  sampling: z
    .strictObject({
      temperature: experiment(z.number().min(0).default(0)),
      ignore_eos: experiment(z.boolean().default(true)),
      min_tokens: experiment(z.enum(['equal', 'none']).default('equal')),
      stop: experiment(z.array(z.string()).default([])),
    })
    .prefault({}),
  cancellation: experiment(z.literal('none').default('none')),
  send_lag_p99_max_ms: experiment(z.number().positive().default(5)),
  offered_rate_min_share: experiment(share.default(0.99)),
})

const workloadClassSchema = z.strictObject({
  name: experiment(text.regex(/^[A-Za-z0-9_.-]+$/, 'letters, digits, `_`, `.` and `-` only')),
  mix: experiment(share),
  input_tokens: experiment(count),
  output_tokens: experiment(count),
  request_ttft_cutoff_ms: experiment(z.number().positive()),
  request_tpot_cutoff_ms: experiment(z.number().positive()),
  request_e2e_cutoff_ms: experiment(z.number().positive()).optional(),
})

const cacheSchema = z.strictObject({
  cold: z
    .strictObject({
      isolate: experiment(z.enum(['unique_tokens', 'cache_salt']).default('unique_tokens')),
      restart: experiment(z.enum(['per_state', 'per_point']).default('per_state')),
      hit_rate_max: experiment(share.default(0.01)),
    })
    .optional(),
  warm: z
    .strictObject({
      prefix_set: experiment(text),
      count: experiment(count),
      tokens: experiment(count),
      law: experiment(z.enum(['zipf', 'uniform']).default('zipf')),
      exponent: experiment(z.number().min(0).default(1)),
      hit_rate_min: experiment(share),
    })
    .optional(),
})

const sweepSchema = z.strictObject({
  rates_rps: operation(z.array(z.number().positive()).min(1)),
  refine_step: operation(share.default(0.02)),
  repeats: operation(count.default(1)),
  saturation_concurrency: operation(z.array(count).default([])),
})

const acceptanceSchema = z.strictObject({
  class_slo_attainment_min: experiment(share),
  min_successful_samples_per_class: experiment(count),
  error_rate_max: experiment(share),
  queue_trend_required: experiment(z.literal('flat')),
  target_utilization: operation(share),
  capacity_tolerance: experiment(share.default(0.04)),
  min_capacity_rps: experiment(z.number().positive()).optional(),
  latency_origin: experiment(z.enum(['send', 'due']).default('send')),
  class_error_rate_max: experiment(share).optional(),
  attempted_attainment_min: experiment(share).optional(),
  planned_cancellations: experiment(z.enum(['failures', 'excluded']).default('failures')),
  required_evidence: experiment(
    z.array(z.enum(EVIDENCE_GROUPS)).default(['identity', 'client', 'queue', 'cache_hit', 'stability']),
  ),
})

export const manifestSchema = z.strictObject({
  cutoff: note(text).optional(),
  gate: z.strictObject({ id: note(text) }).optional(),
  model: modelSchema,
  engine: engineSchema,
  client: clientSchema,
  workload: z.array(workloadClassSchema).min(1),
  cache: cacheSchema.optional(),
  sweep: sweepSchema.optional(),
  acceptance: acceptanceSchema,
})

/** A manifest as parsed: the YAML's own names, which carry their units, with every default filled in. */
export type Manifest = z.output<typeof manifestSchema>
export type WorkloadClass = Manifest['workload'][number]
export type Acceptance = Manifest['acceptance']
export type Deploy = NonNullable<Manifest['engine']['deploy']>
