import type { Manifest } from '../core/manifest/schema.ts'
import { readRequestsCsv } from '../core/record/read.ts'
import type { Schedule } from '../core/schedule/schedule.ts'
import { analyzeManifest } from '../core/slo/analyze.ts'
import type { SloReport } from '../core/slo/report.ts'
import type { Reconciled } from './reconcile.ts'
import { reconcile } from './reconcile.ts'

export interface AnalyzeRequest {
  manifest: Manifest
  /** The bytes of requests.csv, and its name for messages. */
  csv: AsyncIterable<Uint8Array>
  file: string
  durationSeconds: number
  queueTrend: 'flat' | 'growing'
  /** The frozen schedule that the file must be the cohort of. */
  schedule: Schedule | null
}

export interface Analyzed {
  report: SloReport
  reconciled: Reconciled | null
}

/** Judges a file of requests. Throws GateError, exit 4, for what cannot be judged, and for a cohort that is not its schedule's. */
export async function analyzeFile(request: AnalyzeRequest): Promise<Analyzed> {
  const { manifest, csv, file, durationSeconds, queueTrend, schedule } = request
  const table = await readRequestsCsv(csv, { file, columns: 'analyzed' })
  const reconciled = schedule === null ? null : reconcile(table, schedule)
  return { report: analyzeManifest(table, manifest, { durationSeconds, queueTrend }), reconciled }
}
