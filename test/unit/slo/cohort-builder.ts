import type { Manifest } from '../../../src/core/manifest/schema.ts'
import { encodeRequestsCsv } from '../../../src/core/record/csv.ts'
import { readRequestsCsv } from '../../../src/core/record/read.ts'
import type { RequestRecord } from '../../../src/core/record/record.ts'
import type { CohortTable } from '../../../src/core/record/table.ts'
import type { Point } from '../../../src/core/slo/analyze.ts'
import { analyzeManifest } from '../../../src/core/slo/analyze.ts'
import type { SloReport } from '../../../src/core/slo/report.ts'

/** A success of a class of the worked example, well inside its cutoffs: 100 ms to the first token, 10 ms for each that follows. */
export function success(
  manifest: Manifest,
  name: string,
  id: string,
  change: Partial<RequestRecord> = {},
): RequestRecord {
  const tokens = manifest.workload.find((each) => each.name === name)?.output_tokens ?? 0
  const dueUs = change.dueUs ?? 0
  const lastTokenUs = dueUs + 100_000 + 10_000 * (tokens - 1)
  return {
    id,
    class: name,
    status: 'ok',
    errorCode: null,
    dueUs,
    handedUs: dueUs,
    sentUs: dueUs,
    firstTokenUs: dueUs + 100_000,
    firstContentUs: null,
    lastTokenUs,
    endUs: lastTokenUs,
    inputTokens: null,
    outputTokens: tokens,
    cachedTokens: null,
    chunks: tokens,
    gapUs: null,
    httpStatus: 200,
    finishReason: 'length',
    replica: 0,
    session: null,
    turn: null,
    ...change,
  }
}

/** What a class of a cohort consists of: how many are inside their cutoffs, how many too slow to the first token, how many errors. */
export type Counts = Record<string, { good: number; slow?: number; errors?: number }>

export function cohortOf(manifest: Manifest, counts: Counts): RequestRecord[] {
  return Object.entries(counts).flatMap(([name, { good, slow = 0, errors = 0 }]) =>
    Array.from({ length: good + slow + errors }, (_, i): RequestRecord => {
      const record = success(manifest, name, `${name}-${i}`)
      if (i < good) return record
      if (i >= good + slow) return { ...record, status: 'error', errorCode: 'connection_reset', httpStatus: null }
      const lateUs = 10_000_000
      return {
        ...record,
        firstTokenUs: (record.firstTokenUs ?? 0) + lateUs,
        lastTokenUs: (record.lastTokenUs ?? 0) + lateUs,
        endUs: record.endUs + lateUs,
      }
    }),
  )
}

/** Through the file, as every judgement goes. */
export async function judge(
  manifest: Manifest,
  records: readonly RequestRecord[],
  point: Partial<Point> = {},
): Promise<SloReport> {
  return judgeTable(await tableOf(records), manifest, point)
}

export function tableOf(records: readonly RequestRecord[]): Promise<CohortTable> {
  return readRequestsCsv(encodeRequestsCsv(records))
}

export function judgeTable(table: CohortTable, manifest: Manifest, point: Partial<Point> = {}): SloReport {
  return analyzeManifest(table, manifest, { durationSeconds: 1000, queueTrend: 'flat', ...point })
}
