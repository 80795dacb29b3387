import { EXIT, GateError } from '../core/kernel/errors.ts'

/** A command line or an input that is wrong in itself, whatever stands on the disk: exit code 64. */
export function usage(message: string, hint: string): GateError {
  return new GateError({ code: 'usage', message, hint, exitCode: EXIT.usage })
}
