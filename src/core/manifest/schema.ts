import { z } from 'zod'
import { dialectOverrideSchema } from '../dialect/override-schema.ts'
import { EVIDENCE_GROUPS } from '../kernel/evidence.ts'

/**
 * The manifest's schema, and each field's tag and meaning. Subject: what an upgrade may change. Experiment: what makes two capacities
 * comparable. Operation: how it is run. Note: for people. Subject and experiment are hashed apart.
 */
export type FieldTag = 'subject' | 'experiment' | 'operation' | 'note'

const tagged =
  (tag: FieldTag) =>
  <T extends z.ZodType>(schema: T, description: string): T =>
    schema.meta({ tag, description }) as T
const subject = tagged('subject')
const experiment = tagged('experiment')
const operation = tagged('operation')
const note = tagged('note')

const text = z.string().min(1)
const count = z.int().min(1)
const seconds = z.number().positive()
const share = z.number().min(0).max(1)
const cpuList = z.string().regex(/^\d+(-\d+)?(,\d+(-\d+)?)*$/)
const env = z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), z.string())

const modelSchema = z.strictObject({
  id: experiment(text, 'The model: a hub id or a local directory.'),
  revision: experiment(text, 'Its commit (40 hex digits) or the digest of the local files (sha256:…).'),
  tokenizer_revision: experiment(text, 'The same of its tokenizer.'),
  precision: experiment(text, 'The type of weights and activations, e.g. bf16.'),
  max_model_len: experiment(count, 'The longest context in tokens, input and output together.').optional(),
  kv_cache_dtype: experiment(text.default('auto'), 'The type of the KV cache; auto: the precision.'),
  quantization: experiment(text.default('none'), "The quantization method; none: the checkpoint's own."),
  chat_template_sha256: experiment(text.default('none'), "SHA-256 of the chat template; none: the model's own."),
  prompt_token_ids: experiment(
    z.tuple([z.int().min(0), z.int().min(1)]),
    'The range [from, to) that prompt token ids are drawn from.',
  ).optional(),
})

const routerSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: subject(z.literal('client'), 'The load generator addresses each replica itself.'),
    policy: subject(
      z.enum(['round_robin', 'session', 'prefix']).default('round_robin'),
      'How it chooses the replica: in turn, or always the same one for a session or a shared prefix.',
    ),
  }),
  z.strictObject({
    kind: subject(z.literal('container'), 'A router in a container of its own.'),
    image: subject(text, "The image of an HAProxy, by digest; it listens on the port after the last replica's."),
  }),
  z.strictObject({ kind: subject(z.literal('engine'), 'One engine process that holds every replica itself.') }),
  z.strictObject({
    kind: subject(z.literal('external'), 'A router that is already up.'),
    url: subject(z.url(), "The router's origin."),
  }),
])

const deployShared = {
  env: subject(env.default({}), "The engine's environment; nothing is inherited."),
  secrets: operation(
    z.array(text).default([]),
    'Names of environment variables that the engine may read, a hub token only at staging; never values.',
  ),
  first_port: operation(z.int().min(1).max(65535).default(8000), "The first replica's port; the others follow it."),
  router: routerSchema.default({ kind: 'client', policy: 'round_robin' }),
  ready_timeout_seconds: operation(seconds.default(1800), 'How long the engine may take until it is ready.'),
  stop_timeout_seconds: operation(seconds.default(10), 'How long the engine may take to stop before it is killed.'),
}

const gpuChoice = z.union([z.literal('auto'), z.array(z.array(z.int().min(0)).min(1)).min(1)])
const gpuFreeTimeout = operation(
  seconds.default(120),
  "How long to wait, after a stop, until the GPUs' memory is back where it was.",
)
const limit = z.int().min(-1)

const deploySchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: operation(z.literal('docker'), 'One container for each replica, on the host network.'),
    image: subject(text, "The engine's image, by digest."),
    args: subject(
      z.array(z.string()).default([]),
      "The engine's arguments, without those that the manifest owns. {port} is the port, {replica} the replica's number.",
    ),
    gpus: operation(gpuChoice.default('auto'), 'For each replica the indices of its GPUs, or auto: the first ones.'),
    weights: operation(
      text,
      'Directory of the staged weights, mounted read-only at its own path: a Hugging Face cache, or what holds the model.id directory.',
    ).optional(),
    compile_cache: operation(
      text,
      'Directory of compiled kernels, kept between boots: one folder for each subject, driver and GPU model.',
    ).optional(),
    // How many CPUs each side has makes two capacities comparable, as the GPUs do.
    cpus: z
      .strictObject({
        engine: experiment(cpuList, 'CPUs of the engine, e.g. 0-79.'),
        client: experiment(cpuList, 'CPUs of the load generator: it is pinned to them.'),
      })
      .optional(),
    shm_gib: subject(
      z.number().positive(),
      "Shared memory of a container in GiB; by default Docker's 64 MiB.",
    ).optional(),
    ipc: subject(
      z.enum(['private', 'host']),
      "Whose shared memory it uses; by default Docker's own: private.",
    ).optional(),
    ulimits: z
      .strictObject({
        memlock: subject(limit, 'Bytes that may be locked; -1: no limit.').optional(),
        stack: subject(limit, 'Bytes of a stack; -1: no limit.').optional(),
        nofile: subject(limit, 'Open files; -1: no limit.').optional(),
      })
      .optional(),
    memory_gib: subject(
      z.number().positive(),
      'Memory of a container in GiB; more ends it. By default no limit.',
    ).optional(),
    gpu_free_timeout_seconds: gpuFreeTimeout,
    ...deployShared,
  }),
  z.strictObject({
    kind: operation(z.literal('process'), 'One process for each replica.'),
    argv: subject(
      z.array(text).min(1),
      'Program and arguments, without those that the manifest owns. {node} is our own Node, {fixture_engine} the embedded engine, {port} and {replica} the replica’s.',
    ),
    gpus: operation(
      gpuChoice,
      'For each replica the indices of its GPUs, or auto: the first ones. Without it each process sees all.',
    ).optional(),
    gpu_free_timeout_seconds: gpuFreeTimeout,
    ...deployShared,
  }),
  z.strictObject({
    kind: operation(z.literal('endpoint'), 'Servers that are already up.'),
    urls: operation(z.array(z.url()).min(1), 'The origin of each replica.'),
    router: deployShared.router,
    ready_timeout_seconds: deployShared.ready_timeout_seconds,
  }),
])

const toggle = z.enum(['enabled', 'disabled'])

const engineSchema = z.strictObject({
  name: subject(text, 'The engine: vllm, sglang, fixture … or any other name.'),
  version: subject(text, 'Its exact version, as it tells it itself.'),
  // It says which arguments the manifest owns and which fields a request has: another one is another experiment.
  dialect: experiment(
    z.union([text, dialectOverrideSchema]),
    'How to talk to it: the name of a dialect (docs/engines.md), or `base` and what differs from it; by default from its name.',
  ).optional(),
  placement: experiment(
    z.strictObject({ tp: count, pp: count, dp: count, replicas: count, gpus: z.int().min(0) }),
    'GPUs of a replica (tp × pp), replicas (dp is the same number), and GPUs in all; gpus 0: none.',
  ),
  prefix_cache: experiment(toggle.default('enabled'), 'Whether the engine reuses the KV blocks of equal prefixes.'),
  speculative_decoding: experiment(toggle.default('disabled'), 'Whether it drafts tokens ahead.'),
  disaggregated_prefill: experiment(toggle.default('disabled'), 'Whether prefill and decode run apart.'),
  deploy: deploySchema.optional(),
})

/** Arrival patterns beside Poisson and constant. Every schedule has a mean of one request a second, which a rate scales. */
const patternSchemas = {
  gamma: z
    .strictObject({
      shape: experiment(
        z.number().min(0.01).max(1000),
        'Shape of the gaps: below 1 burstier than Poisson, above 1 more even.',
      ),
    })
    .optional(),
  burst: z
    .strictObject({
      height: experiment(z.number().min(1).max(1e6), 'The rate in a burst as a multiple of the mean rate.'),
      width_share: experiment(
        z.number().gt(0).lt(1),
        'The share of each period that is a burst; height × share is at most 1.',
      ),
      period_requests: experiment(z.number().positive(), 'The mean number of requests from one burst to the next.'),
    })
    .optional(),
  ramp: z
    .strictObject({
      from: experiment(z.number().min(0).max(1e6), 'The rate at the start of the schedule, relative to `to`.'),
      to: experiment(z.number().min(0).max(1e6), 'The rate at its end; the mean of both is the offered rate.'),
    })
    .optional(),
  trace: z
    .strictObject({
      file: operation(text, 'The trace, relative to the manifest.'),
      sha256: experiment(z.string().regex(/^[0-9a-f]{64}$/), 'SHA-256 of its bytes.'),
      format: experiment(z.enum(['mooncake', 'azure', 'burstgpt', 'jsonl']), 'How it is read.'),
    })
    .optional(),
}

const connectionSchema = z.strictObject({
  http_version: experiment(z.enum(['1.1', '2']).default('1.1'), 'HTTP/1.1, or HTTP/2 where the engine offers it.'),
  ca_file: operation(
    text,
    'Certificates (PEM) that are trusted beside the usual ones, relative to the manifest.',
  ).optional(),
  bearer_token_env: operation(
    z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/),
    'The environment variable that holds the bearer token; never the token.',
  ).optional(),
  headers: experiment(
    z.record(z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/), z.string().regex(/^[\t\x20-\x7e]*$/)).default({}),
    'Headers that every request carries.',
  ),
  proxy: operation(
    z.url({ protocol: /^https?$/ }),
    'A proxy that requests are sent through; none otherwise.',
  ).optional(),
})

const clientSchema = z.strictObject({
  location: note(text, 'Where the load comes from.').optional(),
  streaming: experiment(z.literal(true), 'Always true: first tokens can only be timed in a stream.'),
  arrival_pattern: experiment(
    z.enum(['poisson', 'constant', 'gamma', 'burst', 'ramp', 'trace']),
    'The gaps between arrivals; all but the first two have a section of their name.',
  ),
  ...patternSchemas,
  minimum_duration_seconds: experiment(seconds, 'The shortest arrival window of a point.'),
  initial_scheduled_requests: experiment(count, 'Requests of the schedule before any extension.'),
  extension_requests: experiment(
    z.int().min(0).default(0),
    'Requests of each extension block, which follows where a class is short of its floor.',
  ),
  extension_blocks: experiment(count.default(1), 'How many extension blocks are committed.'),
  request_schedule_seed: experiment(z.int().min(0).max(0xffff_ffff), 'The seed of order and gaps.'),
  class_schedule_counts: experiment(
    z.record(text, z.int().min(0)),
    'For each class its exact number of initial requests.',
  ),
  warmup_seconds: experiment(z.number().min(0), 'Load of the same mix and rate before the cohort.'),
  maximum_duration_seconds: experiment(seconds, 'The longest arrival window of a point.'),
  request_timeout_seconds: experiment(seconds, "One request's deadline."),
  first_token_timeout_seconds: experiment(seconds, 'Its deadline for the first token.').optional(),
  stall_timeout_seconds: experiment(seconds, 'Its longest silence between two tokens.').optional(),
  automatic_retries: experiment(z.literal(false), 'Always false: a retry hides a failure and adds load.'),
  endpoint: experiment(z.enum(['completions', 'chat']).default('completions'), 'Which route is asked.'),
  prompt: experiment(z.enum(['token_ids', 'text']).default('token_ids'), 'How prompts are sent.'),
  dataset: z
    .strictObject({
      file: operation(text, 'Texts that prompts are made of, relative to the manifest.'),
      sha256: experiment(z.string().regex(/^[0-9a-f]{64}$/), 'SHA-256 of its bytes.'),
      format: experiment(z.enum(['text', 'jsonl']), 'text: one prompt a paragraph; jsonl: one a line.'),
      field: experiment(text.default('text'), 'The field of a JSON line that holds the prompt.'),
      length_tolerance: experiment(
        share.default(0.1),
        "How far the engine's count of a prompt's tokens may lie from the class's input_tokens.",
      ),
    })
    .optional(),
  session_header: experiment(
    z.string().regex(/^[A-Za-z0-9-]+$/),
    'The header that carries the session, so that a router can keep it on one replica.',
  ).optional(),
  closed_loop_think_seconds: experiment(
    z.number().min(0).default(0),
    'Closed loop: how long a place stays empty after its request ended.',
  ),
  connection: connectionSchema.prefault({}),
  sampling: z
    .strictObject({
      temperature: experiment(z.number().min(0).default(0), 'Sampling temperature.'),
      ignore_eos: experiment(z.boolean().default(true), 'Generate on past the end-of-sequence token.'),
      min_tokens: experiment(z.enum(['equal', 'none']).default('equal'), 'equal: exactly output_tokens.'),
      stop: experiment(z.array(z.string()).default([]), 'Stop strings.'),
    })
    .prefault({}),
  cancellation: experiment(
    z
      .union([z.literal('none'), z.strictObject({ share: z.number().gt(0).max(1), after_tokens: count })])
      .default('none'),
    'Planned abandonment: the share of requests that are left after so many output tokens, drawn from the seed.',
  ),
  send_lag_p99_max_ms: experiment(
    z.number().positive().default(5),
    'The most that the client may be late at p99; beyond it the point is invalid.',
  ),
  offered_rate_min_share: experiment(
    share.default(0.99),
    'The share of the offered rate that must really have been sent.',
  ),
  calibration_error_max_share: experiment(
    share.default(0.02),
    "The client's own error (p99) as a share of the tightest cutoff of a metric, beyond which a run is invalid.",
  ),
  raw_gaps: operation(
    z.boolean().default(false),
    'Keep every gap between token-bearing chunks, beside the histograms.',
  ),
})

const workloadClassSchema = z.strictObject({
  name: experiment(text.regex(/^[A-Za-z0-9_.-]+$/), "The class's name: letters, digits, `_`, `.` and `-` only."),
  mix: experiment(share, 'Its share of the requests; all shares sum to 1.'),
  input_tokens: experiment(
    count,
    'Prompt tokens, shared prefix included; of a session those that each turn adds; of a trace the most that the class takes.',
  ),
  output_tokens: experiment(count, 'Tokens to generate; of a trace the most that the class takes.'),
  session: z
    .strictObject({
      turns: experiment(z.int().min(2), 'Requests of a session: each carries the history of those before it.'),
      concurrent: experiment(
        count,
        "Sessions under way at a time: a session's next turn comes so many of the class's arrivals later.",
      ),
      think_seconds: experiment(z.number().min(0), 'The shortest pause between the end of a turn and the next one.'),
      history: experiment(
        z.enum(['synthetic', 'live']).default('synthetic'),
        "What stands for the engine's replies in the history: tokens of the schedule's own, or those that came.",
      ),
    })
    .optional(),
  request_ttft_cutoff_ms: experiment(z.number().positive(), "A request's latest admissible first token."),
  request_tpot_cutoff_ms: experiment(z.number().positive(), "A request's longest admissible time per output token."),
  request_e2e_cutoff_ms: experiment(z.number().positive(), "A request's latest admissible end.").optional(),
})

const cacheSchema = z.strictObject({
  cold: z
    .strictObject({
      isolate: experiment(
        z.enum(['unique_tokens', 'cache_salt']).default('unique_tokens'),
        'What keeps a prompt from hitting an earlier one.',
      ),
      restart: experiment(z.enum(['per_state', 'per_point']).default('per_state'), 'When the engine is restarted.'),
      hit_rate_max: experiment(share.default(0.01), 'Cached over input tokens, beyond which a cold point is invalid.'),
    })
    .optional(),
  warm: z
    .strictObject({
      prefix_set: experiment(text, "The prefix set's version."),
      count: experiment(count, 'How many prefixes it has.'),
      tokens: experiment(count, 'How long each is; counted inside input_tokens.'),
      law: experiment(z.enum(['zipf', 'uniform']).default('zipf'), 'How often each is used.'),
      exponent: experiment(z.number().min(0).default(1), "Zipf's exponent."),
      hit_rate_min: experiment(share, 'Cached over input tokens, below which the engine lost its warm hits.'),
    })
    .optional(),
  tiers: experiment(
    z.array(z.enum(['cpu', 'disk', 'remote'])),
    'Where the engine keeps prompts beside its GPUs, as part of what is measured; [] says nowhere. One that is on, not emptied and not declared leaves it unknown whether a point was cold.',
  ).optional(),
})

const sweepSchema = z.strictObject({
  rates_rps: operation(
    z.union([z.array(z.number().positive()).min(1), z.literal('auto')]),
    'The offered rates, requests a second; auto: found by a closed-loop saturation test first.',
  ),
  refine_step: operation(share.default(0.02), 'How narrow, relative to the rate, the bracket is made at the knee.'),
  repeats: operation(count.default(1), "Repeats of the bracket's two ends; their majority decides."),
  saturation_concurrency: operation(
    z.array(count).default([]),
    'Closed-loop concurrencies: reported, never a gate. [] beside auto: doubled until throughput stops rising.',
  ),
})

const acceptanceSchema = z.strictObject({
  class_slo_attainment_min: experiment(share, 'The share of successes that must meet their cutoffs, in every class.'),
  min_successful_samples_per_class: experiment(count, 'The floor: the fewest successes that a class is judged on.'),
  error_rate_max: experiment(share, 'The largest share of all requests that may fail.'),
  queue_trend_required: experiment(z.literal('flat'), 'Always flat: a growing queue is no capacity.'),
  target_utilization: operation(share, 'The share of capacity that planning counts on.'),
  capacity_tolerance: experiment(share.default(0.04), "How far below the baseline's capacity the guard rate lies."),
  min_capacity_rps: experiment(z.number().positive(), 'Below it is regressed, with or without a baseline.').optional(),
  latency_origin: experiment(z.enum(['send', 'due']).default('send'), 'Where latencies are judged from.'),
  class_error_rate_max: experiment(share, "The largest share of a class's requests that may fail.").optional(),
  attempted_attainment_min: experiment(
    share,
    'The share of attempted requests that must succeed within their cutoffs, in every class.',
  ).optional(),
  planned_cancellations: experiment(
    z.enum(['failures', 'excluded']).default('failures'),
    'How planned cancellations count.',
  ),
  required_evidence: experiment(
    z.array(z.enum(EVIDENCE_GROUPS)).default(['identity', 'client', 'queue', 'cache_hit', 'stability']),
    'Evidence that must not be unknown.',
  ),
})

const machineSchema = z.strictObject({
  mig: operation(
    z.enum(['disabled', 'enabled']).default('disabled'),
    'Whether the GPUs are meant to be partitioned; a machine that is otherwise is refused.',
  ),
  gpu_memory_floor_mib: operation(
    z.int().min(0).default(1024),
    'What a GPU may hold before the engine starts; one that holds more is refused.',
  ),
  min_free_disk_gib: operation(z.number().min(0).default(1), 'The free space that the pack must have to begin.'),
  dcgm_url: operation(
    z.union([z.enum(['auto', 'none']), z.url({ protocol: /^https?$/ })]).default('auto'),
    "A DCGM exporter's metrics page; auto: port 9400 of this machine, where one answers.",
  ),
})

export const manifestSchema = z.strictObject({
  cutoff: note(text, 'The date that the facts behind the manifest are from.').optional(),
  gate: z
    .strictObject({ id: note(text, 'What baselines and comments are kept under; by default from model.id.') })
    .optional(),
  model: modelSchema,
  engine: engineSchema,
  client: clientSchema,
  workload: z.array(workloadClassSchema).min(1),
  cache: cacheSchema.optional(),
  sweep: sweepSchema.optional(),
  machine: machineSchema.prefault({}),
  acceptance: acceptanceSchema,
})

/** A manifest as parsed: the YAML's own names, which carry their units, with every default filled in. */
export type Manifest = z.output<typeof manifestSchema>
export type WorkloadClass = Manifest['workload'][number]
export type Acceptance = Manifest['acceptance']
