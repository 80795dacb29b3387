import type { Dialect } from './dialect.ts'
import { counter, NO_SOURCES, requestGauge, watched } from './metric-source.ts'
import type { OwnedArgument } from './owned-argument.ts'
import { flag, owned, refused } from './owned-argument.ts'

/** Of `python -m dynamo.frontend`. Its workers are processes of their own: what they are started with is not seen from here. */
const DYNAMO_ARGUMENTS: readonly OwnedArgument[] = [
  ...refused('model.id', ['model-name', 'model-path']),
  owned('http-host', 'the gate', { value: { text: '127.0.0.1' } }),
  owned('http-port', 'engine.deploy.first_port', { value: { of: 'port' } }),
  ...refused('the gate', ['tls-cert-path', 'tls-key-path']),
  owned('interactive', 'the gate', { ...flag, aliases: ['-i'] }),
]

export const DYNAMO: Dialect = {
  id: 'dynamo',
  title: 'NVIDIA Dynamo (frontend)',
  names: ['ai-dynamo', 'nvidia-dynamo'],
  simulated: false,
  seen: { how: 'documents', version: 'documents of 0.7 to 1.7' },
  defaultPort: 8000,
  paths: {
    models: '/v1/models',
    metrics: '/metrics',
    completions: '/v1/completions',
    chat: '/v1/chat/completions',
  },
  // Older frontends say 200 and `unhealthy` until a worker has registered.
  health: { path: '/health', field: 'status', healthy: ['healthy', 'ready'] },
  version: [],
  ownedBy: ['nvidia'],
  // Always 200: whether it worked is in the lists. The second path is the older one.
  reset: {
    method: 'POST',
    paths: ['/reset_prefix_cache', '/clear_kv_blocks'],
    reading: { by: 'workers', cleared: 'cleared_workers', failed: 'failed_workers' },
  },
  cacheTiers: {
    // Its workers hold the caches, and how they were started is not seen from here.
    isSeen: false,
    known: [
      { title: 'the KV block manager', arguments: [], environment: ['DYN_KVBM_*', 'KVBM_*'], clearedBy: 'nothing' },
    ],
    hits: null,
  },
  requestIdHeader: 'x-request-id',
  connection: { closesAfterMs: 5000, environmentSeconds: null },
  request: {
    promptTokenIds: true,
    maxTokens: { completions: 'max_tokens', chat: 'max_completion_tokens' },
    minTokens: 'min_tokens',
    ignoreEos: 'ignore_eos',
    returnTokenIds: null,
    includeUsage: 'include_usage',
    continuousUsage: null,
    cacheSalt: null,
    seed: 'seed',
    unknownFields: 'refused',
  },
  answer: { tokenIds: null, cachedTokens: 'cached_tokens' },
  precisions: {},
  arguments: DYNAMO_ARGUMENTS,
  syntax: { prefixes: true, joinedShort: true, positionalModelAfter: [] },
  environment: {},
  ownedEnvironment: {
    DYN_MODEL_NAME: 'model.id',
    DYN_MODEL_PATH: 'model.id',
    DYN_HTTP_HOST: 'the gate',
    DYN_HTTP_PORT: 'engine.deploy.first_port',
    DYN_METRICS_PREFIX: 'the gate',
    DYN_DISABLE_FRONTEND_ADMIN_API: 'the gate',
    DYN_HTTP_SVC_HEALTH_PATH: 'the gate',
    DYN_HTTP_SVC_LIVE_PATH: 'the gate',
    DYN_TLS_CERT_PATH: 'the gate',
    DYN_TLS_KEY_PATH: 'the gate',
  },
  metrics: {
    sources: {
      ...NO_SOURCES,
      // In flight contains those that wait for their first token: no gauge has the running ones alone.
      waiting: requestGauge('dynamo_frontend_queued_requests'),
      // Series come with the first request that they are about. The sums of its histograms are its counters of prompt tokens.
      promptTokens: counter('tokens', 'dynamo_frontend_input_sequence_tokens_sum'),
      promptTokensCached: counter('tokens', 'dynamo_frontend_cached_tokens_sum'),
      generationTokens: counter('tokens', 'dynamo_frontend_output_tokens_total'),
    },
    finished: null,
    cacheConfig: null,
  },
  stability: [
    watched(
      'migrations',
      ['dynamo_frontend_model_migration_total'],
      'requests moved to another worker because theirs was gone',
    ),
  ],
  stop: {
    signal: 'SIGTERM',
    finishesInFlight: true,
    workersOutliveServer: true,
    drainSetting: 'DYN_HTTP_GRACEFUL_SHUTDOWN_TIMEOUT_SECS',
  },
  mends: { reset: 'no DYN_DISABLE_FRONTEND_ADMIN_API in its environment' },
}
