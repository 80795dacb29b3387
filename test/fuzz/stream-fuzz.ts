// Reads changed and made-up bodies, whole and in parts, beside the second reading: `node test/fuzz/stream-fuzz.ts [SECONDS] [SEED]`.
import { type Answer, type AnswerExpectation } from '../../src/core/stream/answer-reader.ts'
import { DEFAULT_SSE_LIMITS } from '../../src/core/stream/sse-reader.ts'
import { answersOf, situations } from '../unit/stream/recorded.ts'
import { eventsOf, referenceRecord } from '../unit/stream/reference.ts'
import { difference, readInParts, type Splittable } from '../unit/stream/split-check.ts'
import { cutsOf, Draw, mutated } from './stream-mutations.ts'

interface FuzzResult {
  streams: number
  bytes: number
  /** How the answers ended, by error code. */
  ends: Map<string, number>
  /** What went wrong, with the number of the stream; at most ten. */
  faults: string[]
  /** The longest that one reading took, over what the whole of its bytes should. */
  slowestMs: number
}

/** A reading that takes longer hangs. */
const HANG_MS = 5000

/** Reads streams drawn from the seed until told to stop. */
export function fuzzStreams(seed: number, isOver: (streams: number) => boolean): FuzzResult {
  const bodies = situations().flatMap((situation) =>
    answersOf(situation).flatMap((one) => (one.isStream ? one.body : [])),
  )
  const result: FuzzResult = { streams: 0, bytes: 0, ends: new Map(), faults: [], slowestMs: 0 }
  while (!isOver(result.streams) && result.faults.length < 10) {
    const draw = new Draw(seed + result.streams)
    const stream: Splittable = {
      body: mutated(bodies, draw),
      isWhole: draw.below(4) > 0,
      expectation: anyExpectation(draw),
    }
    const cuts = cutsOf(stream.body.length, draw)
    const start = performance.now()
    const fault = faultOf(stream, cuts, result.ends)
    result.slowestMs = Math.max(result.slowestMs, performance.now() - start)
    if (fault !== null) result.faults.push(`stream ${seed + result.streams}: ${fault}`)
    result.streams++
    result.bytes += stream.body.length
  }
  return result
}

function anyExpectation(draw: Draw): AnswerExpectation {
  return {
    shape: draw.of(['completions', 'chat']),
    outputTokens: draw.of([null, 16, 32]),
    choices: draw.of([1, 1, 2]),
    continuousUsage: draw.of([true, false]),
    keepTokenIds: draw.of([true, false]),
  }
}

function faultOf(stream: Splittable, cuts: readonly number[], ends: Map<string, number>): string | null {
  const start = performance.now()
  try {
    const whole = readInParts(stream, [])
    const split = readInParts(stream, cuts)
    ends.set(whole.errorCode ?? 'ok', (ends.get(whole.errorCode ?? 'ok') ?? 0) + 1)
    if (performance.now() - start > HANG_MS) return `took ${Math.round(performance.now() - start)} ms`
    if (timeless(whole) !== timeless(split)) return `read in parts it is another, cut at ${cuts.slice(0, 8).join(', ')}`
    if (hasTooLong(stream.body)) return null
    const record = referenceRecord(stream.body, stream.isWhole, stream.expectation)
    const expected = stream.expectation.keepTokenIds ? record : { ...record, outputIds: null }
    return difference(whole, expected, []) ?? difference(split, expected, cuts)
  } catch (error) {
    return `threw ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`
  }
}

function timeless({
  status,
  errorCode,
  errorText,
  finishReason,
  outputTokens,
  chunks,
  tokensPerChunk,
  ...rest
}: Answer): string {
  const { inputTokens, cachedTokens, outputIds, usageSeen } = rest
  const kept = [status, errorCode, errorText, finishReason, outputTokens, chunks, tokensPerChunk, inputTokens]
  return JSON.stringify([...kept, cachedTokens, outputIds, usageSeen])
}

/** Over the event limit, which the second reading does not know. */
function hasTooLong(body: Buffer): boolean {
  if (body.length <= DEFAULT_SSE_LIMITS.maxEventChars) return false
  const isLong = (text: string | null): boolean => (text?.length ?? 0) >= DEFAULT_SSE_LIMITS.maxEventChars - 8
  const { events, leftover } = eventsOf(body)
  return (
    isLong(leftover) ||
    events.some(({ data }) => isLong(data)) ||
    body
      .toString('latin1')
      .split(/[\r\n]/)
      .some(isLong)
  )
}

function heapMiB(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed / 2 ** 20
}

if (import.meta.main) {
  const seconds = Number(process.argv[2] ?? 60)
  const seed = Number(process.argv[3] ?? Date.now() % 1_000_000_000)
  fuzzStreams(seed, (streams) => streams >= 200)
  const before = heapMiB()
  const until = performance.now() + seconds * 1000
  const found = fuzzStreams(seed, () => performance.now() > until)
  const after = heapMiB()
  const ends = [...found.ends].sort(([, a], [, b]) => b - a).map(([code, count]) => `${code} ${count}`)
  console.log(`seed ${seed}: ${found.streams} streams, ${Math.round(found.bytes / 2 ** 20)} MiB in ${seconds} s`)
  console.log(`ends: ${ends.join(', ')}`)
  console.log(
    `slowest ${Math.round(found.slowestMs)} ms; heap ${before.toFixed(1)} MiB before, ${after.toFixed(1)} MiB after`,
  )
  console.log(found.faults.length === 0 ? 'no fault' : found.faults.join('\n'))
  process.exitCode = found.faults.length === 0 ? 0 : 1
}
