import type { Dialect } from './dialect.ts'

/** Any server with OpenAI's completions and chat routes: nothing is owned, nothing beyond the public API is assumed. */
export const OPENAI: Dialect = {
  id: 'openai',
  title: 'OpenAI-compatible server',
  simulated: false,
  defaultPort: 8000,
  paths: {
    health: '/v1/models',
    version: null,
    models: '/v1/models',
    metrics: null,
    completions: '/v1/completions',
    chat: '/v1/chat/completions',
  },
  reset: null,
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
  },
  answer: { tokenIds: null, cachedTokens: 'cached_tokens' },
  precisions: {},
  arguments: [],
  positionalModelAfter: null,
  environment: {},
  ownedEnvironment: {},
  metrics: null,
  stability: [],
  stop: { signal: 'SIGTERM', finishesInFlight: false, workersOutliveServer: true },
}
