import type { Acceptance, WorkloadClass } from '../manifest/schema.ts'
import { quoted, refusal } from '../record/refusal.ts'
import type { CohortTable } from '../record/table.ts'
import { statusAt } from '../record/table.ts'

/** What a class is judged by: a part of the manifest's. */
export type SloClass = Pick<
  WorkloadClass,
  'name' | 'output_tokens' | 'request_ttft_cutoff_ms' | 'request_tpot_cutoff_ms' | 'request_e2e_cutoff_ms'
>

/** Whether a class's answers have its `output_tokens`, or lengths of their own up to it, as those of a trace do. */
export type Lengths = 'exact' | 'most'

/** One class's rows of a cohort. */
export interface ClassSample {
  class: SloClass
  /** Rows that count: planned cancellations are left out where the manifest says so. */
  attempted: number
  failed: number
  /** The rows that are ok, in the order of arrival. */
  ok: Int32Array
}

/**
 * Parts a cohort into its classes, in the manifest's order.
 *
 * @throws GateError, exit 4, for a class that the manifest does not have, and for a success of a length that the class does not allow.
 */
export function samplesOf(
  table: CohortTable,
  classes: readonly SloClass[],
  { planned, lengths }: { planned: Acceptance['planned_cancellations']; lengths: Lengths },
): ClassSample[] {
  const samples = classes.map((each) => ({ class: each, attempted: 0, failed: 0, ok: new Int32Array(0) }))
  const ofText = table.classes.texts.map((name) => samples.find((sample) => sample.class.name === name))
  const sampleAt = (row: number) => ofText[table.classes.index[row] ?? -1] ?? unknownClass(table, row)
  for (let row = 0; row < table.rows; row++) {
    const sample = sampleAt(row)
    const status = statusAt(table, row)
    if (status === 'cancelled' && planned === 'excluded') continue
    sample.attempted++
    if (status !== 'ok') sample.failed++
    else if (!isAllowed(table.outputTokens[row] ?? 0, sample.class, lengths))
      wrongLength(table, row, sample.class, lengths)
  }
  const filled = new Map(samples.map((sample) => [sample, 0]))
  for (const sample of samples) sample.ok = new Int32Array(sample.attempted - sample.failed)
  for (const row of rowsByArrival(table)) {
    if (statusAt(table, row) !== 'ok') continue
    const sample = sampleAt(row)
    const at = filled.get(sample) ?? 0
    sample.ok[at] = row
    filled.set(sample, at + 1)
  }
  return samples
}

function isAllowed(outputTokens: number, { output_tokens }: SloClass, lengths: Lengths): boolean {
  return lengths === 'exact' ? outputTokens === output_tokens : outputTokens >= 1 && outputTokens <= output_tokens
}

/** Rows by due time; a file without due times is taken to be in the order of arrival. */
function rowsByArrival(table: CohortTable): Int32Array {
  const due = table.hasDue ? table.dueUs : []
  const rows = new Int32Array(table.rows)
  let isSorted = true
  for (let row = 0; row < rows.length; row++) {
    rows[row] = row
    if ((due[row] ?? 0) < (due[row - 1] ?? 0)) isSorted = false
  }
  return isSorted ? rows : rows.sort((a, b) => (due[a] ?? 0) - (due[b] ?? 0) || a - b)
}

function unknownClass(table: CohortTable, row: number): never {
  const name = quoted(table.classes.texts[table.classes.index[row] ?? -1] ?? '')
  throw refusal(table.file, {
    code: 'csv_class',
    row: table.lines[row] ?? 0,
    column: 'class',
    what: `${name} is no class of the workload`,
    hint: 'judge a file by the manifest that it was measured under',
  })
}

function wrongLength(table: CohortTable, row: number, expected: SloClass, lengths: Lengths): never {
  const length = lengths === 'exact' ? 'whose length is' : 'which takes at most'

  throw refusal(table.file, {
    code: 'csv_length',
    row: table.lines[row] ?? 0,
    column: 'output_tokens',
    what: `${table.outputTokens[row]} in a success of ${expected.name}, ${length} ${expected.output_tokens}`,
    hint: 'record an answer of another length as an error',
  })
}
