import type { Blame } from '../kernel/evidence.ts'

/**
 * An engine as data. What differs between engines is said here and nowhere else: code that talks to an engine reads its dialect, and
 * what a dialect lacks (null) is `unknown` to the evidence, never zero.
 */
export interface Dialect {
  id: string
  /** For people. */
  title: string
  /** A capacity measured through it is simulated: kept under a key of its own, never compared with a measured one. */
  simulated: boolean
  defaultPort: number
  paths: EnginePaths
  reset: CacheReset | null
  /** The header that carries a request's id; null where an engine refuses one. */
  requestIdHeader: string | null
  connection: IdleConnection
  request: RequestFields
  answer: AnswerFields
  /** Manifest value of `model.precision` → the engine's own word. A value that is not listed is passed on as it stands. */
  precisions: Readonly<Record<string, string>>
  arguments: readonly OwnedArgument[]
  /** A bare word after this one in an argv names the model (`serve MODEL`); null where no such form exists. */
  positionalModelAfter: string | null
  /** Environment that the probes need, set for every deployed replica. */
  environment: Readonly<Record<string, string>>
  /** Environment names that would change what the manifest owns: name → the manifest's field, or why it is refused. */
  ownedEnvironment: Readonly<Record<string, string>>
  metrics: EngineMetrics | null
  stability: readonly StabilityCounter[]
  stop: StopBehaviour
}

/** Paths below a replica's origin. */
interface EnginePaths {
  health: string
  /** Where the running version is told, and the JSON field that holds it. */
  version: { path: string; field: string } | null
  models: string
  /** Prometheus text. */
  metrics: string | null
  completions: string
  chat: string
}

interface CacheReset {
  method: 'POST' | 'GET'
  /** With its query. */
  path: string
  /** The boolean field of a JSON body that says whether it worked: a 200 with `false` is a refusal. */
  field: string
  /** What a 200 with an empty body proves: older versions say no more, so that only the hit rate can. */
  emptyBody: 'unknown' | 'done'
}

/** When the engine closes a connection that is idle. */
interface IdleConnection {
  /** The engine's default, in milliseconds. */
  closesAfterMs: number
  /** The environment variable that changes it, in seconds; null where there is none. */
  environmentSeconds: string | null
}

/** Names of request fields; null where the engine has no such field. */
interface RequestFields {
  /** The completions endpoint takes a list of token ids as its prompt. */
  promptTokenIds: boolean
  maxTokens: { completions: string; chat: string }
  minTokens: string | null
  ignoreEos: string | null
  /** A boolean that asks for the ids of each chunk's tokens. */
  returnTokenIds: string | null
  /** Inside `stream_options`. */
  includeUsage: string | null
  /** Inside `stream_options`: usage on every chunk. */
  continuousUsage: string | null
  cacheSalt: string | null
  seed: string | null
}

/** Names of answer fields that are not part of the plain OpenAI shape. */
interface AnswerFields {
  /** On a choice: the ids of the chunk's tokens. */
  tokenIds: string | null
  /** Inside `usage.prompt_tokens_details`. */
  cachedTokens: string | null
}

/**
 * An engine argument that the manifest owns: the engine gets the manifest's value, and the subject's own arguments may not name it.
 */
export interface OwnedArgument {
  /** Long form with hyphens and without the leading `--`. */
  long: string
  /** Other spellings: old long names (bare), and short forms with their single hyphen (`-tp`). */
  aliases: readonly string[]
  /** Whether a value follows; a flag may also come as `no-…`. */
  takesValue: boolean
  /** The manifest field that owns it, or `the gate` where the gate itself needs it as it is. */
  owner: string
  /** What is generated: a value, true for the bare flag, false for its `no-…` form, null for nothing. */
  generate: ((input: DialectInput, replica: ReplicaPlace) => string | boolean | null) | null
  /** Where the manifest leaves the value to the subject, e.g. the configuration of speculative decoding that is enabled. */
  leftToSubject?: (input: DialectInput) => boolean
}

export interface ReplicaPlace {
  port: number
  /** From 0. */
  replica: number
}

/** The part of a manifest that a dialect reads. */
export interface DialectInput {
  model: {
    id: string
    revision: string
    tokenizer_revision: string
    precision: string
    max_model_len?: number | undefined
    kv_cache_dtype: string
    quantization: string
    chat_template_sha256: string
  }
  engine: {
    name: string
    version: string
    dialect?: string | undefined
    placement: { tp: number; pp: number; dp: number; replicas: number; gpus: number }
    prefix_cache: 'enabled' | 'disabled'
    speculative_decoding: 'enabled' | 'disabled'
    disaggregated_prefill: 'enabled' | 'disabled'
    deploy?: { kind: string; router?: { kind: string } | undefined } | undefined
  }
}

/** One measured quantity of an engine. */
export interface MetricSource {
  /** Wire names, newest first: the first that a scrape has is read. */
  names: readonly string[]
  kind: 'gauge' | 'counter'
  unit: 'requests' | 'share' | 'tokens' | 'events'
  /** How the series of one scrape (one for each engine rank, reason …) become one number. */
  across: 'sum' | 'max'
}

export const METRIC_ROLES = [
  'running',
  'waiting',
  'kvUsage',
  'prefixQueries',
  'prefixHits',
  'promptTokens',
  'promptTokensCached',
  'generationTokens',
  'preemptions',
] as const
type MetricRole = (typeof METRIC_ROLES)[number]

interface EngineMetrics {
  sources: Readonly<Record<MetricRole, MetricSource | null>>
  /** Counter of finished requests, with the label that says how they ended. */
  finished: { names: readonly string[]; labels: readonly string[] } | null
  /** An info series whose labels tell the KV cache's size; `tokens` where one label has it, else blocks × block size. */
  cacheConfig: { name: string; blockTokens: string; blocks: string; tokens: string | null } | null
}

/** A counter compared before and after a point; one that a scrape lacks is `unknown`. */
export interface StabilityCounter {
  /** Evidence is `stability.<id>`. */
  id: string
  /** Wire names, newest first. */
  names: readonly string[]
  /** Only series with these label values; all where empty. */
  labels: Readonly<Record<string, string>>
  /** What a rise means: `fail` blames the engine, `record` is told and not judged. */
  onRise: 'fail' | 'record'
  blames: Blame
  title: string
}

interface StopBehaviour {
  signal: 'SIGTERM' | 'SIGINT'
  /** Whether requests in flight are finished after the signal. */
  finishesInFlight: boolean
  /** Workers outlive a killed server: the whole process group or container must go. */
  workersOutliveServer: boolean
}
