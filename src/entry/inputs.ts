import type { Screen } from '../adapters/terminal/screen.ts'

/** What a process was given, read once at its end of the house. */
export interface Inputs {
  /** Without the program's own two. */
  argv: readonly string[]
  env: Readonly<Record<string, string | undefined>>
  cwd: string
  /** Standard error, where a person may be watching. */
  screen: Screen
}

/** What a command leaves: standard output as text for people, or the same as one JSON value, and the exit code. */
export interface CommandResult {
  exitCode: number
  text: string
  json: unknown
}
