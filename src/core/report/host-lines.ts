import type { ReportInput } from './context.ts'
import type { Ink } from './escape.ts'

const TEXT_MAX = 500
/** A verdict from a file may repeat itself. */
const LINES_MAX = 4
const CODES: ReadonlySet<string> = new Set(['host_proven', 'host_change_accepted'])

/** What a reader must know before any number: the machine is not the baseline's, and how it comes that it is compared all the same. */
export function hostLines({ verdict }: Pick<ReportInput, 'verdict'>, ink: Ink): string[] {
  const told = verdict.states.flatMap(({ notes }) => notes.filter(({ code }) => CODES.has(code)))
  return [...new Set(told.map(({ text }) => ink.text(text, TEXT_MAX)))].slice(0, LINES_MAX)
}
