import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { GateError } from '../../../../src/core/kernel/errors.ts'
import type { WorkloadClass } from '../../../../src/core/manifest/schema.ts'
import type { ClassChoice } from '../../../../src/core/record/import/class-choice.ts'
import { importedCohort } from '../../../../src/core/record/import/cohort.ts'
import type { ImportedCohort } from '../../../../src/core/record/import/cohort.ts'
import { encodeImportedCsv } from '../../../../src/core/record/import/imported-csv.ts'
import { readImport } from '../../../../src/core/record/import/read-import.ts'
import type { ImportTool } from '../../../../src/core/record/import/tool.ts'

const FIXTURES = join(import.meta.dirname, '../../../../fixtures/imports')

/** The workload of fixtures/imports. */
const workload: WorkloadClass[] = [
  { name: 'chat', mix: 0.6, input_tokens: 64, output_tokens: 4 },
  { name: 'summary', mix: 0.4, input_tokens: 256, output_tokens: 3 },
].map((each) => ({ ...each, request_ttft_cutoff_ms: 200, request_tpot_cutoff_ms: 20 }))

export interface ImportOptions {
  run?: number
  choice?: ClassChoice
}

export function fixtureText(name: string): string {
  return readFileSync(join(FIXTURES, name), 'utf8')
}

/** A JSON value of a fixture, to be changed: of whatever shape its tool gives it. */
export function fixtureJson(name: string) {
  return JSON.parse(fixtureText(name))
}

/** Changes a fixture's value in place. */
export type Change = (value: ReturnType<typeof fixtureJson>) => unknown

/** Text in pieces of an odd size, as a disk gives it. */
export async function* bytesOf(text: string, size = 777): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

export async function importText(tool: ImportTool, text: string, options: ImportOptions = {}): Promise<ImportedCohort> {
  const read = await readImport(tool, bytesOf(text), { file: 'given.json', run: options.run ?? null })
  return importedCohort(read, options.choice ?? { lengthTolerance: 0 }, workload, 'given.json')
}

/** Rows of the CSV by column, as a spreadsheet would see them. */
export function rowsOf(cohort: ImportedCohort): Record<string, string>[] {
  const [head = '', ...lines] = encodeImportedCsv(cohort).trimEnd().split('\n')
  const names = head.split(',')
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, i) => [names[i] ?? '', cell])))
}

/** The refusal of a file, as its code, message and hint. */
export async function refusalOf(tool: ImportTool, text: string, options: ImportOptions = {}) {
  const error: unknown = await importText(tool, text, options).then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof GateError)) throw new Error(`not refused: ${String(error)}`)
  return { code: error.code, message: error.message, hint: error.hint, exitCode: error.exitCode }
}
