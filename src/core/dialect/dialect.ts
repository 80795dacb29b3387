import type { Blame } from '../kernel/evidence.ts'
import type { CacheTiers } from './cache-tier.ts'
import type { OwnedArgument } from './owned-argument.ts'

/**
 * An engine as data. What differs between engines is said here and nowhere else: code that talks to an engine reads its dialect, and
 * what a dialect lacks (null) is `unknown` to the evidence, never zero.
 */
export interface Dialect {
  /** Of an overridden one: the base's, `+` and eight digits of the override's digest. */
  id: string
  /** For people. */
  title: string
  /** Values of `engine.name` that mean it, in lower case; its id is one without being listed. */
  names: readonly string[]
  /** A capacity measured through it is simulated: kept under a key of its own, never compared with a measured one. */
  simulated: boolean
  /** What the table was last held against. */
  seen: Sighting
  defaultPort: number
  paths: EnginePaths
  health: HealthCheck
  /** Where the running version is told; the first that tells it counts. None: the engine does not tell it. */
  version: readonly JsonPlace[]
  /** What `owned_by` of its model cards says; none where that is not known. */
  ownedBy: readonly string[]
  reset: CacheReset | null
  /** Caches of prompts beside the one in the GPUs' memory. */
  cacheTiers: CacheTiers
  /** The header that carries a request's id; null where an engine refuses one. */
  requestIdHeader: string | null
  connection: IdleConnection
  request: RequestFields
  answer: AnswerFields
  /** Manifest value of `model.precision` → the engine's own word. A value that is not listed is passed on as it stands. */
  precisions: Readonly<Record<string, string>>
  arguments: readonly OwnedArgument[]
  syntax: ArgumentSyntax
  /** Environment that the probes need, set for every deployed replica. */
  environment: Readonly<Record<string, string>>
  /**
   * Environment names that would change what the manifest owns: name → the manifest's field, or why it is refused. A name that ends in
   * `*` stands for all that begin so.
   */
  ownedEnvironment: Readonly<Record<string, string>>
  metrics: EngineMetrics | null
  stability: readonly StabilityCounter[]
  stop: StopBehaviour
  /** How a server that lacks a probe is made to have it: what to start it with. */
  mends: Readonly<Partial<Record<Mendable, string>>>
}

/** What a table was last held against, and how. */
interface Sighting {
  /** live: the gate ran against it. records: its recorded bytes are read in the tests. documents: its sources and manuals only. */
  how: 'live' | 'records' | 'documents'
  version: string
}

export type Mendable = 'cached_tokens' | 'metrics' | 'reset' | 'version' | 'token_ids' | 'exact_length'

/** Paths below a replica's origin. */
interface EnginePaths {
  models: string
  /** Prometheus text. */
  metrics: string | null
  completions: string
  chat: string
}

/** A 2xx is healthy where `field` is null; else only where that field of the JSON body has one of the values. */
interface HealthCheck {
  path: string
  field: string | null
  healthy: readonly string[]
}

/** A text in a JSON answer. */
export interface JsonPlace {
  path: string
  /** Names joined by dots: `info.version`. */
  field: string
}

export interface CacheReset {
  method: 'POST' | 'GET'
  /** With their queries; the first that the engine has (not 404, not 405) is used. */
  paths: readonly string[]
  reading: ResetReading
}

/** How the answer to a reset is read: engines say 200 while they refuse, and refuse with other statuses. */
type ResetReading =
  /** A boolean field of the JSON body. An empty 200 proves as much as `emptyBody` says: older versions say no more. */
  | { by: 'field'; field: string; emptyBody: 'unknown' | 'done' }
  /** The status alone. */
  | { by: 'status'; done: readonly number[]; refused: readonly number[] }
  /** Two lists of workers in the JSON body: done where some were cleared and none failed. */
  | { by: 'workers'; cleared: string; failed: string }

/** When the engine closes a connection that is idle. */
interface IdleConnection {
  /** The engine's default, in milliseconds; the shortest in use where it is not known. */
  closesAfterMs: number
  /** The environment variable that changes it, in seconds; null where there is none. */
  environmentSeconds: string | null
}

/** Names of request fields; null where the engine has no such field, or where it is not known to have one. */
export interface RequestFields {
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
  /** What the engine does with a field that it does not know. One that is null above is never sent, whatever this says. */
  unknownFields: 'ignored' | 'refused' | null
}

/** Names of answer fields that are not part of the plain OpenAI shape. */
interface AnswerFields {
  /** On a choice: the ids of the chunk's tokens. */
  tokenIds: string | null
  /** Inside `usage.prompt_tokens_details`. */
  cachedTokens: string | null
}

/** How the engine's parser reads its command line. */
interface ArgumentSyntax {
  /** Any unique prefix of a long form is taken for it. */
  prefixes: boolean
  /** A single letter and its value may be one word: `-qfp8`. */
  joinedShort: boolean
  /** A bare word after these (which may follow each other) names the model: `serve MODEL`. None where no such form exists. */
  positionalModelAfter: readonly string[]
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
    dialect?: unknown
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
  unit: 'requests' | 'share' | 'tokens' | 'blocks' | 'events'
  /** How the series of one scrape (one for each engine rank, reason …) become one number. */
  across: 'sum' | 'max'
  /** Names whose series are added: of an engine that counts the parts of it apart. */
  plus?: readonly string[]
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
export type MetricRole = (typeof METRIC_ROLES)[number]

export interface EngineMetrics {
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
  /** It counts an event only once the request that it struck goes on: of one that ended first nothing is counted. */
  countsLate?: boolean
  blames: Blame
  title: string
}

interface StopBehaviour {
  signal: 'SIGTERM' | 'SIGINT'
  /** Whether requests in flight are finished after the signal; null where it is not known. */
  finishesInFlight: boolean | null
  /** Workers outlive a killed server: the whole process group or container must go. Null where it is not known. */
  workersOutliveServer: boolean | null
  /** The setting that changes whether it drains; null where there is none. */
  drainSetting: string | null
}
