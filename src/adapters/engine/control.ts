import { parsePrometheus } from '../../core/telemetry/prometheus.ts'
import type { Dialect } from '../../core/dialect/dialect.ts'
import type { Manifest } from '../../core/manifest/schema.ts'
import { httpCaller, isHtml, printableLine } from '../system/bounded-http.ts'
import type { HttpAnswer, HttpCall, HttpResult } from '../system/bounded-http.ts'
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
      const told = accepted(await get(url, paths.health, HEALTH_DEADLINE_MS, signal))
      return 'why' in told ? told.why : null
    },
    async version(url, signal) {
      if (!paths.version) return { why: 'this engine has no route that tells its version' }
      const told = json(await get(url, paths.version.path, CALL_DEADLINE_MS, signal))
      if ('why' in told) return told
      const version = field(told.value, paths.version.field)
      return typeof version === 'string' ? { value: version } : { why: `told no ${paths.version.field}` }
    },
    async models(url, signal) {
      const told = json(await get(url, paths.models, CALL_DEADLINE_MS, signal))
      if ('why' in told) return told
      const data = field(told.value, 'data')
      if (!Array.isArray(data)) return { why: 'told no list of models' }
      return { value: data.map((card) => field(card, 'id')).filter((id) => typeof id === 'string') }
    },
    async generate(url, modelId, deadlineMs, signal) {
      const call = generationCall(dialect, manifest, url, modelId, deadlineMs)
      const beforeMs = performance.now()
      return generated(await caller.call(call, signal), performance.now() - beforeMs)
    },
    async reset(url, signal) {
      if (!dialect.reset) return { state: 'unknown', text: 'this engine has no reset of its prefix cache' }
      const { method, path } = dialect.reset
      const call: HttpCall = { method, origin: url, path, deadlineMs: CALL_DEADLINE_MS, maximumBytes: SMALL_BODY }
      return resetOutcome(dialect.reset, await caller.call(call, signal))
    },
    async kvTokens(url, signal) {
      if (!paths.metrics || !dialect.metrics?.cacheConfig) return null
      const told = accepted(await get(url, paths.metrics, CALL_DEADLINE_MS, signal, METRICS_BODY))
      return 'why' in told ? null : kvTokensIn(told.value.text, dialect.metrics.cacheConfig)
    },
    [Symbol.asyncDispose]: () => caller[Symbol.asyncDispose](),
  }
}

/** A 2xx answer that is no web page. */
function accepted(result: HttpResult): Told<HttpAnswer> {
  if ('why' in result) return result
  const { answer } = result
  if (isHtml(answer)) return { why: `answers HTML (status ${answer.status}): is this the engine's port?` }
  if (answer.status >= 200 && answer.status < 300) return { value: answer }
  const said = printableLine(answer.text, 200)
  return { why: `answers ${answer.status}${said === '' ? '' : `: ${said}`}` }
}

function json(result: HttpResult): Told<unknown> {
  const told = accepted(result)
  if ('why' in told) return told
  try {
    return { value: JSON.parse(told.value.text) as unknown }
  } catch {
    return { why: `answers something that is no JSON: ${printableLine(told.value.text, 80)}` }
  }
}

function field(value: unknown, name: string): unknown {
  const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, name)
  return isObject ? (value as Record<string, unknown>)[name] : undefined
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
  const told = json(result)
  if ('why' in told) {
    const status = 'answer' in result ? result.answer.status : 0
    return { why: told.why, final: status >= 400 && status < 500 && status !== 429 }
  }
  const choices = field(told.value, 'choices')
  if (Array.isArray(choices) && choices.length > 0) return { ms }
  return {
    why: `answers a generation without choices: ${printableLine(JSON.stringify(told.value), 120)}`,
    final: false,
  }
}

/** A 200 alone proves nothing: engines answer it while they refuse. */
function resetOutcome(reset: NonNullable<Dialect['reset']>, result: HttpResult): ResetOutcome {
  if ('why' in result) return { state: 'fail', text: result.why, isSilent: true }
  if (result.answer.status === 404 || result.answer.status === 405) {
    return { state: 'unknown', text: `the engine has no route ${reset.path} (status ${result.answer.status})` }
  }
  const told = accepted(result)
  if ('why' in told) return { state: 'fail', text: told.why }
  if (told.value.text.trim() === '') {
    return reset.emptyBody === 'done'
      ? { state: 'pass', text: 'reset' }
      : { state: 'unknown', text: 'the engine accepted the reset without saying whether it worked' }
  }
  const body = json(result)
  const done = 'value' in body ? field(body.value, reset.field) : undefined
  if (done === true) return { state: 'pass', text: 'reset' }
  if (done === false) return { state: 'fail', text: 'the engine refused the reset: it still has requests' }
  return {
    state: 'unknown',
    text: `the engine's answer tells no ${reset.field}: ${printableLine(told.value.text, 80)}`,
  }
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
