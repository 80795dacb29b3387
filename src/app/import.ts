import { importedPoint, importedResult } from '../core/capacity/imported.ts'
import type { CapacityRecord } from '../core/capacity/record.ts'
import { EXIT, GateError } from '../core/kernel/errors.ts'
import { sha256Hex } from '../core/kernel/hash.ts'
import type { Cache, Load } from '../core/kernel/point.ts'
import type { Manifest } from '../core/manifest/schema.ts'
import type { ClassChoice } from '../core/record/import/class-choice.ts'
import { importedCohort } from '../core/record/import/cohort.ts'
import type { ImportedCohort } from '../core/record/import/cohort.ts'
import { encodeImportedCsv } from '../core/record/import/imported-csv.ts'
import { readImport } from '../core/record/import/read-import.ts'
import type { ImportTool } from '../core/record/import/tool.ts'
import { readRequestsCsv } from '../core/record/read.ts'
import { capacityRecord } from './run/record.ts'

export interface ImportRequest {
  tool: ImportTool
  source: AsyncIterable<Uint8Array>
  /** The file's name, for messages. */
  file: string
  /** Which run or benchmark of several, from 1. */
  run: number | null
  choice: ClassChoice
  manifest: Manifest
}

export interface Imported {
  cohort: ImportedCohort
  /** requests.csv. */
  csv: string
}

/** Another tool's file as requests.csv. Throws GateError, exit 4, for a file that cannot be one cohort of the manifest's workload. */
export async function importFile(request: ImportRequest): Promise<Imported> {
  const { tool, source, file, run, choice, manifest } = request
  const read = await readImport(tool, source, { file, run })
  const cohort = importedCohort(read, choice, manifest.workload, file)
  return { cohort, csv: encodeImportedCsv(cohort) }
}

export interface ImportedRecordRequest {
  imported: Imported
  manifest: Manifest
  cache: Cache
  load: Load
  /** Null: what the file tells. */
  durationSeconds: number | null
  toolVersion: string
  /** ISO 8601, UTC. */
  createdAt: string
}

/**
 * A capacity record of one imported point, which `gate` can show beside another. It is judged from requests.csv, as everything is, and
 * holds no capacity. Throws GateError `import_duration` where neither the file nor the caller tells how long the cohort took, and where
 * the caller's is shorter than the file's.
 */
export async function importedRecord(request: ImportedRecordRequest): Promise<CapacityRecord> {
  const { imported, manifest, cache, load, toolVersion, createdAt } = request
  const { cohort, csv } = imported
  const cohortSeconds = request.durationSeconds ?? cohort.durationSeconds
  if (cohortSeconds === null) {
    const hint = 'give the seconds from the first request to the last end: --duration-seconds S'
    throw durationRefused('the file does not tell how long its cohort took', hint)
  }
  if (cohortSeconds < (cohort.durationSeconds ?? 0)) {
    const what = `the cohort took ${cohort.durationSeconds} s by its file, and ${cohortSeconds} s were given`
    throw durationRefused(what, 'leave --duration-seconds out')
  }
  const table = await readRequestsCsv(csv, { columns: 'analyzed' })
  const cohortSha256 = sha256Hex(csv)
  const key = { cache, load, repeat: 1 }
  const { arrivalSeconds } = cohort
  const point = importedPoint({ manifest, table, key, cohortSha256, cohortSeconds, arrivalSeconds })
  return capacityRecord({
    manifest,
    kind: 'imported',
    toolVersion,
    createdAt,
    commit: null,
    hardware: { mustEqual: {}, recorded: {} },
    schedules: { [cache]: cohortSha256 },
    results: [importedResult(point)],
    boots: [],
    evidence: [],
  })
}

function durationRefused(message: string, hint: string): GateError {
  return new GateError({ code: 'import_duration', message, hint, exitCode: EXIT.invalid })
}
