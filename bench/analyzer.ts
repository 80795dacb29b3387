// Rows analysed a second, from bytes to report, beside csv-parse's bare parse of the same bytes, in one run; and the peak memory of a
// million rows, in a process of its own. `node bench/analyzer.ts`
import { spawnSync } from 'node:child_process'
import { appendFileSync, createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Parser } from 'csv-parse'
import { parse } from 'csv-parse/sync'
import { encodeRequestsCsv } from '../src/core/record/csv.ts'
import { readRequestsCsv } from '../src/core/record/read.ts'
import type { RequestRecord } from '../src/core/record/record.ts'
import { analyzeManifest } from '../src/core/slo/analyze.ts'
import { workedExample } from '../test/unit/slo/worked-example.ts'

const manifest = workedExample()
/** As long as a cohort of that many takes at 24 requests a second. */
const pointOf = (rows: number) => ({ durationSeconds: rows / 24, queueTrend: 'flat' as const })
const CHUNK_BYTES = 64 * 1024
/** The best of them counts: whatever else the machine does only ever slows a round. */
const ROUNDS = 7

type Width = 'bare' | 'full'

/** A request that could have been measured: times that vary in every digit. */
function recordAt(i: number): RequestRecord {
  const workload = manifest.workload[[0, 0, 0, 0, 0, 0, 0, 1, 1, 2][i % 10] ?? 0]
  if (!workload) throw new Error('the worked example has three classes')
  const dueUs = i * 41_667
  const sentUs = dueUs + ((i * 7919) % 1000)
  const firstTokenUs = sentUs + 50_000 + ((i * 104_729) % 400_000)
  const lastTokenUs = firstTokenUs + (workload.output_tokens - 1) * (10_000 + ((i * 1_299_709) % 25_000))
  const isOk = i % 200 !== 0
  return {
    id: `r-${String(i).padStart(6, '0')}`,
    class: workload.name,
    status: isOk ? 'ok' : 'timeout',
    errorCode: isOk ? null : 'first_token_deadline',
    dueUs,
    handedUs: sentUs,
    sentUs,
    firstTokenUs,
    firstContentUs: firstTokenUs,
    lastTokenUs,
    endUs: lastTokenUs + 512,
    inputTokens: workload.input_tokens,
    outputTokens: workload.output_tokens,
    cachedTokens: (i % 16) * 64,
    chunks: workload.output_tokens,
    gapUs: { p50: 20_000 + (i % 999), p95: 30_000 + (i % 999), max: 90_000 + (i % 9999) },
    httpStatus: 200,
    finishReason: isOk ? 'length' : null,
    replica: i % 4,
    session: null,
    turn: null,
  }
}

/** The file in pieces, so that a million rows need not stand in memory to be written. */
function* csvOf(rows: number, width: Width): Generator<Uint8Array> {
  for (let from = 0; from < rows; from += 1000) {
    const records = Array.from({ length: Math.min(1000, rows - from) }, (_, i) => recordAt(from + i))
    const lines = encodeRequestsCsv(records).split('\n')
    const kept = from === 0 ? lines : lines.slice(1)
    const cut = width === 'full' ? kept : kept.map((line) => line.split(',').slice(0, 7).join(','))
    yield Buffer.from(cut.join('\n'))
  }
}

async function rowsPerSecond(rows: number, work: () => unknown): Promise<number> {
  const start = performance.now()
  await work()
  return rows / ((performance.now() - start) / 1000)
}

function bareStream(bytes: Uint8Array): void {
  const parser = new Parser({ on_record: () => null })
  for (let from = 0; from < bytes.length; from += CHUNK_BYTES) parser.write(bytes.subarray(from, from + CHUNK_BYTES))
  parser.end()
}

const thousands = (value: number) => Math.round(value).toLocaleString('en')

async function speed(rows: number, width: Width): Promise<string> {
  const bytes = Buffer.concat([...csvOf(rows, width)])
  const analysed: number[] = []
  const streamed: number[] = []
  const whole: number[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const ours = await rowsPerSecond(rows, async () =>
      analyzeManifest(await readRequestsCsv(bytes), manifest, pointOf(rows)),
    )
    const stream = await rowsPerSecond(rows, () => bareStream(bytes))
    const sync = await rowsPerSecond(rows, () => parse(bytes))
    if (round === 0) continue
    analysed.push(ours)
    streamed.push(stream)
    whole.push(sync)
  }
  const bare = Math.max(...streamed, ...whole)
  return (
    `analyzer ${width === 'full' ? 'our 29' : 'the bare 7'} columns, ${thousands(rows)} rows: ${thousands(Math.max(...analysed))} rows/s; ` +
    `csv-parse alone ${thousands(Math.max(...streamed))} streamed, ${thousands(Math.max(...whole))} at once; ` +
    `ratio ${(Math.max(...analysed) / bare).toFixed(2)} to the faster (goal 0.5)`
  )
}

/** Alone in its process, from a file on disk, as the command does it. */
async function peakMemory(file: string): Promise<string> {
  const start = performance.now()
  const table = await readRequestsCsv(createReadStream(file), { columns: 'analyzed' })
  const report = analyzeManifest(table, manifest, pointOf(table.rows))
  const seconds = (performance.now() - start) / 1000
  const mebibytes = process.resourceUsage().maxRSS / 1024
  return (
    `analyzer ${basename(file)}, ${thousands(report.attempted)} rows: ` +
    `peak ${mebibytes.toFixed(0)} MiB (goal 488, which is 512 MB), ${seconds.toFixed(1)} s`
  )
}

const [task, file] = process.argv.slice(2)
if (task === 'peak' && file !== undefined) {
  console.log(await peakMemory(file))
} else {
  for (const width of ['bare', 'full'] as const) console.log(await speed(100_000, width))
  const folder = mkdtempSync(join(tmpdir(), 'analyzer-'))
  try {
    for (const width of ['bare', 'full'] as const) {
      const csv = join(folder, `${width}.csv`)
      writeFileSync(csv, '')
      for (const piece of csvOf(1_000_000, width)) appendFileSync(csv, piece)
      spawnSync(process.execPath, [fileURLToPath(import.meta.url), 'peak', csv], { stdio: 'inherit' })
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
