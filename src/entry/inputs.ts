import type { Paper, Screen } from '../adapters/terminal/screen.ts'
import type { Questions } from '../app/ports/questions.ts'

/** What a process was given, read once at its end of the house. */
export interface Inputs {
  /** Without the program's own two. */
  argv: readonly string[]
  env: Readonly<Record<string, string | undefined>>
  cwd: string
  /** Standard error, where a person may be watching. */
  screen: Screen
  /** Standard output, which gets the result; a pipe where it is left out. */
  paper?: Paper
  /** Asks the person at the terminal; absent where nobody can answer. */
  questions?: () => Questions
}

/** What a command leaves: standard output as text for people, or the same as one JSON value, and the exit code. */
export interface CommandResult {
  exitCode: number
  text: string
  /** The text is a document of its own, and is never wrapped. */
  isDocument?: true
  json: unknown
}
