import type { Dialect, DialectInput, MetricSource, OwnedArgument } from './dialect.ts'

const COMMIT = /^[0-9a-f]{40}$/i

/** A local digest says what must lie on disk; only a commit can be asked of a hub. */
const commitOnly = (revision: string) => (COMMIT.test(revision) ? revision : null)

const PRECISIONS = {
  bf16: 'bfloat16',
  bfloat16: 'bfloat16',
  fp16: 'float16',
  float16: 'float16',
  half: 'float16',
  fp32: 'float32',
  float32: 'float32',
  auto: 'auto',
  // Eight- and four-bit checkpoints say their own layout; the activations' type is the checkpoint's.
  fp8: 'auto',
  int8: 'auto',
  int4: 'auto',
  nvfp4: 'auto',
  mxfp4: 'auto',
} as const

const precisionWords: Readonly<Record<string, string>> = PRECISIONS

const owned = (
  long: string,
  owner: string,
  rest: Partial<Omit<OwnedArgument, 'long' | 'owner'>> = {},
): OwnedArgument => ({ long, owner, aliases: [], takesValue: true, generate: null, ...rest })

const flag = { takesValue: false } as const
const isSpeculating = (input: DialectInput) => input.engine.speculative_decoding === 'enabled'
const isDisaggregated = (input: DialectInput) => input.engine.disaggregated_prefill === 'enabled'
const hasTemplate = (input: DialectInput) => input.model.chat_template_sha256 !== 'none'
const ranksInOneEngine = (input: DialectInput) =>
  input.engine.deploy?.router?.kind === 'engine' && input.engine.placement.dp > 1
    ? String(input.engine.placement.dp)
    : null

/**
 * vLLM's server arguments. Its parser takes `_` for `-`, `--flag=value`, unique prefixes of a flag, and the keys of a JSON value as
 * `--flag.key value`; `ownedArgumentsIn` knows all of these.
 */
const VLLM_ARGUMENTS: readonly OwnedArgument[] = [
  owned('model', 'model.id', { aliases: ['model-tag'], generate: (input) => input.model.id }),
  owned('served-model-name', 'model.id', { generate: (input) => input.model.id }),
  owned('revision', 'model.revision', { generate: (input) => commitOnly(input.model.revision) }),
  owned('code-revision', 'model.revision', { generate: (input) => commitOnly(input.model.revision) }),
  owned('hf-overrides', 'model.revision'),
  owned('hf-config-path', 'model.revision'),
  owned('rope-scaling', 'model.revision'),
  owned('rope-theta', 'model.revision'),
  owned('lora-modules', 'model.id'),
  owned('tokenizer', 'model.tokenizer_revision'),
  owned('tokenizer-revision', 'model.tokenizer_revision', {
    generate: (input) => commitOnly(input.model.tokenizer_revision),
  }),
  owned('dtype', 'model.precision', {
    generate: (input) => precisionWords[input.model.precision] ?? input.model.precision,
  }),
  owned('max-model-len', 'model.max_model_len', {
    generate: (input) => (input.model.max_model_len === undefined ? null : String(input.model.max_model_len)),
  }),
  owned('kv-cache-dtype', 'model.kv_cache_dtype', { generate: (input) => input.model.kv_cache_dtype }),
  owned('quantization', 'model.quantization', {
    aliases: ['-q'],
    generate: (input) => (input.model.quantization === 'none' ? null : input.model.quantization),
  }),
  owned('chat-template', 'model.chat_template_sha256', { leftToSubject: hasTemplate }),
  owned('tensor-parallel-size', 'engine.placement.tp', {
    aliases: ['-tp'],
    generate: (input) => String(input.engine.placement.tp),
  }),
  owned('pipeline-parallel-size', 'engine.placement.pp', {
    aliases: ['-pp'],
    generate: (input) => String(input.engine.placement.pp),
  }),
  owned('data-parallel-size', 'engine.placement.dp', { aliases: ['-dp'], generate: ranksInOneEngine }),
  owned('data-parallel-size-local', 'engine.placement.dp', { aliases: ['-dpl'] }),
  owned('data-parallel-rank', 'engine.placement.dp', { aliases: ['-dpn'] }),
  owned('data-parallel-start-rank', 'engine.placement.dp', { aliases: ['-dpr'] }),
  owned('data-parallel-address', 'engine.placement.dp', { aliases: ['-dpa'] }),
  owned('data-parallel-rpc-port', 'engine.placement.dp', { aliases: ['-dpp'] }),
  owned('data-parallel-backend', 'engine.placement.dp', { aliases: ['-dpb'] }),
  owned('data-parallel-hybrid-lb', 'engine.placement.dp', { ...flag, aliases: ['-dph'] }),
  owned('data-parallel-external-lb', 'engine.placement.dp', { ...flag, aliases: ['-dpe'] }),
  owned('enable-prefix-caching', 'engine.prefix_cache', {
    ...flag,
    generate: (input) => input.engine.prefix_cache === 'enabled',
  }),
  owned('speculative-config', 'engine.speculative_decoding', { aliases: ['-sc'], leftToSubject: isSpeculating }),
  owned('spec-method', 'engine.speculative_decoding', { leftToSubject: isSpeculating }),
  owned('spec-model', 'engine.speculative_decoding', { leftToSubject: isSpeculating }),
  owned('spec-tokens', 'engine.speculative_decoding', { leftToSubject: isSpeculating }),
  owned('kv-transfer-config', 'engine.disaggregated_prefill', { leftToSubject: isDisaggregated }),
  owned('ec-transfer-config', 'engine.disaggregated_prefill', { leftToSubject: isDisaggregated }),
  owned('generation-config', 'client.sampling', { generate: () => 'vllm' }),
  owned('override-generation-config', 'client.sampling'),
  owned('seed', 'the gate', { generate: () => '0' }),
  owned('host', 'the gate', { generate: () => '127.0.0.1' }),
  owned('port', 'engine.deploy.first_port', { generate: (_input, place) => String(place.port) }),
  owned('uds', 'the gate'),
  owned('root-path', 'the gate'),
  owned('api-key', 'the gate'),
  owned('ssl-keyfile', 'the gate'),
  owned('ssl-certfile', 'the gate'),
  owned('headless', 'the gate', flag),
  // A file of arguments would bring in any of the above unseen.
  owned('config', 'the gate'),
  owned('enable-prompt-tokens-details', 'the gate', { ...flag, generate: () => true }),
  // It takes away the gauges and counters that the evidence reads.
  owned('disable-log-stats', 'the gate', flag),
]

const counter = (unit: MetricSource['unit'], ...names: string[]): MetricSource => ({
  names,
  kind: 'counter',
  unit,
  across: 'sum',
})

export const VLLM: Dialect = {
  id: 'vllm',
  title: 'vLLM',
  simulated: false,
  defaultPort: 8000,
  paths: {
    health: '/health',
    version: { path: '/version', field: 'version' },
    models: '/v1/models',
    metrics: '/metrics',
    completions: '/v1/completions',
    chat: '/v1/chat/completions',
  },
  // The external tiers too: a reset that leaves them still serves the prompt from there.
  reset: { method: 'POST', path: '/reset_prefix_cache?reset_external=true', field: 'success', emptyBody: 'unknown' },
  requestIdHeader: 'x-request-id',
  connection: { closesAfterMs: 5000, environmentSeconds: 'VLLM_HTTP_TIMEOUT_KEEP_ALIVE' },
  request: {
    promptTokenIds: true,
    maxTokens: { completions: 'max_tokens', chat: 'max_completion_tokens' },
    minTokens: 'min_tokens',
    ignoreEos: 'ignore_eos',
    returnTokenIds: 'return_token_ids',
    includeUsage: 'include_usage',
    continuousUsage: 'continuous_usage_stats',
    cacheSalt: 'cache_salt',
    seed: 'seed',
  },
  answer: { tokenIds: 'token_ids', cachedTokens: 'cached_tokens' },
  precisions: PRECISIONS,
  arguments: VLLM_ARGUMENTS,
  positionalModelAfter: 'serve',
  environment: {
    // Opens the reset route; the engine listens on the loopback address only.
    VLLM_SERVER_DEV_MODE: '1',
    VLLM_NO_USAGE_STATS: '1',
    HF_HUB_OFFLINE: '1',
  },
  ownedEnvironment: {
    VLLM_SERVER_DEV_MODE: 'the gate',
    VLLM_API_KEY: 'the gate',
    VLLM_PORT: 'engine.deploy.first_port',
    VLLM_HOST_IP: 'the gate',
    HF_HUB_OFFLINE: 'the gate',
    CUDA_VISIBLE_DEVICES: 'engine.deploy.gpus',
    NVIDIA_VISIBLE_DEVICES: 'engine.deploy.gpus',
  },
  metrics: {
    sources: {
      running: { names: ['vllm:num_requests_running'], kind: 'gauge', unit: 'requests', across: 'sum' },
      waiting: { names: ['vllm:num_requests_waiting'], kind: 'gauge', unit: 'requests', across: 'sum' },
      kvUsage: {
        names: ['vllm:kv_cache_usage_perc', 'vllm:gpu_cache_usage_perc'],
        kind: 'gauge',
        unit: 'share',
        across: 'max',
      },
      // The older `gpu_prefix_cache_…` counted blocks: they are no alias.
      prefixQueries: counter('tokens', 'vllm:prefix_cache_queries_total'),
      prefixHits: counter('tokens', 'vllm:prefix_cache_hits_total'),
      promptTokens: counter('tokens', 'vllm:prompt_tokens_total'),
      promptTokensCached: counter('tokens', 'vllm:prompt_tokens_cached_total'),
      generationTokens: counter('tokens', 'vllm:generation_tokens_total'),
      preemptions: counter('events', 'vllm:num_preemptions_total'),
    },
    finished: { names: ['vllm:request_success_total'], labels: ['finished_reason', 'finish_reason'] },
    cacheConfig: {
      name: 'vllm:cache_config_info',
      blockTokens: 'block_size',
      blocks: 'num_gpu_blocks',
      tokens: 'kv_cache_size_tokens',
    },
  },
  stability: [
    {
      id: 'preemptions',
      names: ['vllm:num_preemptions_total'],
      labels: {},
      onRise: 'record',
      blames: 'engine',
      title: 'requests preempted for want of KV blocks',
    },
    {
      id: 'corrupted',
      names: ['vllm:corrupted_requests_total'],
      labels: {},
      onRise: 'fail',
      blames: 'engine',
      title: 'requests with corrupt (NaN) logits',
    },
    {
      id: 'admission_rejections',
      names: ['vllm:admission_rejections_total'],
      labels: {},
      onRise: 'record',
      blames: 'engine',
      title: 'requests refused at the door',
    },
    {
      id: 'finished_with_error',
      names: ['vllm:request_success_total'],
      labels: { finished_reason: 'error' },
      onRise: 'record',
      blames: 'engine',
      title: 'requests that the engine ended with an error',
    },
    {
      id: 'kv_transfer_failures',
      names: ['vllm:nixl_num_failed_transfers_total'],
      labels: {},
      onRise: 'fail',
      blames: 'engine',
      title: 'failed KV transfers',
    },
  ],
  stop: { signal: 'SIGTERM', finishesInFlight: false, workersOutliveServer: true },
}
