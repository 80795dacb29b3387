import type { AnswerExpectation } from '../../../src/core/stream/answer-reader.ts'

// A second reading of whole bodies, made apart from the reader: all lines, then all events, then all chunks, each a list. Slow and plain.

/** What one answer holds, with the offset in its body (not a time) at which each thing is known: the end of its event's blank line. */
export interface ExpectedRecord {
  status: string
  errorCode: string | null
  errorText: string | null
  inputTokens: number | null
  outputTokens: number | null
  cachedTokens: number | null
  chunks: number
  tokensPerChunk: number[]
  outputIds: number[] | null
  finishReason: string | null
  usageSeen: boolean
  firstTokenByte: number | null
  firstContentByte: number | null
  lastTokenByte: number | null
  /** Null where the body's end decides. */
  decidedByte: number | null
}

export interface ReferenceEvent {
  data: string
  event: string
  /** How many bytes of the body it takes to know it. */
  endByte: number
}

interface Chunk {
  completion: number | null
  choices: Record<string, unknown>[]
  endByte: number
}

interface Decision {
  errorCode: string | null
  errorText: string | null
  isRefusal: boolean
  byte: number | null
  isDone: boolean
}

type Fields = Record<string, unknown>
const fieldsOf = (value: unknown): Fields | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null
const count = (value: unknown): number | null =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 31 ? value : null
const isInRange = (choice: Fields): boolean => (count(choice['index']) ?? 0) <= 1023
const GIVEN_UP: unknown[] = ['abort', 'error', 'cancelled', 'timeout']
const isError = (value: unknown): boolean => value !== undefined && value !== null && value !== false && value !== ''
const filled = (value: unknown): boolean => typeof value === 'string' && value.length > 0

/** All events of a body, and what was left unterminated at its end (null where nothing was). */
export function eventsOf(body: Buffer): { events: ReferenceEvent[]; leftover: string | null } {
  const text = body.toString('latin1')
  const events: ReferenceEvent[] = []
  let data: string[] = []
  let name = ''
  let from = text.startsWith('\u00ef\u00bb\u00bf') ? 3 : 0
  const take = (line: string): void => {
    const [, field = '', value = ''] = /^([^:]*):? ?(.*)$/su.exec(line) ?? []
    if (field === 'data' || field === 'error') data.push(value)
    if (field === 'event') name = value
    if (field === 'error') name = 'error'
  }
  for (const end of text.matchAll(/\r\n|\n|\r/g)) {
    const line = body.toString('utf8', from, end.index)
    const endByte = end.index + 1
    from = end.index + end[0].length
    if (line !== '') take(line)
    else {
      if (data.length > 0 || name === 'error') events.push({ data: data.join('\n'), event: name, endByte })
      data = []
      name = ''
    }
  }
  const rest = body.toString('utf8', from)
  if (rest !== '') take(rest)
  return { events, leftover: data.length > 0 || name === 'error' ? data.join('\n') : null }
}

/** What the reader must make of the body, that ended by its framing or was cut off. */
export function referenceRecord(body: Buffer, isWhole: boolean, asked: AnswerExpectation): ExpectedRecord {
  const { events, leftover } = eventsOf(body)
  const { chunks, decision } = untilDecided(events)
  const bearing = bearingChunks(chunks, asked)
  const usages = chunks.flatMap(({ usage }) => (usage === null ? [] : [usage]))
  const last = (of: (usage: Fields) => number | null): number | null =>
    usages.map(of).findLast((value) => value !== null) ?? null
  const ids = chunks.flatMap(({ choices }) => choices.flatMap(idsOf))
  const completion = last((usage) => count(usage['completion_tokens']))
  const reasons = chunks.flatMap(({ choices }) => choices.filter(isInRange).map((choice) => choice['finish_reason']))
  const outputTokens = completion ?? (ids.length > 0 ? ids.length : null)
  const lacks = (): string | null => {
    if (!decision.isDone && isWhole && leftover !== null && leftover.trim() !== '[DONE]') return 'malformed_event'
    return lacking({ chunks, isDone: decision.isDone, isWhole, bearing: bearing.length, outputTokens, asked })
  }
  const errorCode = decision.errorCode ?? lacks()
  return {
    status: errorCode === null ? 'ok' : decision.isRefusal ? 'rejected' : 'error',
    errorCode,
    errorText: decision.errorText,
    inputTokens: last((usage) => count(usage['prompt_tokens'])),
    outputTokens,
    cachedTokens: last((usage) => count(fieldsOf(usage['prompt_tokens_details'])?.['cached_tokens'])),
    chunks: bearing.length,
    tokensPerChunk: bearing.map(({ tokens }) => tokens),
    outputIds: ids.length > 0 ? ids.map((id) => count(id) ?? -1) : null,
    finishReason: printed((reasons.findLast(filled) as string | undefined) ?? '', 64),
    usageSeen: completion !== null,
    firstTokenByte: bearing[0]?.endByte ?? null,
    firstContentByte: bearing.find(({ hasText }) => hasText)?.endByte ?? null,
    lastTokenByte: bearing.at(-1)?.endByte ?? null,
    decidedByte: decision.byte,
  }
}

/** The chunks up to the event that decides the answer, and that decision. */
function untilDecided(events: ReferenceEvent[]): { chunks: (Chunk & { usage: Fields | null })[]; decision: Decision } {
  const chunks: (Chunk & { usage: Fields | null })[] = []
  const decided = (byte: number, more: Partial<Decision>): { chunks: typeof chunks; decision: Decision } => ({
    chunks,
    decision: { errorCode: null, errorText: null, isRefusal: false, isDone: false, ...more, byte },
  })
  for (const { data, event, endByte } of events) {
    const value = parsed(data)
    if (event === 'error') return decided(endByte, said(value === undefined ? data : value))
    if (data.length < 32 && data.trim() === '[DONE]') return decided(endByte, { isDone: true })
    if (data.length < 32 && (data.trim() === '' || data.trim() === 'null')) continue
    const fields = fieldsOf(value)
    if (fields === null && event !== '' && event !== 'message') continue
    if (fields === null) return decided(endByte, { errorCode: 'malformed_event' })
    const { error, choices } = fields
    if (isError(error)) return decided(endByte, said(error))
    if (fields['object'] === 'error') return decided(endByte, said(fields))
    const usage = fieldsOf(fields['usage'])
    const parts = Array.isArray(choices) ? choices.filter((choice) => fieldsOf(choice) !== null) : []
    chunks.push({ completion: count(usage?.['completion_tokens']), choices: parts, endByte, usage })
    if (choices !== undefined && choices !== null && !Array.isArray(choices))
      return decided(endByte, { errorCode: 'malformed_event' })
    const bad = parts.find((part) => !isInRange(part) || GIVEN_UP.includes(part['finish_reason']))
    if (bad) return decided(endByte, { errorCode: isInRange(bad) ? 'engine_abort' : 'malformed_event' })
  }
  return { chunks, decision: { errorCode: null, errorText: null, isRefusal: false, isDone: false, byte: null } }
}

function said(value: unknown): Partial<Decision> {
  const outer = fieldsOf(value)
  const error = outer !== null && isError(outer['error']) ? outer['error'] : value
  const fields = fieldsOf(error)
  const given = fields?.['code'] ?? fields?.['status_code'] ?? fields?.['status']
  const code = typeof given === 'string' && given.length === 3 ? Number(given) : given
  const message = fields?.['message'] ?? error
  const text = typeof message === 'string' ? message : quoted(error)
  const isRefusal = code === 429 || code === 503
  return { errorCode: 'in_stream_error', errorText: printed(text, 200), isRefusal }
}

/** What is shown of a text; null where nothing is. */
function printed(text: string, length: number): string | null {
  const shown = [...text].slice(0, length).map((letter) => (/[\p{C}\p{Zl}\p{Zp}]/u.test(letter) ? '\u{fffd}' : letter))
  return shown.join('') || null
}

function quoted(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch {
    return 'an error nested too deep to be shown'
  }
}

/** The chunks that bear tokens: by text, by ids, or by usage that rises as long as each of them brings it. */
function bearingChunks(
  chunks: Chunk[],
  asked: AnswerExpectation,
): { tokens: number; hasText: boolean; endByte: number }[] {
  const reported = new Map<number, number>()
  const bearing: { tokens: number; hasText: boolean; endByte: number }[] = []
  let isContinuous = true
  for (const { completion, choices, endByte } of chunks) {
    const [first] = choices
    if (first === undefined) continue
    const index = count(first['index']) ?? 0
    let risen = 0
    if (completion !== null && isContinuous && index <= 1023) {
      risen = Math.max(0, completion - (reported.get(index) ?? (asked.continuousUsage ? 0 : completion)))
      reported.set(index, completion)
    }
    const ids = choices.flatMap(idsOf).length
    const hasText = choices.some((choice) => textsOf(choice, asked.shape).some(filled))
    if (!hasText && ids === 0 && risen === 0) continue
    if (completion === null) isContinuous = false
    bearing.push({ tokens: ids > 0 ? ids : risen, hasText, endByte })
  }
  return bearing
}

function textsOf(choice: Fields, shape: string): unknown[] {
  if (shape === 'completions') return [choice['text']]
  const delta = fieldsOf(choice['delta']) ?? {}
  const calls = Array.isArray(delta['tool_calls']) ? delta['tool_calls'] : []
  const made = calls.map((call) => fieldsOf(fieldsOf(call)?.['function']) ?? {})
  const plain = ['content', 'reasoning_content', 'reasoning', 'refusal'].map((name) => delta[name])
  return [...plain, ...made.flatMap((call) => [call['name'], call['arguments']])]
}

function idsOf(choice: Fields): unknown[] {
  return Array.isArray(choice['token_ids']) ? choice['token_ids'] : []
}

function lacking(seen: {
  chunks: Chunk[]
  isDone: boolean
  isWhole: boolean
  bearing: number
  outputTokens: number | null
  asked: AnswerExpectation
}): string | null {
  const { chunks, isDone, isWhole, bearing, outputTokens, asked } = seen
  const all = chunks.flatMap(({ choices }) => choices)
  const indexes = (of: Fields[]): Set<number> => new Set(of.map((choice) => count(choice['index']) ?? 0))
  const finished = indexes(all.filter((choice) => filled(choice['finish_reason'])))
  const wanted = Math.max(asked.choices ?? 1, ...[...indexes(all)].map((index) => index + 1))
  const isFinished = [...Array.from({ length: wanted }).keys()].every((index) => finished.has(index))
  if (isDone && !isFinished) return 'done_without_finish'
  if (!isDone && !isWhole) return 'cut_body'
  if (!isFinished) return 'end_without_finish'
  if (bearing === 0) return 'no_token'
  if (outputTokens === null) return 'usage_missing'
  return asked.outputTokens === null || asked.outputTokens === outputTokens ? null : 'wrong_length'
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
