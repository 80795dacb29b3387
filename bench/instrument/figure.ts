import { parseArgs } from 'node:util'
import { markdownTable } from 'markdown-table'

/** One line of the table of figures. */
export interface Figure {
  what: string
  ours: string
  /** What it is held against, measured in the same run: the minimal client in C where nothing else is said. Null: there is nothing. */
  reference: string | null
  /** Ours against the reference: a difference or a ratio. */
  compared: string
  goal: string
  /** Null where there is no goal, or nothing to compare with. */
  isMet: boolean | null
}

const HEADER = ['figure', 'this client', 'reference', 'compared', 'goal', 'met'] as const
/** Stands where the minimal client could not be compiled. */
export const NO_FLOOR = 'no C compiler'

export function figureTable(figures: readonly Figure[]): string {
  const rows = figures.map(({ what, ours, reference, compared, goal, isMet }) => {
    return [what, ours, reference ?? '', compared, goal, isMet === null ? '' : isMet ? 'yes' : '**no**']
  })
  return markdownTable([[...HEADER], ...rows])
}

/** Each number by the option of its name, e.g. `--seconds 10`. */
export type BenchOptions<Names extends string> = Record<Names, number>

/**
 * Runs a benchmark as a command: reads its numbers from the command line over these defaults, and prints its figures as a Markdown table,
 * or with `--json` as one JSON value. Progress goes to standard error.
 */
export async function benchCommand<Names extends string>(
  defaults: BenchOptions<Names>,
  measure: (options: BenchOptions<Names>) => Promise<Figure[]>,
): Promise<void> {
  const names = Object.keys(defaults) as Names[]
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]))
  const { values } = parseArgs({ options: { ...options, json: { type: 'boolean', default: false } } })
  const given: Readonly<Record<string, string | boolean | undefined>> = values
  const chosen = { ...defaults }
  for (const name of names) {
    const value = Number(given[name] ?? defaults[name])
    if (!(value > 0)) throw new Error(`--${name} takes a number above zero`)
    chosen[name] = value
  }
  const figures = await measure(chosen)
  process.stdout.write(given['json'] === true ? `${JSON.stringify(figures)}\n` : `${figureTable(figures)}\n`)
}

export function progress(text: string): void {
  process.stderr.write(`${text}\n`)
}
