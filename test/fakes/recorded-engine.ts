import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { EngineProbe, ProbeCall, ProbeResult } from '../../src/app/ports/engine-probe.ts'
import type { ControlAnswer } from '../../src/core/dialect/control-answers.ts'

const fixtures = join(import.meta.dirname, '../../fixtures')

interface ControlFile {
  seen: 'recorded' | 'documents'
  metrics: Record<string, string>
  answers: (ControlAnswer & { method: string; path: string; body: string })[]
}

/** Control answers of one engine, by method and path; the first of each. */
export function controlAnswers(engine: string): Map<string, ControlAnswer> {
  const file = JSON.parse(readFileSync(join(fixtures, 'control', `${engine}.json`), 'utf8')) as ControlFile
  const answers = new Map<string, ControlAnswer>()
  for (const { method, path, status, contentType, body } of file.answers) {
    const key = `${method} ${path}`
    if (!answers.has(key)) answers.set(key, { status, contentType, text: body })
  }
  for (const [path, page] of Object.entries(file.metrics)) {
    const text = readFileSync(join(fixtures, '..', page), 'utf8')
    answers.set(`GET ${path}`, { status: 200, contentType: 'text/plain; version=1.0.0', text })
  }
  return answers
}

/** Every control answer of a file, those of the same path too. */
export function allControlAnswers(engine: string): readonly (ControlAnswer & { path: string })[] {
  const file = JSON.parse(readFileSync(join(fixtures, 'control', `${engine}.json`), 'utf8')) as ControlFile
  return file.answers.map(({ path, status, contentType, body }) => ({ path, status, contentType, text: body }))
}

/** The exchanges of a recorded situation, by name: the answer's head and its body without framing. */
function recordedStreams(situation: string): Map<string, ControlAnswer> {
  const lines = gunzipSync(readFileSync(join(fixtures, 'streams', `${situation}.jsonl.gz`))).toString('utf8')
  const rows = lines.trim().split('\n').slice(1)
  return new Map(
    rows.map((line) => {
      const { name, answer } = JSON.parse(line) as { name: string; answer: string }
      return [name, plainAnswer(Buffer.from(answer, 'latin1').toString('latin1'))]
    }),
  )
}

function plainAnswer(answer: string): ControlAnswer {
  const at = answer.indexOf('\r\n\r\n')
  const head = answer.slice(0, at).split('\r\n')
  const header = (name: string) =>
    head.find((line) => line.toLowerCase().startsWith(`${name}:`))?.slice(name.length + 1)
  const body = header('transfer-encoding') === undefined ? answer.slice(at + 4) : unchunked(answer.slice(at + 4))
  return {
    status: Number(head[0]?.split(' ')[1]),
    contentType: (header('content-type') ?? '').trim().toLowerCase(),
    text: Buffer.from(body, 'latin1').toString('utf8'),
  }
}

function unchunked(body: string): string {
  let [at, text] = [0, '']
  for (;;) {
    const end = body.indexOf('\r\n', at)
    const size = Number.parseInt(body.slice(at, end), 16)
    if (!(size > 0)) return text
    text += body.slice(end + 2, end + 2 + size)
    at = end + 2 + size + 2
  }
}

export interface RecordedEngine extends EngineProbe {
  calls: ProbeCall[]
}

/**
 * An engine that answers as a real one was recorded to: control calls by their path, generations by what they ask. A control answer may
 * be replaced; null: no answer at all.
 */
export function recordedEngine(
  engine: string,
  situations: readonly string[],
  replaced: Readonly<Record<string, ControlAnswer | null>> = {},
): RecordedEngine {
  const control = controlAnswers(engine)
  const streams = new Map(situations.flatMap((situation) => [...recordedStreams(situation)]))
  const calls: ProbeCall[] = []
  const told = { prompts: 0, resets: 0 }
  const answerTo = (call: ProbeCall): ControlAnswer | null => {
    const key = `${call.method} ${call.path.split('?', 1)[0]}`
    if (Object.hasOwn(replaced, key)) return replaced[key] ?? null
    const known = control.get(key)
    if (call.method === 'POST' && known?.status === 200) told.resets += 1
    if (known) return known
    if (!call.path.endsWith('completions')) return NOT_FOUND
    const name = exchangeFor(call, told)
    // Of an engine that took no ids at all one refusal was recorded.
    const other = name.startsWith('prefix_') ? streams.get('comp_stream_token_prompt') : undefined
    return streams.get(name) ?? other ?? NOT_FOUND
  }
  return {
    calls,
    async call(call, signal): Promise<ProbeResult> {
      signal.throwIfAborted()
      calls.push(call)
      const answer = answerTo(call)
      return answer === null ? { why: 'refuses connections' } : { answer }
    },
  }
}

const NOT_FOUND: ControlAnswer = { status: 404, contentType: 'application/json', text: '{"detail":"Not Found"}' }

/** The recorded exchange whose request asked the same. */
function exchangeFor(call: ProbeCall, told: { prompts: number; resets: number }): string {
  const asked = JSON.parse(call.body ?? '{}') as Record<string, unknown>
  const route = call.path.includes('chat') ? 'chat' : 'comp'
  if ('a_field_that_no_engine_knows' in asked) return 'comp_stream_echo_or_unknown_field'
  if (Object.keys(call.headers ?? {}).some((name) => name.endsWith('-id'))) return 'comp_stream_request_id_hdr'
  if (Array.isArray(asked['prompt'])) {
    if ('cache_salt' in asked) return 'prefix_512_salted'
    if (told.resets > 0) return 'prefix_512_after_reset'
    told.prompts += 1
    return `prefix_512_${Math.min(told.prompts, 3)}`
  }
  if (asked['return_token_ids'] === true) return `${route}_stream_token_ids_continuous`
  const options = asked['stream_options'] as Record<string, unknown> | undefined
  return `${route}_stream_exact32${options?.['continuous_usage_stats'] ? '_continuous' : ''}`
}
