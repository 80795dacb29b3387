import { EXIT, GateError } from '../kernel/errors.ts'

/** An answer that no manifest can be made of: GateError `usage`, exit 64. */
export function refusedAnswer(message: string, hint: string): GateError {
  return new GateError({ code: 'usage', message, hint, exitCode: EXIT.usage })
}
