import type { CacheTiers } from './cache-tier.ts'
import type { Dialect } from './dialect.ts'
import { counter, NO_SOURCES, requestGauge, shareGauge, watched } from './metric-source.ts'
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
  fp8: 'auto',
  int8: 'auto',
  int4: 'auto',
  nvfp4: 'auto',
  mxfp4: 'auto',
}

/** Of `sglang.launch_server` and `sglang serve`: Python's argparse, which takes unique prefixes. */
const SGLANG_ARGUMENTS: readonly OwnedArgument[] = [
  owned('model-path', 'model.id', { aliases: ['model'], value: { of: 'model.id' } }),
  owned('served-model-name', 'model.id', { value: { of: 'model.id' } }),
  owned('revision', 'model.revision', { value: { of: 'model.revision' } }),
  ...refused('model.revision', ['json-model-override-args', 'modelopt-checkpoint-restore-path']),
  ...refused('model.id', ['lora-paths']),
  owned('enable-lora', 'model.id', flag),
  // Its tokenizer has no revision of its own: it is the model's.
  owned('tokenizer-path', 'model.tokenizer_revision'),
  owned('skip-tokenizer-init', 'the gate', flag),
  owned('dtype', 'model.precision', { value: { of: 'model.precision' } }),
  owned('context-length', 'model.max_model_len', { value: { of: 'model.max_model_len' } }),
  owned('kv-cache-dtype', 'model.kv_cache_dtype', { value: { of: 'model.kv_cache_dtype' } }),
  owned('quantization-param-path', 'model.kv_cache_dtype'),
  owned('quantization', 'model.quantization', { value: { of: 'model.quantization', except: ['none'] } }),
  ...refused('model.quantization', ['modelopt-quant', 'torchao-config']),
  owned('quantize-and-serve', 'model.quantization', flag),
  ...refused('model.chat_template_sha256', ['chat-template', 'hf-chat-template-name', 'completion-template'], {
    leftToSubject: 'chat_template',
  }),
  owned('tensor-parallel-size', 'engine.placement.tp', {
    aliases: ['tp-size', 'tp'],
    value: { of: 'engine.placement.tp' },
  }),
  owned('pipeline-parallel-size', 'engine.placement.pp', {
    aliases: ['pp-size', 'pp'],
    value: { of: 'engine.placement.pp' },
  }),
  owned('data-parallel-size', 'engine.placement.dp', {
    aliases: ['dp-size', 'dp'],
    value: { of: 'engine.placement.dp' },
  }),
  ...refused('engine.placement.tp', ['nnodes', 'node-rank']),
  owned('dist-init-addr', 'engine.placement.tp', { aliases: ['nccl-init-addr'] }),
  ...refused('engine.deploy.gpus', ['base-gpu-id', 'gpu-id-step']),
  // The cache is on unless it is taken away.
  owned('disable-radix-cache', 'engine.prefix_cache', {
    ...flag,
    value: { prefixCache: { enabled: null, disabled: true } },
  }),
  ...refused(
    'engine.speculative_decoding',
    [
      'speculative-algorithm',
      'speculative-draft-model-path',
      'speculative-num-steps',
      'speculative-eagle-topk',
      'speculative-num-draft-tokens',
    ],
    { leftToSubject: 'speculative_decoding' },
  ),
  ...refused(
    'engine.disaggregated_prefill',
    ['disaggregation-mode', 'disaggregation-transfer-backend', 'disaggregation-bootstrap-port'],
    { leftToSubject: 'disaggregated_prefill' },
  ),
  // Else what a request leaves unset follows the model's own file.
  owned('sampling-defaults', 'client.sampling', { value: { text: 'openai' } }),
  owned('preferred-sampling-params', 'client.sampling'),
  owned('random-seed', 'the gate', { value: { text: '0' } }),
  owned('host', 'the gate', { value: { text: '127.0.0.1' } }),
  owned('port', 'engine.deploy.first_port', { value: { of: 'port' } }),
  ...refused('the gate', ['api-key', 'admin-api-key', 'fastapi-root-path', 'config', 'ssl-keyfile', 'ssl-certfile']),
  owned('grpc-mode', 'the gate', flag),
  owned('enable-metrics', 'the gate', alwaysOn),
  // Each rank of a tensor-parallel engine would show the same requests: their sum counts them more than once.
  owned('enable-metrics-for-all-schedulers', 'the gate', flag),
  owned('enable-cache-report', 'the gate', alwaysOn),
]

const SGLANG_TIERS: CacheTiers = {
  isSeen: true,
  known: [
    {
      title: 'the hierarchical cache in the CPUs’ memory',
      arguments: ['enable-hierarchical-cache', 'hicache-ratio', 'hicache-size'],
      environment: [],
      clearedBy: 'reset',
    },
    {
      title: 'the hierarchical cache’s storage',
      arguments: ['hicache-storage-backend', 'hicache-storage-backend-extra-config'],
      environment: ['SGLANG_HICACHE_*', 'MOONCAKE_*'],
      clearedBy: 'nothing',
    },
    { title: 'LMCache', arguments: ['enable-lmcache'], environment: ['LMCACHE_*'], clearedBy: 'nothing' },
  ],
  hits: { names: ['sglang:cached_tokens_total'], except: { cache_source: ['device', 'total'] } },
}

export const SGLANG: Dialect = {
  id: 'sglang',
  title: 'SGLang',
  names: [],
  simulated: false,
  seen: { how: 'documents', version: 'sources up to 0.5.19' },
  defaultPort: 30_000,
  paths: {
    models: '/v1/models',
    metrics: '/metrics',
    completions: '/v1/completions',
    chat: '/v1/chat/completions',
  },
  // 503 while it starts and while it drains. `/health_generate` runs a request each time, which readiness does once anyway.
  health: { path: '/health', field: null, healthy: [] },
  version: [
    { path: '/server_info', field: 'version' },
    { path: '/get_server_info', field: 'version' },
  ],
  ownedBy: ['sglang'],
  // 400 while requests run or wait. Old versions said 200 whatever happened: only the hit rate can prove those.
  reset: { method: 'POST', paths: ['/flush_cache'], reading: { by: 'status', done: [200], refused: [400] } },
  cacheTiers: SGLANG_TIERS,
  requestIdHeader: 'x-request-id',
  // uvicorn's default.
  connection: { closesAfterMs: 5000, environmentSeconds: null },
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
  arguments: SGLANG_ARGUMENTS,
  syntax: { prefixes: true, joinedShort: true, positionalModelAfter: [] },
  environment: { HF_HUB_OFFLINE: '1' },
  ownedEnvironment: {
    HF_HUB_OFFLINE: 'the gate',
    SGLANG_USE_MODELSCOPE: 'model.revision',
    CUDA_VISIBLE_DEVICES: 'engine.deploy.gpus',
    NVIDIA_VISIBLE_DEVICES: 'engine.deploy.gpus',
  },
  metrics: {
    sources: {
      ...NO_SOURCES,
      running: requestGauge('sglang:num_running_reqs'),
      waiting: requestGauge('sglang:num_queue_reqs'),
      kvUsage: shareGauge('sglang:token_usage'),
      // Counted when a request ends; cached ones for each tier they lay in, or as a total where that is not known.
      promptTokens: counter('tokens', 'sglang:prompt_tokens_total'),
      promptTokensCached: counter('tokens', 'sglang:cached_tokens_total'),
      generationTokens: counter('tokens', 'sglang:generation_tokens_total'),
      // `num_retracted_reqs` beside it is the last batch's gauge.
      preemptions: counter('events', 'sglang:num_retracted_requests_total'),
    },
    finished: null,
    cacheConfig: { name: 'sglang:cache_config_info', blockTokens: 'page_size', blocks: 'num_pages', tokens: null },
  },
  stability: [
    watched('preemptions', ['sglang:num_retracted_requests_total'], 'requests retracted for want of KV space'),
    watched('evictions', ['sglang:evicted_tokens_total'], 'tokens evicted from the cache'),
    watched('aborted', ['sglang:num_aborted_requests_total'], 'requests that the engine aborted'),
    watched('kv_transfer_failures', ['sglang:num_transfer_failed_reqs_total'], 'failed KV transfers', {
      onRise: 'fail',
    }),
  ],
  stop: { signal: 'SIGTERM', finishesInFlight: true, workersOutliveServer: null, drainSetting: null },
  mends: {
    cached_tokens: '--enable-cache-report',
    metrics: '--enable-metrics',
    reset: 'no --admin-api-key',
  },
}
