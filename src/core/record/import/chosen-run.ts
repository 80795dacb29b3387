import { refusal } from '../refusal.ts'
import type { ImportReading } from './imported-request.ts'
import type { JsonDocument } from './json-documents.ts'
import { SourceObject } from './source-object.ts'

/**
 * The run that is asked for among those that a file holds. Throws GateError `import_run` where several are there and none was named: two
 * runs are never one cohort.
 */
export function chosenRun<T>(runs: readonly T[], { file, run }: ImportReading, word: string): T {
  const chosen = runs[(run ?? 1) - 1]
  if (chosen !== undefined && (run !== null || runs.length === 1)) return chosen
  throw notChosen(runs.length, { file, run }, word)
}

/** As `chosenRun`, of a file whose values are the runs: one of them is held, however many were appended. */
export async function chosenDocument(
  documents: AsyncIterable<JsonDocument>,
  { file, run }: ImportReading,
  word: string,
): Promise<SourceObject> {
  let chosen: SourceObject | null = null
  let count = 0
  for await (const { line, value } of documents) {
    const source = new SourceObject(file, `the ${word} of line ${line}`, value)
    if (++count === (run ?? 1)) chosen = source
  }
  if (chosen !== null && (run !== null || count === 1)) return chosen
  throw notChosen(count, { file, run }, word)
}

function notChosen(count: number, { file, run }: ImportReading, word: string) {
  const many = count === 1 ? `1 ${word}` : `${count} ${word}s`
  return refusal(file, {
    code: 'import_run',
    what:
      run === null ? `it holds ${many}, and only one can be a cohort` : `there is no ${word} ${run}: it holds ${many}`,
    hint: count === 0 ? 'let the tool finish its run' : `name one with --run 1${count > 1 ? ` to --run ${count}` : ''}`,
  })
}
