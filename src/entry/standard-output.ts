import type { Writable } from 'node:stream'
import { EXIT, GateError } from '../core/kernel/errors.ts'

/**
 * Writes a text and resolves once all of it is handed over, so that the process may end. A reader that went away (`| head`) is no
 * failure; a full disk behind a redirection is: GateError `output_failed`.
 */
export function standardOutput(stream: Writable): (text: string) => Promise<void> {
  // Without a listener a broken pipe would end the process before it could say anything.
  stream.on('error', () => {})
  return (text) =>
    new Promise((resolve, reject) => {
      if (text === '') return resolve()
      stream.write(text, (error) => {
        if (!error || (error as NodeJS.ErrnoException).code === 'EPIPE') return resolve()
        reject(
          new GateError({
            code: 'output_failed',
            message: `cannot write standard output: ${error.message}`,
            hint: 'check the disk or the program that it is sent to',
            exitCode: EXIT.failed,
            cause: error,
          }),
        )
      })
    })
}
