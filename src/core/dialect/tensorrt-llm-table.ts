import type { Dialect } from './dialect.ts'
import { counter, NO_SOURCES, requestGauge, shareGauge, watched } from './metric-source.ts'
import type { OwnedArgument } from './owned-argument.ts'
import { owned, refused } from './owned-argument.ts'

/**
 * Of `trtllm-serve`. What else the manifest owns (precision, KV type, prefix cache, drafting) has no argument: it is set in a file, which
 * could bring in anything unseen, and is refused.
 */
const TENSORRT_LLM_ARGUMENTS: readonly OwnedArgument[] = [
  owned('model', 'model.id', { value: { positional: 'model.id' } }),
  owned('served_model_name', 'model.id'),
  owned('revision', 'model.revision', { aliases: ['hf_revision'], value: { of: 'model.revision' } }),
  ...refused('model.tokenizer_revision', ['tokenizer', 'custom_tokenizer']),
  owned('max_seq_len', 'model.max_model_len', { value: { of: 'model.max_model_len' } }),
  owned('chat_template', 'model.chat_template_sha256', { leftToSubject: 'chat_template' }),
  owned('tp_size', 'engine.placement.tp', {
    aliases: ['tensor_parallel_size'],
    value: { of: 'engine.placement.tp' },
  }),
  owned('pp_size', 'engine.placement.pp', {
    aliases: ['pipeline_parallel_size'],
    value: { of: 'engine.placement.pp' },
  }),
  owned('cp_size', 'engine.placement.tp', { aliases: ['context_parallel_size'] }),
  owned('gpus_per_node', 'engine.placement.tp'),
  owned('max_beam_width', 'client.sampling'),
  ...refused('engine.disaggregated_prefill', ['server_role', 'disagg_cluster_uri', 'metadata_server_config_file'], {
    leftToSubject: 'disaggregated_prefill',
  }),
  owned('host', 'the gate', { value: { text: '127.0.0.1' } }),
  owned('port', 'engine.deploy.first_port', { value: { of: 'port' } }),
  owned('config', 'the gate', { aliases: ['extra_llm_api_options'] }),
]

export const TENSORRT_LLM: Dialect = {
  id: 'tensorrt-llm',
  title: 'TensorRT-LLM',
  names: ['trtllm', 'trt-llm', 'tensorrt_llm'],
  simulated: false,
  seen: { how: 'documents', version: 'sources up to 1.3.0rc' },
  defaultPort: 8000,
  paths: {
    models: '/v1/models',
    // `/metrics` is JSON, and `/perf_metrics` is emptied by reading it.
    metrics: '/prometheus/metrics',
    completions: '/v1/completions',
    chat: '/v1/chat/completions',
  },
  health: { path: '/health', field: null, healthy: [] },
  version: [{ path: '/version', field: 'version' }],
  ownedBy: ['tensorrt_llm'],
  // Merged, taken back and proposed again upstream; what its answer says is not known.
  reset: null,
  cacheTiers: {
    isSeen: true,
    known: [
      {
        // Where the manifest lets one through.
        title: 'whatever its configuration file sets (host memory, a KV connector)',
        arguments: ['config', 'extra_llm_api_options'],
        environment: ['DYN_KVBM_*'],
        clearedBy: 'nothing',
      },
    ],
    hits: { names: ['trtllm_kv_cache_onboard_bytes_total'], except: {} },
  },
  requestIdHeader: 'x-request-id',
  connection: { closesAfterMs: 5000, environmentSeconds: null },
  request: {
    promptTokenIds: true,
    maxTokens: { completions: 'max_tokens', chat: 'max_tokens' },
    minTokens: 'min_tokens',
    ignoreEos: 'ignore_eos',
    returnTokenIds: null,
    includeUsage: 'include_usage',
    continuousUsage: 'continuous_usage_stats',
    cacheSalt: null,
    seed: 'seed',
    unknownFields: 'refused',
  },
  answer: { tokenIds: null, cachedTokens: 'cached_tokens' },
  precisions: {},
  arguments: TENSORRT_LLM_ARGUMENTS,
  syntax: { prefixes: false, joinedShort: false, positionalModelAfter: ['trtllm-serve', 'serve'] },
  environment: { HF_HUB_OFFLINE: '1' },
  ownedEnvironment: {
    HF_HUB_OFFLINE: 'the gate',
    CUDA_VISIBLE_DEVICES: 'engine.deploy.gpus',
    NVIDIA_VISIBLE_DEVICES: 'engine.deploy.gpus',
  },
  metrics: {
    sources: {
      ...NO_SOURCES,
      running: requestGauge('trtllm_num_requests_running'),
      waiting: requestGauge('trtllm_num_requests_waiting'),
      kvUsage: shareGauge('trtllm_kv_cache_utilization'),
      prefixQueries: {
        ...counter('blocks', 'trtllm_kv_cache_reused_blocks_total'),
        plus: ['trtllm_kv_cache_missed_blocks_total'],
      },
      prefixHits: counter('blocks', 'trtllm_kv_cache_reused_blocks_total'),
      promptTokens: counter('tokens', 'trtllm_prompt_tokens_total'),
      promptTokensCached: counter('tokens', 'trtllm_prompt_cached_tokens_total'),
      generationTokens: counter('tokens', 'trtllm_generation_tokens_total'),
    },
    finished: { names: ['trtllm_request_success_total'], labels: ['finished_reason'] },
    cacheConfig: null,
  },
  stability: [
    watched('finished_with_error', ['trtllm_request_error_total'], 'requests that the engine ended with an error'),
  ],
  stop: { signal: 'SIGTERM', finishesInFlight: null, workersOutliveServer: null, drainSetting: null },
  mends: { metrics: 'return_perf_metrics: true in its configuration' },
}
