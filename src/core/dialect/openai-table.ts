import { NO_TIERS } from './cache-tier.ts'
import type { Dialect } from './dialect.ts'

/** Any server with OpenAI's completions and chat routes: nothing is owned, nothing beyond the public API is assumed. */
export const OPENAI: Dialect = {
  id: 'openai',
  title: 'OpenAI-compatible server',
  names: [],
  simulated: false,
  seen: { how: 'documents', version: 'the public API' },
  defaultPort: 8000,
  paths: {
    models: '/v1/models',
    metrics: null,
    completions: '/v1/completions',
    chat: '/v1/chat/completions',
  },
  health: { path: '/v1/models', field: null, healthy: [] },
  version: [],
  ownedBy: [],
  reset: null,
  cacheTiers: NO_TIERS,
  requestIdHeader: 'x-request-id',
  // Five seconds is the shortest default in use (Node, uvicorn).
  connection: { closesAfterMs: 5000, environmentSeconds: null },
  request: {
    promptTokenIds: true,
    maxTokens: { completions: 'max_tokens', chat: 'max_completion_tokens' },
    minTokens: null,
    ignoreEos: null,
    returnTokenIds: null,
    includeUsage: 'include_usage',
    continuousUsage: null,
    cacheSalt: null,
    seed: 'seed',
    unknownFields: null,
  },
  answer: { tokenIds: null, cachedTokens: 'cached_tokens' },
  precisions: {},
  arguments: [],
  syntax: { prefixes: false, joinedShort: false, positionalModelAfter: [] },
  environment: {},
  ownedEnvironment: {},
  metrics: null,
  stability: [],
  stop: { signal: 'SIGTERM', finishesInFlight: null, workersOutliveServer: null, drainSetting: null },
  mends: {},
}
