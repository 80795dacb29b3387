import { type Answer, type AnswerExpectation, AnswerReader } from '../../../src/core/stream/answer-reader.ts'
import { AnswerStream } from '../../../src/core/stream/answer-stream.ts'
import { SseReader } from '../../../src/core/stream/sse-reader.ts'
import { eventsOf, type ExpectedRecord } from './reference.ts'

export interface Splittable {
  body: Buffer
  isWhole: boolean
  expectation: AnswerExpectation
}

/**
 * Reads a body cut at these ascending offsets. The first part comes at 1 µs, the next at 2 µs; the end comes a microsecond after the last.
 * Each part is read into the same Buffer, as sockets do it, and is gone after its push.
 */
export function readInParts({ body, isWhole, expectation }: Splittable, cuts: readonly number[]): Answer {
  const stream = new AnswerStream(expectation)
  const shared = Buffer.allocUnsafe(body.length)
  const edges = [0, ...cuts, body.length]
  for (let part = 1; part < edges.length; part++) {
    const length = body.copy(shared, 0, edges[part - 1], edges[part])
    stream.push(shared.subarray(0, length), part)
    shared.fill('!', 0, length)
  }
  return stream.finish(isWhole ? 'clean' : 'cut_body', edges.length)
}

/** What is wrong with an answer read in parts, its times included; null where it is the record. */
export function difference(answer: Answer, expected: ExpectedRecord, cuts: readonly number[]): string | null {
  const timeOf = (byte: number | null): number | null =>
    byte === null ? null : 1 + cuts.filter((cut) => cut < byte).length
  const first = timeOf(expected.firstTokenByte)
  const last = timeOf(expected.lastTokenByte)
  const gapsSum = answer.gapsUs.reduce((sum, gap) => sum + gap, 0)
  const pairs: [string, unknown, unknown][] = [
    ['status', answer.status, expected.status],
    ['errorCode', answer.errorCode, expected.errorCode],
    ['errorText', answer.errorText, expected.errorText],
    ['firstTokenUs', answer.firstTokenUs, first],
    ['firstContentUs', answer.firstContentUs, timeOf(expected.firstContentByte)],
    ['lastTokenUs', answer.lastTokenUs, last],
    ['endUs', answer.endUs, timeOf(expected.decidedByte) ?? cuts.length + 2],
    ['inputTokens', answer.inputTokens, expected.inputTokens],
    ['outputTokens', answer.outputTokens, expected.outputTokens],
    ['cachedTokens', answer.cachedTokens, expected.cachedTokens],
    ['chunks', answer.chunks, expected.chunks],
    ['gapsUs.length', answer.gapsUs.length, Math.max(0, expected.chunks - 1)],
    ['sum of gapsUs', gapsSum, (last ?? 0) - (first ?? 0)],
    ['finishReason', answer.finishReason, expected.finishReason],
    ['usageSeen', answer.usageSeen, expected.usageSeen],
  ]
  const wrong = pairs.find(([, is, should]) => is !== should)
  if (wrong) return `${wrong[0]} is ${wrong[1]}, not ${wrong[2]}, cut at ${cuts.join(', ')}`
  if (!sameNumbers(answer.tokensPerChunk, expected.tokensPerChunk)) return `tokensPerChunk, cut at ${cuts.join(', ')}`
  if (!sameNumbers(answer.outputIds, expected.outputIds)) return `outputIds, cut at ${cuts.join(', ')}`
  return null
}

function sameNumbers(a: readonly number[] | null, b: readonly number[] | null): boolean {
  if (a === null || b === null) return a === b
  return a.length === b.length && a.every((value, index) => value === b[index])
}

/** The first difference over every way to cut the body in two; null where there is none. */
export function everySplitWhole(stream: Splittable, expected: ExpectedRecord): string | null {
  for (let cut = 0; cut <= stream.body.length; cut++) {
    const found = difference(readInParts(stream, [cut]), expected, [cut])
    if (found !== null) return found
  }
  return null
}

/**
 * The same for long bodies, in time linear in their length, by the two stages of the reader: an event's bytes with the events before and
 * after it are cut at every offset and must give those events, each with the part that completes it; and the events of the whole body,
 * the first part ending after each of them, must give the record.
 */
export function everySplitByStages(
  { body, isWhole, expectation }: Splittable,
  expected: ExpectedRecord,
): string | null {
  const { events, leftover } = eventsOf(body)
  const ends = events.map(({ endByte }) => endByte)
  for (let index = 0; index <= events.length; index++) {
    const from = ends[index - 2] ?? 0
    const to = ends[index + 1] ?? body.length
    const inside = events.filter(({ endByte }) => endByte > from && endByte <= to)
    const isTail = to === body.length
    for (let cut = ends[index - 1] ?? 0; cut <= (ends[index] ?? body.length); cut++) {
      const found = cutEvents(body, [from, cut, to], inside, isTail ? leftover : null)
      if (found !== null) return found
    }
  }
  for (let count = 0; count <= events.length; count++) {
    const reader = new AnswerReader(expectation)
    events.forEach(({ data, event }, index) => reader.observe(data, event, index < count ? 1 : 2))
    if (isWhole && leftover !== null && leftover.trim() !== '[DONE]') reader.fail('malformed_event', 3)
    const cut = count === 0 ? 0 : (ends[count - 1] ?? 0)
    const found = difference(reader.finish(isWhole ? 'clean' : 'cut_body', 3), expected, [cut])
    if (found !== null) return found
  }
  return null
}

function cutEvents(
  body: Buffer,
  [from, cut, to]: [number, number, number],
  inside: readonly { data: string; event: string; endByte: number }[],
  leftover: string | null,
): string | null {
  const reader = new SseReader()
  let seen = 0
  let wrong: string | null = null
  let reached = cut
  const check = (data: string, event: string): void => {
    const should = inside[seen++]
    const isRight = should !== undefined && should.data === data && should.event === event
    const isByThen = should !== undefined && should.endByte <= reached && (reached === cut || should.endByte > cut)
    if (!isRight || !isByThen) wrong ??= `event ${seen} from ${from}, cut at ${cut}`
  }
  reader.push(body.subarray(from, cut), check)
  reached = to
  reader.push(body.subarray(cut, to), check)
  if (seen !== inside.length) wrong ??= `${seen} events from ${from} to ${to}, cut at ${cut}`
  if (wrong === null && leftover !== reader.leftover()) wrong = `the rest, cut at ${cut}`
  return wrong
}
