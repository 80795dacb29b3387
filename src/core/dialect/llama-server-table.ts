import type { Dialect } from './dialect.ts'
import { counter, NO_SOURCES, requestGauge } from './metric-source.ts'
import type { OwnedArgument } from './owned-argument.ts'
import { alwaysOn, flag, owned, refused } from './owned-argument.ts'

/** Its words for the types of the KV cache. */
const CACHE_TYPES = { bf16: 'bf16', bfloat16: 'bf16', fp16: 'f16', float16: 'f16', fp32: 'f32', float32: 'f32' }

/**
 * Of `llama-server`, which takes exact spellings alone. `--ctx-size` stays the subject's: it is the KV cache's size over all slots; that
 * the longest request fits is shown by sending it before any load.
 */
const LLAMA_SERVER_ARGUMENTS: readonly OwnedArgument[] = [
  owned('model', 'model.id', { aliases: ['-m'], value: { of: 'model.id' } }),
  owned('alias', 'model.id', { aliases: ['-a'], value: { of: 'model.id' } }),
  owned('model-url', 'model.id', { aliases: ['-mu'] }),
  owned('hf-repo', 'model.id', { aliases: ['-hf', '-hfr'] }),
  owned('hf-file', 'model.id', { aliases: ['-hff'] }),
  owned('docker-repo', 'model.id', { aliases: ['-dr'] }),
  ...refused('model.id', [
    'models-dir',
    'models-preset',
    'lora',
    'lora-scaled',
    'control-vector',
    'control-vector-scaled',
  ]),
  ...refused('model.revision', [
    'override-kv',
    'rope-scaling',
    'rope-scale',
    'rope-freq-base',
    'rope-freq-scale',
    'yarn-orig-ctx',
    'yarn-ext-factor',
    'yarn-attn-factor',
    'yarn-beta-slow',
    'yarn-beta-fast',
  ]),
  owned('cache-type-k', 'model.kv_cache_dtype', {
    aliases: ['-ctk'],
    value: { of: 'model.kv_cache_dtype', words: CACHE_TYPES, except: ['auto'] },
  }),
  owned('cache-type-v', 'model.kv_cache_dtype', {
    aliases: ['-ctv'],
    value: { of: 'model.kv_cache_dtype', words: CACHE_TYPES, except: ['auto'] },
  }),
  ...refused('model.chat_template_sha256', ['chat-template', 'chat-template-file', 'chat-template-kwargs'], {
    leftToSubject: 'chat_template',
  }),
  owned('device', 'engine.deploy.gpus', { aliases: ['-dev'] }),
  owned('main-gpu', 'engine.deploy.gpus', { aliases: ['-mg'] }),
  owned('rpc', 'engine.placement.tp'),
  // Older builds do not know the switch; all have the cache on.
  owned('cache-prompt', 'engine.prefix_cache', {
    ...flag,
    value: { prefixCache: { enabled: null, disabled: false } },
  }),
  owned('spec-draft-model', 'engine.speculative_decoding', {
    aliases: ['-md', 'model-draft'],
    leftToSubject: 'speculative_decoding',
  }),
  owned('spec-draft-hf', 'engine.speculative_decoding', {
    aliases: ['-hfd', '-hfrd', 'hf-repo-draft'],
    leftToSubject: 'speculative_decoding',
  }),
  owned('spec-type', 'engine.speculative_decoding', { leftToSubject: 'speculative_decoding' }),
  owned('spec-default', 'engine.speculative_decoding', { ...flag, leftToSubject: 'speculative_decoding' }),
  owned('predict', 'client.sampling', { aliases: ['-n', 'n-predict'] }),
  owned('temp', 'client.sampling', { aliases: ['temperature'] }),
  owned('ignore-eos', 'client.sampling', flag),
  owned('logit-bias', 'client.sampling', { aliases: ['-l'] }),
  owned('json-schema', 'client.sampling', { aliases: ['-j', 'json-schema-file'] }),
  ...refused('client.sampling', [
    'samplers',
    'top-k',
    'top-p',
    'min-p',
    'repeat-penalty',
    'presence-penalty',
    'frequency-penalty',
    'dry-multiplier',
    'mirostat',
    'grammar',
    'grammar-file',
  ]),
  owned('seed', 'the gate', { aliases: ['-s'], value: { text: '0' } }),
  owned('host', 'the gate', { value: { text: '127.0.0.1' } }),
  owned('port', 'engine.deploy.first_port', { value: { of: 'port' } }),
  ...refused('the gate', ['api-key', 'api-key-file', 'ssl-key-file', 'ssl-cert-file', 'api-prefix']),
  owned('reuse-port', 'the gate', flag),
  owned('embedding', 'the gate', { ...flag, aliases: ['embeddings'] }),
  owned('metrics', 'the gate', alwaysOn),
]

export const LLAMA_SERVER: Dialect = {
  id: 'llama-server',
  title: 'llama.cpp (llama-server)',
  names: ['llama.cpp', 'llamacpp', 'llama-cpp'],
  simulated: false,
  seen: { how: 'records', version: 'b1-0c1e570' },
  defaultPort: 8080,
  paths: {
    models: '/v1/models',
    metrics: '/metrics',
    completions: '/v1/completions',
    chat: '/v1/chat/completions',
  },
  health: { path: '/health', field: 'status', healthy: ['ok'] },
  version: [{ path: '/props', field: 'build_info' }],
  ownedBy: ['llamacpp'],
  reset: null,
  // Newer builds have it without being told. It goes with the process.
  cacheTiers: {
    isSeen: true,
    known: [
      {
        title: 'prompts kept in the CPUs’ memory',
        arguments: ['cache-ram', '-cram'],
        environment: [],
        clearedBy: 'restart',
      },
    ],
    hits: null,
  },
  requestIdHeader: 'x-request-id',
  connection: { closesAfterMs: 5000, environmentSeconds: null },
  request: {
    promptTokenIds: true,
    maxTokens: { completions: 'max_tokens', chat: 'max_tokens' },
    minTokens: null,
    ignoreEos: 'ignore_eos',
    returnTokenIds: null,
    includeUsage: 'include_usage',
    continuousUsage: null,
    cacheSalt: null,
    seed: 'seed',
    unknownFields: 'ignored',
  },
  answer: { tokenIds: null, cachedTokens: 'cached_tokens' },
  // A GGUF file says its own.
  precisions: {},
  arguments: LLAMA_SERVER_ARGUMENTS,
  syntax: { prefixes: false, joinedShort: false, positionalModelAfter: [] },
  environment: {},
  // Every argument has a variable of this form.
  ownedEnvironment: {
    'LLAMA_ARG_*': 'the gate',
    LLAMA_API_KEY: 'the gate',
    CUDA_VISIBLE_DEVICES: 'engine.deploy.gpus',
    NVIDIA_VISIBLE_DEVICES: 'engine.deploy.gpus',
  },
  metrics: {
    sources: {
      ...NO_SOURCES,
      running: requestGauge('llamacpp:requests_processing'),
      waiting: requestGauge('llamacpp:requests_deferred'),
      // What was computed and what came from the cache are counted apart.
      promptTokens: {
        ...counter('tokens', 'llamacpp:prompt_tokens_total'),
        plus: ['llamacpp:prompt_tokens_cached_total'],
      },
      promptTokensCached: counter('tokens', 'llamacpp:prompt_tokens_cached_total'),
      generationTokens: counter('tokens', 'llamacpp:tokens_predicted_total'),
    },
    finished: null,
    cacheConfig: null,
  },
  stability: [],
  stop: { signal: 'SIGTERM', finishesInFlight: false, workersOutliveServer: false, drainSetting: null },
  mends: { metrics: '--metrics' },
}
