import { NO_TIERS } from './cache-tier.ts'
import type { Dialect } from './dialect.ts'
import { counter, NO_SOURCES, requestGauge, shareGauge } from './metric-source.ts'
import type { OwnedArgument } from './owned-argument.ts'
import { flag, owned, refused } from './owned-argument.ts'

const LLM_D_SIM_ARGUMENTS: readonly OwnedArgument[] = [
  owned('model', 'model.id', { value: { of: 'model.id' } }),
  owned('served-model-name', 'model.id', { value: { of: 'model.id' } }),
  ...refused('model.id', ['lora-modules']),
  owned('max-model-len', 'model.max_model_len', { value: { of: 'model.max_model_len' } }),
  ...refused('engine.placement.dp', ['data-parallel-size', 'data-parallel-rank']),
  // Off unless asked for.
  owned('enable-kvcache', 'engine.prefix_cache', {
    ...flag,
    value: { prefixCache: { enabled: true, disabled: null } },
  }),
  owned('seed', 'the gate', { value: { text: '0' } }),
  owned('port', 'engine.deploy.first_port', { value: { of: 'port' } }),
  // A file could bring in any of the above; made-up metrics would be read as evidence.
  ...refused('the gate', ['config', 'fake-metrics', 'ssl-certfile', 'ssl-keyfile']),
  owned('self-signed-certs', 'the gate', flag),
]

/** It says vLLM's words and differs in what they mean: no label of the engine, another one for how a request ended, fewer counters. */
export const LLM_D_SIM: Dialect = {
  id: 'llm-d-sim',
  title: "llm-d's simulator",
  names: ['llm-d-inference-sim'],
  simulated: true,
  seen: { how: 'records', version: 'eec055a' },
  defaultPort: 8000,
  paths: {
    models: '/v1/models',
    metrics: '/metrics',
    completions: '/v1/completions',
    chat: '/v1/chat/completions',
  },
  // `/health` is 200 from the first moment.
  health: { path: '/health/ready', field: null, healthy: [] },
  version: [],
  ownedBy: ['vllm'],
  reset: null,
  cacheTiers: NO_TIERS,
  requestIdHeader: 'x-request-id',
  connection: { closesAfterMs: 5000, environmentSeconds: null },
  request: {
    promptTokenIds: true,
    maxTokens: { completions: 'max_tokens', chat: 'max_completion_tokens' },
    minTokens: null,
    ignoreEos: 'ignore_eos',
    returnTokenIds: null,
    includeUsage: 'include_usage',
    continuousUsage: null,
    cacheSalt: null,
    seed: null,
    unknownFields: 'ignored',
  },
  answer: { tokenIds: null, cachedTokens: 'cached_tokens' },
  precisions: {},
  arguments: LLM_D_SIM_ARGUMENTS,
  syntax: { prefixes: false, joinedShort: false, positionalModelAfter: [] },
  // Without it the KV cache does not start.
  environment: { POD_IP: '127.0.0.1' },
  ownedEnvironment: { SIM_MODEL: 'model.id', POD_IP: 'the gate', PYTHONHASHSEED: 'the gate' },
  metrics: {
    sources: {
      ...NO_SOURCES,
      running: requestGauge('vllm:num_requests_running'),
      waiting: requestGauge('vllm:num_requests_waiting'),
      kvUsage: shareGauge('vllm:kv_cache_usage_perc'),
      prefixQueries: counter('tokens', 'vllm:prefix_cache_queries_total'),
      prefixHits: counter('tokens', 'vllm:prefix_cache_hits_total'),
      promptTokens: counter('tokens', 'vllm:prompt_tokens_total'),
      generationTokens: counter('tokens', 'vllm:generation_tokens_total'),
    },
    finished: { names: ['vllm:request_success_total'], labels: ['finish_reason'] },
    cacheConfig: {
      name: 'vllm:cache_config_info',
      blockTokens: 'block_size',
      blocks: 'num_gpu_blocks',
      tokens: null,
    },
  },
  stability: [],
  stop: { signal: 'SIGTERM', finishesInFlight: true, workersOutliveServer: false, drainSetting: null },
  mends: {},
}
