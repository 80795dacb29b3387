// Streamed events a second, from bytes to observations, beside bare JSON.parse of the same events' texts, in one run.
import { AnswerStream } from '../src/core/stream/answer-stream.ts'
import { recorded } from '../test/unit/stream/recorded.ts'

const ROUNDS = 9

interface Case {
  name: string
  shape: 'completions' | 'chat'
  /** Bytes a read, or a read for each event. */
  read: number | 'event'
}

const cases: Case[] = [
  { name: 'vllm/default/load_stream_1', shape: 'completions', read: 'event' },
  { name: 'vllm/default/load_stream_1', shape: 'completions', read: 16_384 },
  { name: 'vllm/default/chat_stream_token_ids_continuous', shape: 'chat', read: 'event' },
  { name: 'vllm/default/chat_stream_token_ids_continuous', shape: 'chat', read: 16_384 },
]

function readsOf(body: Buffer, read: Case['read']): Buffer[] {
  const reads: Buffer[] = []
  for (let from = 0; from < body.length;) {
    const to = read === 'event' ? body.indexOf('\n\n', from) + 2 : Math.min(body.length, from + read)
    reads.push(body.subarray(from, to))
    from = to
  }
  return reads
}

function seconds(work: () => void): number {
  const start = performance.now()
  work()
  return (performance.now() - start) / 1000
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

/** One line for each figure. */
export function benchStream(): string[] {
  return cases.map(({ name, shape, read }) => {
    const { body } = recorded(name)
    const texts = body
      .toString()
      .split('\n\n')
      .filter((event) => event.startsWith('data: {'))
      .map((event) => event.slice(6))
    const reads = readsOf(body, read)
    const repeats = Math.ceil(40_000 / texts.length)
    const events = repeats * texts.length
    const ours: number[] = []
    const bare: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      bare.push(
        seconds(() => {
          for (let repeat = 0; repeat < repeats; repeat++) for (const text of texts) JSON.parse(text)
        }),
      )
      ours.push(
        seconds(() => {
          for (let repeat = 0; repeat < repeats; repeat++) {
            const stream = new AnswerStream({ shape, outputTokens: null, continuousUsage: true })
            for (const bytes of reads) stream.push(bytes, 0)
            if (stream.finish('clean', 0).status !== 'ok') throw new Error(`${name} did not read well`)
          }
        }),
      )
    }
    const time = median(ours)
    const ratio = median(bare) / time
    return (
      `stream ${shape}, ${read === 'event' ? 'a read an event' : `${read}-byte reads`}: ${Math.round(events / time / 1000)} k events/s, ` +
      `${((time / events) * 1e6).toFixed(2)} µs each, ${ratio.toFixed(2)} × bare JSON.parse`
    )
  })
}

if (import.meta.main) for (const line of benchStream()) console.log(line)
