import { CommanderError } from 'commander'
import { EXIT, GateError } from '../core/kernel/errors.ts'
import { plainText } from '../core/report/escape.ts'

/** Long enough for a path and a sentence, short enough for a screen. */
const LINE_MAX = 2000

/** A failure as standard error shows it: what and where, how to mend it, and how the process ends. */
export interface Failure {
  /** A GateError's; `usage` for a command line that is wrong, `internal` for the tool's own fault. */
  code: string
  exitCode: number
  what: string
  hint: string
  stack: string | null
}

/** Anything that was thrown, as two lines of plain text. Nothing in a message can move the cursor or begin a line of its own. */
export function failureOf(error: unknown, command: string | null = null): Failure {
  if (isSuppressing(error)) return failureOf(error.suppressed, command)
  if (error instanceof CommanderError) return misuse(error, command)
  if (error instanceof GateError) {
    return {
      code: error.code,
      exitCode: error.exitCode,
      what: plainText(error.message, LINE_MAX),
      hint: plainText(error.hint, LINE_MAX),
      stack: stackOf(error),
    }
  }
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return {
    code: 'internal',
    exitCode: EXIT.failed,
    what: plainText(`the tool itself failed: ${message}`, LINE_MAX),
    hint: 'run it again with --debug, and report the stack it prints',
    stack: stackOf(error),
  }
}

/** What went wrong first, hidden by what then went wrong on the way out: mostly the same full disk. Older Nodes have no such class. */
function isSuppressing(error: unknown): error is { suppressed: unknown } {
  return error instanceof Error && error.name === 'SuppressedError' && 'suppressed' in error
}

export function failureText(failure: Failure, isDebug: boolean): string {
  const lines = `error: ${failure.what}\nhint: ${failure.hint}\n`
  return isDebug && failure.stack !== null ? `${lines}${failure.stack}\n` : lines
}

function stackOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  const own = error.stack ?? String(error)
  return error.cause === undefined ? own : `${own}\ncaused by: ${stackOf(error.cause) ?? String(error.cause)}`
}

/** Commander's message: `error: what`, and sometimes `(Did you mean …?)` on a line of its own. */
function misuse(error: CommanderError, command: string | null): Failure {
  const [first = '', suggestion] = error.message.split('\n')
  const what =
    error.code === 'commander.help' ? 'no command was given' : first.replace(/^error: /, '').replace(/\.$/, '')
  const meant = suggestion === undefined ? null : /^\(Did you mean (.*)\?\)$/.exec(suggestion)?.[1]
  return {
    code: 'usage',
    exitCode: EXIT.usage,
    what: plainText(what, LINE_MAX),
    hint: meant
      ? `did you mean ${plainText(meant, LINE_MAX)}?`
      : `see capacity-gate ${command === null ? '' : `${command} `}--help`,
    stack: stackOf(error),
  }
}
