import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { AnswerExpectation } from '../../../src/core/stream/answer-reader.ts'

export const streamsFolder = join(import.meta.dirname, '../../../fixtures/streams')

/** Chunked framing taken off bytes that may be split anywhere. */
export class Dechunker {
  #held: Buffer = Buffer.alloc(0)
  #left = 0
  isWhole = false

  push(bytes: Uint8Array): Buffer {
    this.#held = Buffer.concat([this.#held, bytes])
    const out: Buffer[] = []
    while (!this.isWhole) {
      if (this.#left > 0) {
        const part = this.#held.subarray(0, this.#left)
        if (part.length === 0) break
        out.push(part)
        this.#left -= part.length
        this.#held = this.#held.subarray(part.length)
        continue
      }
      const start = this.#held.indexOf('\r\n') === 0 ? 2 : 0
      const end = this.#held.indexOf('\r\n', start)
      if (end === -1) break
      this.#left = Number.parseInt(this.#held.toString('latin1', start, end), 16)
      this.#held = this.#held.subarray(end + 2)
      this.isWhole = this.#left === 0
    }
    return Buffer.concat(out)
  }
}

/** One exchange as it was stored: bytes as Latin-1 texts, the reads' times in microseconds from the request's sending. */
interface Stored {
  name: string
  /** The request's path and body, where the body is JSON. */
  path: string
  asked: Record<string, unknown>
  answer: string
  reads: [atUs: number, bytes: number][]
}

export interface Recorded {
  name: string
  httpStatus: number
  header(name: string): string | undefined
  /** Every byte of the answer: head, framing, body. */
  raw: Buffer
  body: Buffer
  /** The framing's end came: the body is whole. */
  isWhole: boolean
  /** The body is an event stream. */
  isStream: boolean
  expectation: AnswerExpectation
  /** Its body in the reads as they happened, with their times in microseconds. */
  reads(): { bytes: Buffer; atUs: number }[]
}

/** Every set of answers, as `<engine>/<situation>`. */
export function situations(): string[] {
  const engines = readdirSync(streamsFolder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return engines.flatMap((engine) =>
    readdirSync(join(streamsFolder, engine.name))
      .map((file) => /^(.+)\.jsonl\.gz$|^(unseen)$/.exec(file))
      .flatMap((found) => (found === null ? [] : [`${engine.name}/${found[1] ?? found[2]}`]))
      .sort(),
  )
}

const opened = new Map<string, Recorded[]>()

/** The answers of one set, in the order of their names. */
export function answersOf(situation: string): Recorded[] {
  const known = opened.get(situation)
  if (known) return known
  const container = join(streamsFolder, `${situation}.jsonl.gz`)
  const stored = existsSync(container) ? storedIn(container) : unseenIn(join(streamsFolder, situation))
  const answers = stored.map((one) => recordedFrom(one))
  opened.set(situation, answers)
  return answers
}

/** The answer `<engine>/<situation>/<name>`. */
export function recorded(name: string): Recorded {
  const cut = name.lastIndexOf('/')
  const found = answersOf(name.slice(0, cut)).find((answer) => answer.name === name.slice(cut + 1))
  if (!found) throw new Error(`no answer ${name}`)
  return found
}

function storedIn(container: string): Stored[] {
  const [, ...lines] = gunzipSync(readFileSync(container)).toString('utf8').trimEnd().split('\n')
  return lines.map((line) => {
    const { name, request, answer, reads } = JSON.parse(line) as Stored & { request: string }
    const [head = '', body = ''] = request.split(/\r\n\r\n(.*)/s)
    return { name, path: head.split(' ')[1] ?? '', asked: jsonOrNothing(body), answer, reads }
  })
}

function unseenIn(folder: string): Stored[] {
  const index = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')) as {
    streams: Record<string, { path: string; asked: Record<string, unknown> }>
  }
  return Object.entries(index.streams).map(([name, { path, asked }]) => {
    const answer = readFileSync(join(folder, `${name}.raw`)).toString('latin1')
    return { name, path, asked, answer, reads: [[1, answer.length]] }
  })
}

function recordedFrom({ name, path, asked, answer, reads }: Stored): Recorded {
  const raw = Buffer.from(answer, 'latin1')
  const headEnd = raw.indexOf('\r\n\r\n') + 4
  const lines = raw.toString('latin1', 0, headEnd).split('\r\n')
  const header = (wanted: string) =>
    lines
      .find((line) => line.toLowerCase().startsWith(`${wanted}:`))
      ?.slice(wanted.length + 1)
      .trim()
  const isChunked = header('transfer-encoding') === 'chunked'
  const framing = new Dechunker()
  const body = isChunked ? framing.push(raw.subarray(headEnd)) : raw.subarray(headEnd)
  return {
    name,
    httpStatus: Number(lines[0]?.split(' ')[1]),
    header,
    raw,
    body,
    isWhole: !isChunked || framing.isWhole,
    isStream: header('content-type')?.startsWith('text/event-stream') ?? false,
    expectation: expectationOf(path, asked),
    reads: () => bodyReads(raw, headEnd, reads, isChunked ? new Dechunker() : null),
  }
}

function bodyReads(
  raw: Buffer,
  headEnd: number,
  reads: [number, number][],
  framing: Dechunker | null,
): { bytes: Buffer; atUs: number }[] {
  let at = 0
  return reads.map(([atUs, count]) => {
    const bytes = raw.subarray(Math.max(at, headEnd), Math.max((at += count), headEnd))
    return { bytes: framing?.push(bytes) ?? bytes, atUs }
  })
}

/** What a request's body asks for, as the replay would expect it. */
function expectationOf(path: string, asked: Record<string, unknown>): AnswerExpectation {
  const prompts = Array.isArray(asked['prompt']) && typeof asked['prompt'][0] !== 'number' ? asked['prompt'].length : 1
  const choices = prompts * (typeof asked['n'] === 'number' ? asked['n'] : 1)
  const limit = asked['max_completion_tokens'] ?? asked['max_tokens']
  const options = (asked['stream_options'] ?? {}) as Record<string, unknown>
  return {
    shape: path.includes('/chat/') ? 'chat' : 'completions',
    outputTokens: choices === 1 && typeof limit === 'number' ? limit : null,
    choices,
    continuousUsage: options['continuous_usage_stats'] === true,
    keepTokenIds: true,
  }
}

function jsonOrNothing(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
