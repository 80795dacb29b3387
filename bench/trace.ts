// Rows of a trace read and profiled a second, beside a bare parse of the same text (csv-parse, or JSON.parse of each line), in one run.
import { parse } from 'csv-parse/sync'
import { TraceProfiler } from '../src/core/schedule/trace/profile/trace-profile.ts'
import { TraceReader } from '../src/core/schedule/trace/trace-reader.ts'

const ROWS = 200_000
const PIECE_BYTES = 64 * 1024
/** The best of them counts: whatever else the machine does only ever slows a round. */
const ROUNDS = 5

const lines = {
  azure: (row: number) => `2023-11-16 18:${clock(row)}.1234567,${1 + ((row * 7919) % 4000)},${1 + (row % 900)}`,
  burstgpt: (row: number) =>
    `${row >> 4}.0,ChatGPT,${1 + ((row * 7919) % 4000)},${1 + (row % 900)},4900,Conversation log`,
  mooncake: (row: number) =>
    JSON.stringify({
      timestamp: row * 50,
      input_length: 512 * 20,
      output_length: 1 + (row % 900),
      hash_ids: Array.from({ length: 20 }, (_, block) => (block < 10 ? block : row * 10 + block)),
    }),
}

const heads = {
  azure: 'TIMESTAMP,ContextTokens,GeneratedTokens\n',
  burstgpt: 'Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type\n',
  mooncake: '',
}

function clock(row: number): string {
  const seconds = Math.floor(row / 200)
  return `${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`
}

function pieces(bytes: Uint8Array): Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / PIECE_BYTES) }, (_, index) =>
    bytes.subarray(index * PIECE_BYTES, (index + 1) * PIECE_BYTES),
  )
}

function bestSeconds(work: () => void): number {
  const times = Array.from({ length: ROUNDS }, () => {
    const start = performance.now()
    work()
    return (performance.now() - start) / 1000
  })
  return Math.min(...times)
}

const parseJson = (line: string): unknown => JSON.parse(line)

for (const format of ['azure', 'burstgpt', 'mooncake'] as const) {
  const text = heads[format] + Array.from({ length: ROWS }, (_, row) => `${lines[format](row)}\n`).join('')
  const all = pieces(new TextEncoder().encode(text))
  const profiled = bestSeconds(() => {
    const [reader, profiler] = [new TraceReader({ file: format, format }), new TraceProfiler()]
    for (const piece of all) for (const row of reader.push(piece)) profiler.add(row)
  })
  const bare = bestSeconds(() => {
    const rows: unknown[] = format === 'mooncake' ? text.trimEnd().split('\n').map(parseJson) : parse(text)
    if (rows.length < ROWS) throw new Error('rows were lost')
  })
  const perSecond = Math.round(ROWS / profiled).toLocaleString('en-US')
  process.stdout.write(
    `trace ${format}: ${perSecond} rows/s read and profiled, ${(bare / profiled).toFixed(2)} × a bare parse\n`,
  )
}
