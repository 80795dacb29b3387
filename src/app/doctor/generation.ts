import type { ControlAnswer } from '../../core/dialect/control-answers.ts'
import type { Dialect } from '../../core/dialect/dialect.ts'
import { headFailure } from '../../core/stream/answer-head.ts'
import type { Answer } from '../../core/stream/answer-reader.ts'
import { AnswerStream } from '../../core/stream/answer-stream.ts'
import { SseReader } from '../../core/stream/sse-reader.ts'
import { isObject } from '../../core/stream/wire-shape.ts'
import type { EngineProbe } from '../ports/engine-probe.ts'

const DEADLINE_MS = 60_000
const MAXIMUM_BYTES = 1024 * 1024

export interface Asked {
  route: 'completions' | 'chat'
  prompt: string | readonly number[]
  outputTokens: number
  /** Only what the public API has. */
  isPlain?: boolean
  /** Fields beside the dialect's. */
  extra?: Readonly<Record<string, unknown>>
  headers?: Readonly<Record<string, string>>
}

/** One streamed generation, as it was answered. */
export interface Spoken {
  /** Null where the answer is an event stream whose tokens came, of whatever number. */
  failure: string | null
  /** Null where there was no answer. */
  status: number | null
  /** Null where there is no event stream. */
  answer: Answer | null
  /** Chunks that carry both a choice and usage. */
  usageChunks: number
}

/** Sends one small streamed request in the dialect's words. */
export async function generate(
  probe: EngineProbe,
  dialect: Dialect,
  model: string,
  asked: Asked,
  signal: AbortSignal,
): Promise<Spoken> {
  const call = {
    method: 'POST',
    path: dialect.paths[asked.route],
    headers: { ...asked.headers, 'content-type': 'application/json' },
    body: JSON.stringify(bodyOf(dialect, model, asked)),
    deadlineMs: DEADLINE_MS,
    maximumBytes: MAXIMUM_BYTES,
  } as const
  const result = await probe.call(call, signal)
  if ('why' in result) return { failure: result.why, status: null, answer: null, usageChunks: 0 }
  return spokenOf(result.answer, asked, dialect)
}

function bodyOf({ request }: Dialect, model: string, asked: Asked): Record<string, unknown> {
  const { route, prompt, outputTokens } = asked
  const fields: Record<string, unknown> = {
    model,
    ...(route === 'chat' ? { messages: [{ role: 'user', content: prompt }] } : { prompt }),
    stream: true,
    temperature: 0,
    [request.maxTokens[route]]: outputTokens,
    ...asked.extra,
  }
  if (asked.isPlain) return fields
  const set = (name: string | null, value: unknown): void => {
    if (name !== null) fields[name] = value
  }
  set(request.minTokens, outputTokens)
  set(request.ignoreEos, true)
  set(request.returnTokenIds, true)
  const usage = [request.includeUsage, request.continuousUsage].filter((name) => name !== null)
  if (usage.length > 0) fields['stream_options'] = Object.fromEntries(usage.map((name) => [name, true]))
  return fields
}

function spokenOf({ status, contentType, text }: ControlAnswer, { route }: Asked, dialect: Dialect): Spoken {
  const head = headFailure(status, contentType, null)
  if (head !== null) {
    const what = status === 200 ? `a body of type ${contentType || 'unknown'}` : `status ${status}`
    return {
      failure: text.trim() === '' ? what : `${what}: ${text.slice(0, 300)}`,
      status,
      answer: null,
      usageChunks: 0,
    }
  }
  const bytes = new TextEncoder().encode(text)
  const continuousUsage = dialect.request.continuousUsage !== null
  const stream = new AnswerStream({ shape: route, outputTokens: null, continuousUsage, keepTokenIds: true })
  stream.push(bytes, 0)
  const answer = stream.finish('clean', 0)
  return { failure: failureOf(answer), status, answer, usageChunks: usageChunksIn(bytes) }
}

/** Tokens that came without a count are told apart from tokens that did not come. */
function failureOf({ errorCode, errorText }: Answer): string | null {
  if (errorCode === null || errorCode === 'usage_missing') return null
  return errorText === null ? errorCode : `${errorCode}: ${errorText}`
}

function usageChunksIn(bytes: Uint8Array): number {
  let chunks = 0
  new SseReader().push(bytes, (data) => {
    const chunk = parsed(data)
    if (!isObject(chunk) || !isObject(chunk['usage'])) return
    if (Array.isArray(chunk['choices']) && chunk['choices'].length > 0) chunks += 1
  })
  return chunks
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    return null
  }
}
