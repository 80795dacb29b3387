import type { Mendable } from '../../core/dialect/dialect.ts'

/** What it means that a probe does not answer. */
export interface Lack {
  /** Without it nothing can be measured, or evidence that a manifest requires by default stays unknown. */
  required: boolean
  cost: string
  /** How to mend it whatever the engine; null where only its own table may know. */
  mend: string | null
  /** What of the dialect's own mends fits. */
  mendable?: Mendable
}

export const LACKS = {
  'endpoint.reachable': {
    required: true,
    cost: 'nothing can be measured',
    mend: 'Start the engine, and give the origin that it listens on; if it is up and hangs, its log says why.',
  },
  'endpoint.health': {
    required: true,
    cost: 'a run waits for it until its deadline and then fails',
    mend: 'Wait until the engine is ready, or see its log.',
  },
  'endpoint.models': {
    required: true,
    cost: 'identity.model is unknown, and which model to ask for is not known',
    mend: 'State the route in engine.dialect.paths.models.',
  },
  'endpoint.version': {
    required: true,
    cost: 'identity.version is unknown: a run that requires identity ends inconclusive',
    mend: 'State where it tells it in engine.dialect.version, or leave identity out of acceptance.required_evidence and pin the image by digest.',
    mendable: 'version',
  },
  'endpoint.dialect': {
    required: false,
    cost: 'what the dialect names and the engine does not have stays unknown',
    mend: 'Name the dialect that fits, or state in engine.dialect what differs.',
  },
  'generation.completions': {
    required: true,
    cost: 'nothing can be measured by this route',
    mend: 'See what it answers; if it knows the plain fields only, name the dialect openai.',
  },
  'generation.chat': {
    required: false,
    cost: 'client.endpoint must be completions',
    mend: null,
  },
  'generation.exact_length': {
    required: true,
    cost: 'answers end early, and each of another length than scheduled counts as an error',
    mend: 'State the field that ignores the end of text in engine.dialect.request.ignore_eos.',
    mendable: 'exact_length',
  },
  'generation.usage': {
    required: true,
    cost: 'how many tokens came is not known: every request counts as an error (usage_missing)',
    mend: 'State the field inside stream_options in engine.dialect.request.include_usage, or the one that returns token ids.',
  },
  'generation.continuous_usage': {
    required: false,
    cost: 'tokens of a chunk, and chunks whose text is still to come, are not known; TTFT may be that of the second token',
    mend: null,
  },
  'generation.token_ids': {
    required: false,
    cost: 'sessions cannot keep a live history (history: synthetic can)',
    mend: null,
    mendable: 'token_ids',
  },
  'requests.token_id_prompts': {
    required: false,
    cost: 'client.prompt must be text: prompt lengths are then the engine’s to count',
    mend: null,
  },
  'requests.id_header': {
    required: false,
    cost: 'the engine’s log cannot be joined with requests.csv',
    mend: 'State the header in engine.dialect.request_id_header, or null.',
  },
  'requests.unknown_fields': {
    required: false,
    cost: 'a request with a field that it does not know fails, or a wrong name goes unnoticed',
    mend: 'State only fields that it knows in engine.dialect.request.',
  },
  'cache.cached_tokens': {
    required: false,
    cost: 'cache_hit is read from counters, which are wrong where requests are scheduled again',
    mend: 'Leave the prefix cache on, and use prompts longer than a KV block.',
    mendable: 'cached_tokens',
  },
  'cache.salt': {
    required: false,
    cost: 'cache.cold.isolate: cache_salt keeps nothing apart (unique_tokens does)',
    mend: null,
  },
  'cache.reset': {
    required: false,
    cost: 'a deployed engine is restarted before cold points; one that is already up gives no proof of a cold cache but the hit rate',
    mend: null,
    mendable: 'reset',
  },
  'metrics.page': {
    required: true,
    cost: 'stability.restarts, the waiting queue and the tokens’ cross-check are unknown: a run that requires stability ends inconclusive',
    mend: 'State the page in engine.dialect.paths.metrics.',
    mendable: 'metrics',
  },
  'metrics.restarts': {
    required: true,
    cost: 'stability.restarts is unknown: a run that requires stability ends inconclusive',
    mend: 'State a counter of tokens in engine.dialect.metrics.generation_tokens.',
  },
  'metrics.queue': {
    required: false,
    cost: 'the queue’s trend is judged by what the client has in flight, and quiescence is not shown',
    mend: 'State the gauges in engine.dialect.metrics.running and waiting.',
  },
  'metrics.cache': {
    required: false,
    cost: 'cache_hit.counters is unknown: cached tokens have no cross-check',
    mend: null,
  },
  'metrics.kv': {
    required: false,
    cost: 'stability.kv_usage and preemptions are unknown: a full KV cache does not show',
    mend: null,
  },
} as const satisfies Readonly<Record<string, Lack>>

export type ProbeName = keyof typeof LACKS
