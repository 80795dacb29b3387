import type { CacheTiers } from './cache-tier.ts'
import type { Dialect } from './dialect.ts'
import { counter, requestGauge, shareGauge, watched } from './metric-source.ts'
import type { OwnedArgument } from './owned-argument.ts'
import { alwaysOn, flag, owned, refused } from './owned-argument.ts'

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
}

/**
 * vLLM's server arguments. Its parser takes `_` for `-`, `--flag=value`, unique prefixes of a flag, and the keys of a JSON value as
 * `--flag.key value`; `ownedArgumentsIn` knows all of these.
 */
const VLLM_ARGUMENTS: readonly OwnedArgument[] = [
  owned('model', 'model.id', { aliases: ['model-tag'], value: { of: 'model.id' } }),
  owned('served-model-name', 'model.id', { value: { of: 'model.id' } }),
  owned('revision', 'model.revision', { value: { of: 'model.revision' } }),
  owned('code-revision', 'model.revision', { value: { of: 'model.revision' } }),
  ...refused('model.revision', ['hf-overrides', 'hf-config-path', 'rope-scaling', 'rope-theta']),
  owned('lora-modules', 'model.id'),
  owned('enable-lora', 'model.id', flag),
  owned('tokenizer', 'model.tokenizer_revision'),
  owned('tokenizer-revision', 'model.tokenizer_revision', { value: { of: 'model.tokenizer_revision' } }),
  owned('dtype', 'model.precision', { value: { of: 'model.precision' } }),
  owned('max-model-len', 'model.max_model_len', { value: { of: 'model.max_model_len' } }),
  owned('kv-cache-dtype', 'model.kv_cache_dtype', { value: { of: 'model.kv_cache_dtype' } }),
  owned('quantization', 'model.quantization', {
    aliases: ['-q'],
    value: { of: 'model.quantization', except: ['none'] },
  }),
  ...refused('model.kv_cache_dtype', ['kv-cache-dtype-skip-layers', 'quantization-param-path']),
  owned('calculate-kv-scales', 'model.kv_cache_dtype', flag),
  ...refused('model.chat_template_sha256', ['chat-template', 'default-chat-template-kwargs'], {
    leftToSubject: 'chat_template',
  }),
  owned('tensor-parallel-size', 'engine.placement.tp', { aliases: ['-tp'], value: { of: 'engine.placement.tp' } }),
  owned('pipeline-parallel-size', 'engine.placement.pp', { aliases: ['-pp'], value: { of: 'engine.placement.pp' } }),
  owned('data-parallel-size', 'engine.placement.dp', { aliases: ['-dp'], value: { of: 'engine.placement.dp' } }),
  // Each takes GPUs, or machines, that no placement counts.
  owned('prefill-context-parallel-size', 'engine.placement.tp', { aliases: ['-pcp'] }),
  owned('decode-context-parallel-size', 'engine.placement.tp', { aliases: ['-dcp'] }),
  ...refused('engine.placement.tp', ['nnodes', 'node-rank', 'master-addr', 'master-port']),
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
    value: { prefixCache: { enabled: true, disabled: false } },
  }),
  owned('speculative-config', 'engine.speculative_decoding', {
    aliases: ['-sc'],
    leftToSubject: 'speculative_decoding',
  }),
  // The last two are those of versions before 0.9.
  ...refused(
    'engine.speculative_decoding',
    ['spec-method', 'spec-model', 'spec-tokens', 'speculative-model', 'num-speculative-tokens'],
    { leftToSubject: 'speculative_decoding' },
  ),
  ...refused('engine.disaggregated_prefill', ['kv-transfer-config', 'ec-transfer-config'], {
    leftToSubject: 'disaggregated_prefill',
  }),
  owned('generation-config', 'client.sampling', { value: { text: 'vllm' } }),
  ...refused('client.sampling', ['override-generation-config', 'logits-processors']),
  owned('seed', 'the gate', { value: { text: '0' } }),
  owned('host', 'the gate', { value: { text: '127.0.0.1' } }),
  owned('port', 'engine.deploy.first_port', { value: { of: 'port' } }),
  ...refused('the gate', ['uds', 'root-path', 'api-key', 'ssl-keyfile', 'ssl-certfile']),
  owned('headless', 'the gate', flag),
  // Prompts of token ids and exact lengths need the tokenizer’s ends.
  owned('skip-tokenizer-init', 'the gate', flag),
  // A file of arguments would bring in any of the above unseen.
  owned('config', 'the gate'),
  owned('enable-prompt-tokens-details', 'the gate', alwaysOn),
  // It takes away the gauges and counters that the evidence reads.
  owned('disable-log-stats', 'the gate', flag),
]

/** `--cpu-offload-gb` moves weights and `--swap-space` what runs: neither holds prompts. */
const VLLM_TIERS: CacheTiers = {
  isSeen: true,
  known: [
    {
      title: 'KV offloading to the CPUs’ memory',
      arguments: ['kv-offloading-size', 'kv-offloading-backend'],
      environment: [],
      // A reset that asks for it was seen to leave it as it was.
      clearedBy: 'restart',
    },
    {
      title: 'a KV connector (LMCache, Mooncake or the like)',
      arguments: ['kv-transfer-config'],
      environment: ['LMCACHE_*', 'MOONCAKE_*'],
      clearedBy: 'nothing',
    },
  ],
  hits: { names: ['vllm:external_prefix_cache_hits_total'], except: {} },
}

export const VLLM: Dialect = {
  id: 'vllm',
  title: 'vLLM',
  names: [],
  simulated: false,
  seen: { how: 'live', version: '0.32.0 (CPU build)' },
  defaultPort: 8000,
  paths: {
    models: '/v1/models',
    metrics: '/metrics',
    completions: '/v1/completions',
    chat: '/v1/chat/completions',
  },
  health: { path: '/health', field: null, healthy: [] },
  version: [{ path: '/version', field: 'version' }],
  ownedBy: ['vllm'],
  // The external tiers too: a reset that leaves them still serves the prompt from there.
  reset: {
    method: 'POST',
    paths: ['/reset_prefix_cache?reset_external=true'],
    reading: { by: 'field', field: 'success', emptyBody: 'unknown' },
  },
  cacheTiers: VLLM_TIERS,
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
    unknownFields: 'ignored',
  },
  answer: { tokenIds: 'token_ids', cachedTokens: 'cached_tokens' },
  precisions: PRECISIONS,
  arguments: VLLM_ARGUMENTS,
  syntax: { prefixes: true, joinedShort: true, positionalModelAfter: ['serve'] },
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
    'VLLM_DP_*': 'engine.placement.dp',
    VLLM_USE_MODELSCOPE: 'model.revision',
    HF_HUB_OFFLINE: 'the gate',
    CUDA_VISIBLE_DEVICES: 'engine.deploy.gpus',
    NVIDIA_VISIBLE_DEVICES: 'engine.deploy.gpus',
  },
  metrics: {
    sources: {
      running: requestGauge('vllm:num_requests_running'),
      waiting: requestGauge('vllm:num_requests_waiting'),
      kvUsage: shareGauge('vllm:kv_cache_usage_perc', 'vllm:gpu_cache_usage_perc'),
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
    watched('preemptions', ['vllm:num_preemptions_total'], 'requests preempted for want of KV blocks', {
      countsLate: true,
    }),
    // Of a sample of the blocks, and only with --kv-cache-metrics.
    watched('evictions', ['vllm:kv_block_idle_before_evict_seconds_count'], 'KV blocks evicted, of those sampled'),
    watched('corrupted', ['vllm:corrupted_requests_total'], 'requests with corrupt (NaN) logits', { onRise: 'fail' }),
    watched('admission_rejections', ['vllm:admission_rejections_total'], 'requests refused at the door'),
    watched('finished_with_error', ['vllm:request_success_total'], 'requests that the engine ended with an error', {
      labels: { finished_reason: 'error' },
    }),
    watched('kv_transfer_failures', ['vllm:nixl_num_failed_transfers_total'], 'failed KV transfers', {
      onRise: 'fail',
    }),
  ],
  stop: {
    signal: 'SIGTERM',
    finishesInFlight: false,
    workersOutliveServer: true,
    drainSetting: '--shutdown-timeout SECONDS',
  },
  mends: {
    cached_tokens: '--enable-prompt-tokens-details',
    metrics: 'no --disable-log-stats',
    reset: 'VLLM_SERVER_DEV_MODE=1 in its environment, on an address that only the gate reaches',
  },
}
