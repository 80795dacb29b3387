import { EXIT, GateError } from '../kernel/errors.ts'
import { showNumber, showValue } from '../manifest/finding.ts'
import type { Manifest, WorkloadClass } from '../manifest/schema.ts'
import type { ClassShape } from './class-mix.ts'
import type { TraceRow } from './trace/trace-row.ts'

function refuse(code: string, message: string, hint: string): GateError {
  return new GateError({ code, message, hint, exitCode: EXIT.invalid })
}

/**
 * The class of each of a trace's first `needed` rows, with the row's own lengths: the class that the row names, else the workload's first
 * whose `input_tokens` and `output_tokens` are both no less than the row's. Sessions and shared blocks of the trace are not replayed.
 *
 * @throws GateError `trace_too_short`, `trace_class` that names the row (exit 4)
 */
export function traceMix(manifest: Manifest, rows: readonly TraceRow[], needed: number): ClassShape[] {
  const file = manifest.client.trace?.file ?? 'the trace'
  if (rows.length < needed) {
    throw refuse(
      'trace_too_short',
      `${file} has ${showNumber(rows.length)} requests; the schedule needs ${showNumber(needed)}`,
      'lower client.initial_scheduled_requests or client.extension_requests, or take a longer trace',
    )
  }
  return rows.slice(0, needed).map((row) => {
    const { inputTokens, outputTokens } = row
    const takes = ({ input_tokens: input, output_tokens: output }: WorkloadClass) =>
      inputTokens <= input && outputTokens <= output
    const named = manifest.workload.find(({ name }) => name === row.class)
    const shape = row.class === null ? manifest.workload.find(takes) : named
    if (shape && takes(shape)) return { name: shape.name, inputTokens, outputTokens, weight: 1 }
    const lengths = `${showNumber(inputTokens)} input and ${showNumber(outputTokens)} output tokens`
    throw refuse(
      'trace_class',
      row.class !== null && !named
        ? `${file}, row ${row.line}: the workload has no class ${showValue(row.class)}`
        : `${file}, row ${row.line}: ${row.class === null ? 'no class takes' : `the class ${showValue(row.class)} does not take`} ${lengths}`,
      'give the workload such a class (input_tokens and output_tokens are the most that it takes), or take such rows out of the trace',
    )
  })
}

/**
 * Holds the trace's initial rows to the counts that the manifest commits to.
 *
 * @throws GateError `trace_counts` with the counts to write (exit 4)
 */
export function requireTraceCounts(manifest: Manifest, initial: readonly ClassShape[]): void {
  const found = new Map(manifest.workload.map(({ name }) => [name, 0]))
  for (const { name } of initial) found.set(name, (found.get(name) ?? 0) + 1)
  const { class_schedule_counts: declared, trace } = manifest.client
  const isSame = [...found].every(([name, count]) => (Object.hasOwn(declared, name) ? declared[name] : 0) === count)
  if (isSame) return
  const actual = [...found].map(([name, count]) => `${name}: ${count}`).join(', ')
  throw refuse(
    'trace_counts',
    `the first ${showNumber(initial.length)} requests of ${trace?.file ?? 'the trace'} are of other classes than client.class_schedule_counts says`,
    `if the trace and the workload are meant so, write class_schedule_counts: {${actual}} and each class's mix to match; \`profile\` writes such sections`,
  )
}
