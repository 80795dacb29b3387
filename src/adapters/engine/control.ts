import {
  accepted,
  acceptedJson,
  readHealth,
  readModels,
  readReset,
  readVersion,
  valueAtField,
} from '../../core/dialect/control-answers.ts'
import type { ControlAnswer, Reading } from '../../core/dialect/control-answers.ts'
import type { CacheReset, Dialect } from '../../core/dialect/dialect.ts'
import type { Manifest } from '../../core/manifest/schema.ts'
import { parsePrometheus } from '../../core/telemetry/prometheus.ts'
import { httpCaller, printableLine } from '../system/bounded-http.ts'
import type { HttpCall, HttpCaller, HttpResult } from '../system/bounded-http.ts'
import type { EngineConnection } from '../system/engine-connection.ts'

/** Something that was asked for, or one line about why it was not given. */
export type Told<T> = { value: T } | { why: string }

/** How a generation went: `final` tells that asking again would not help. */
type Generated = { ms: number } | { why: string; final: boolean }

/** What resetting one replica's prefix cache proved. */
export interface ResetOutcome {
  state: 'pass' | 'fail' | 'unknown'
  text: string
  /** There was no answer at all: the engine is gone, or hangs. */
  isSilent?: boolean
}

/** The control calls to one engine. None throws for what the engine does; each throws the signal's reason when that is aborted. */
export interface EngineControl extends AsyncDisposable {
  /** Null when healthy, else why not. */
  ill(url: string, signal: AbortSignal): Promise<string | null>
  version(url: string, signal: AbortSignal): Promise<Told<string>>
  models(url: string, signal: AbortSignal): Promise<Told<readonly string[]>>
  generate(url: string, modelId: string, deadlineMs: number, signal: AbortSignal): Promise<Generated>
  reset(url: string, signal: AbortSignal): Promise<ResetOutcome>
  /** Size of the KV cache as the engine tells it. */
  kvTokens(url: string, signal: AbortSignal): Promise<number | null>
}

const HEALTH_DEADLINE_MS = 2000
const CALL_DEADLINE_MS = 10_000
const SMALL_BODY = 1024 * 1024
const METRICS_BODY = 16 * 1024 * 1024

/** Speaks one engine's dialect. */
export function engineControl(dialect: Dialect, manifest: Manifest, connection?: EngineConnection): EngineControl {
  const caller = httpCaller(connection)
  const get = (origin: string, path: string, deadlineMs: number, signal: AbortSignal, maximumBytes = SMALL_BODY) =>
    caller.call({ method: 'GET', origin, path, deadlineMs, maximumBytes }, signal)
  const { paths } = dialect
  return {
    async ill(url, signal) {
      const told = toldOf(await get(url, dialect.health.path, HEALTH_DEADLINE_MS, signal), (answer) =>
        readHealth(dialect, answer),
      )
      return 'why' in told ? told.why : null
    },
    async version(url, signal) {
      let last: Told<string> = { why: 'has no route that tells its version' }
      for (const place of dialect.version) {
        last = toldOf(await get(url, place.path, CALL_DEADLINE_MS, signal), (answer) => readVersion(place, answer))
        if ('value' in last) break
      }
      return last
    },
    async models(url, signal) {
      const told = toldOf(await get(url, paths.models, CALL_DEADLINE_MS, signal), readModels)
      return 'why' in told ? told : { value: told.value.map(({ id }) => id) }
    },
    async generate(url, modelId, deadlineMs, signal) {
      const call = generationCall(dialect, manifest, url, modelId, deadlineMs)
      const beforeMs = performance.now()
      return generated(await caller.call(call, signal), performance.now() - beforeMs)
    },
    async reset(url, signal) {
      if (!dialect.reset) return { state: 'unknown', text: 'this engine has no reset of its prefix cache' }
      return await resetOnce(caller, dialect.reset, url, signal)
    },
    async kvTokens(url, signal) {
      if (!paths.metrics || !dialect.metrics?.cacheConfig) return null
      const told = toldOf(await get(url, paths.metrics, CALL_DEADLINE_MS, signal, METRICS_BODY), accepted)
      return 'why' in told ? null : kvTokensIn(told.value, dialect.metrics.cacheConfig)
    },
    [Symbol.asyncDispose]: () => caller[Symbol.asyncDispose](),
  }
}

/** What a call was told, in one line fit for a terminal where it was told nothing. */
function toldOf<T>(result: HttpResult, read: (answer: ControlAnswer) => Reading<T>): Told<T> {
  if ('why' in result) return result
  const told = read(result.answer)
  return 'value' in told ? told : { why: withWords(told.why, told.said) }
}

function withWords(text: string, said: string): string {
  const words = printableLine(said, 200)
  return words === '' ? text : `${text}: ${words}`
}

/** A prompt shorter than any KV block: it leaves nothing in the prefix cache. */
function generationCall(d: Dialect, manifest: Manifest, url: string, model: string, deadlineMs: number): HttpCall {
  const isChat = manifest.client.endpoint === 'chat'
  const firstId = manifest.model.prompt_token_ids?.[0]
  const hasIds = firstId !== undefined && d.request.promptTokenIds && manifest.client.prompt === 'token_ids'
  const prompt = hasIds ? [firstId, firstId + 1] : 'ready'
  const asked = isChat ? { messages: [{ role: 'user', content: 'ready' }] } : { prompt }
  const limit = d.request.maxTokens[manifest.client.endpoint]
  const body = JSON.stringify({ model, ...asked, [limit]: 1, temperature: 0 })
  return {
    method: 'POST',
    origin: url,
    path: isChat ? d.paths.chat : d.paths.completions,
    body,
    deadlineMs,
    maximumBytes: SMALL_BODY,
  }
}

function generated(result: HttpResult, ms: number): Generated {
  const told = toldOf(result, acceptedJson)
  if ('why' in told) {
    const status = 'answer' in result ? result.answer.status : 0
    return { why: told.why, final: status >= 400 && status < 500 && status !== 429 }
  }
  const choices = valueAtField(told.value, 'choices')
  if (Array.isArray(choices) && choices.length > 0) return { ms }
  return {
    why: `answers a generation without choices: ${printableLine(JSON.stringify(told.value), 120)}`,
    final: false,
  }
}

const RESET_STATES = { done: 'pass', refused: 'fail', unknown: 'unknown', absent: 'unknown' } as const

/** By the first of the paths that the engine has. */
async function resetOnce(
  caller: HttpCaller,
  reset: CacheReset,
  origin: string,
  signal: AbortSignal,
): Promise<ResetOutcome> {
  let last: ResetOutcome = { state: 'unknown', text: 'this engine has no reset of its prefix cache' }
  for (const path of reset.paths) {
    const call = { method: reset.method, origin, path, deadlineMs: CALL_DEADLINE_MS, maximumBytes: SMALL_BODY }
    const result = await caller.call(call, signal)
    if ('why' in result) return { state: 'fail', text: result.why, isSilent: true }
    const proof = readReset(reset, path, result.answer)
    last = { state: RESET_STATES[proof.state], text: withWords(proof.text, proof.said) }
    if (proof.state !== 'absent') break
  }
  return last
}

type CacheConfig = NonNullable<NonNullable<Dialect['metrics']>['cacheConfig']>

/** The sum over the replica's engine ranks; null where one does not tell. */
function kvTokensIn(text: string, config: CacheConfig): number | null {
  try {
    const ranks = parsePrometheus(text).filter((sample) => sample.name === config.name)
    const tokens = ranks.map(({ labels }) => {
      const whole = config.tokens === null ? undefined : labels[config.tokens]
      return whole === undefined ? Number(labels[config.blocks]) * Number(labels[config.blockTokens]) : Number(whole)
    })
    const sum = tokens.reduce((total, value) => total + value, 0)
    return tokens.length > 0 && Number.isSafeInteger(sum) && sum > 0 ? sum : null
  } catch {
    return null
  }
}
