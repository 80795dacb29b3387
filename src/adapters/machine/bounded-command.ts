import { execa } from 'execa'
import { printableLine } from '../system/bounded-http.ts'

/** What a program printed; `why` says what went wrong, with whatever it printed until then. */
interface CommandOutput {
  stdout: string
  why: string | null
}

export interface BoundedCommand {
  readonly program: string
  run(args: readonly string[], deadlineMs: number): Promise<CommandOutput>
}

const LARGEST_OUTPUT = 16 * 1024 * 1024
/** Between the kill and giving up on a process that the kernel does not let go. */
const KILL_GRACE_MS = 500

/**
 * A program of the system, run with an argument array, a deadline and a bounded output. One that hangs in its driver survives even SIGKILL:
 * it is left to the kernel, and no other is started beside it until it is gone.
 */
export function boundedCommand(program: string): BoundedCommand {
  let stuck = 0
  return {
    program,
    async run(args, deadlineMs) {
      if (stuck > 0) return { stdout: '', why: `an earlier ${program} still hangs` }
      const child = execa(program, [...args], {
        timeout: deadlineMs,
        killSignal: 'SIGKILL',
        reject: false,
        stdin: 'ignore',
        maxBuffer: LARGEST_OUTPUT,
        env: { LC_ALL: 'C' },
      })
      const ended = child.then(({ stdout, stderr, failed, timedOut, isMaxBuffer, code, exitCode }): CommandOutput => {
        if (!failed) return { stdout, why: null }
        if (code === 'ENOENT') return { stdout: '', why: `${program} is not installed` }
        if (timedOut) return { stdout, why: `${program} gave no answer within ${deadlineMs / 1000} s` }
        if (isMaxBuffer) return { stdout, why: `${program} printed more than ${LARGEST_OUTPUT} bytes` }
        if (child.pid === undefined) return { stdout: '', why: `${program} cannot be started (${code})` }
        const said = printableLine(`${stderr} ${stdout.slice(0, 1000)}`, 200)
        return { stdout, why: `${program} ${said === '' ? `ended with exit code ${exitCode}` : `said: ${said}`}` }
      })
      let timer: NodeJS.Timeout | undefined
      const givenUp = new Promise<null>((resolve) => {
        timer = setTimeout(() => resolve(null), deadlineMs + KILL_GRACE_MS)
      })
      const output = await Promise.race([ended, givenUp])
      clearTimeout(timer)
      if (output !== null) return output
      stuck += 1
      void ended.finally(() => (stuck -= 1))
      child.unref()
      child.stdout.destroy()
      child.stderr.destroy()
      return { stdout: '', why: `${program} hangs: it survives SIGKILL` }
    },
  }
}
