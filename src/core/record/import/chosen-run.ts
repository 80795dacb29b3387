import { refusal } from '../refusal.ts'
import type { ImportReading } from './imported-request.ts'

/**
 * The run that is asked for among those that a file holds. Throws GateError `import_run` where several are there and none was named: two
 * runs are never one cohort.
 */
export function chosenRun<T>(runs: readonly T[], { file, run }: ImportReading, word: string): T {
  const chosen = runs[(run ?? 1) - 1]
  if (chosen !== undefined && (run !== null || runs.length === 1)) return chosen
  const many = runs.length === 1 ? `1 ${word}` : `${runs.length} ${word}s`
  throw refusal(file, {
    code: 'import_run',
    what:
      run === null ? `it holds ${many}, and only one can be a cohort` : `there is no ${word} ${run}: it holds ${many}`,
    hint:
      runs.length === 0
        ? 'let the tool finish its run'
        : `name one with --run 1${runs.length > 1 ? ` to --run ${runs.length}` : ''}`,
  })
}
