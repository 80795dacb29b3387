import { spawn } from 'node:child_process'
import { execa } from 'execa'
import { GateError } from '../../core/kernel/errors.ts'
import { printableLine } from '../system/bounded-http.ts'
import type { OutputStream } from '../system/process-group.ts'

export interface DockerAnswer {
  ok: boolean
  stdout: string
  stderr: string
}

interface DockerCall {
  deadlineMs: number
  signal?: AbortSignal
  /** Beside the program's own: values that arguments name, e.g. of `--env NAME`. */
  environment?: Readonly<Record<string, string>>
}

/** A call that lasts as long as what it follows. */
export interface DockerFollowing {
  ended: Promise<void>
  stop(): void
}

/** The `docker` program: argument arrays, no shell. */
export interface Docker {
  /** Never throws for what Docker does; throws the signal's reason when that is aborted. */
  call(args: readonly string[], call: DockerCall): Promise<DockerAnswer>
  follow(args: readonly string[], onOutput: (chunk: Buffer, stream: OutputStream) => void): DockerFollowing
}

/** What of our environment says where the daemon is and who we are to a registry. */
const HANDED_ON = [
  'PATH',
  'HOME',
  'DOCKER_HOST',
  'DOCKER_CONTEXT',
  'DOCKER_CONFIG',
  'DOCKER_CERT_PATH',
  'DOCKER_TLS_VERIFY',
  'XDG_RUNTIME_DIR',
]
const LONGEST_ANSWER = 16 * 1024 * 1024

/** Runs `docker` in sessions of its own, so that an interruption typed at the terminal does not end a clean-up. */
export function dockerProgram(environment: Readonly<Record<string, string | undefined>>): Docker {
  const base = Object.fromEntries(
    HANDED_ON.flatMap((name) => {
      const value = environment[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
  return {
    async call(args, { deadlineMs, signal, environment: named }) {
      signal?.throwIfAborted()
      const result = await execa('docker', [...args], {
        env: { ...named, ...base },
        extendEnv: false,
        detached: true,
        cleanup: true,
        timeout: deadlineMs,
        reject: false,
        stdin: 'ignore',
        maxBuffer: LONGEST_ANSWER,
        ...(signal ? { cancelSignal: signal } : {}),
      })
      signal?.throwIfAborted()
      const { stdout = '', stderr = '' } = result
      const said = result.failed && stderr === '' ? (result.originalMessage ?? 'it failed') : stderr
      return { ok: !result.failed, stdout, stderr: result.timedOut ? `no answer within ${deadlineMs / 1000} s` : said }
    },
    follow(args, onOutput) {
      const child = spawn('docker', [...args], { env: base, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
      child.stdout.on('data', (chunk: Buffer) => onOutput(chunk, 'stdout'))
      child.stderr.on('data', (chunk: Buffer) => onOutput(chunk, 'stderr'))
      const ended = new Promise<void>((resolve) => {
        child.once('error', () => resolve())
        child.once('close', () => resolve())
      })
      return { ended, stop: () => void child.kill('SIGKILL') }
    },
  }
}

const DAEMON_GONE =
  /cannot connect to the docker daemon|permission denied while trying to connect|is the docker daemon running|error during connect|connection refused|docker\.sock: connect|no answer within|ENOENT|EOF$/im

/** Whether Docker itself could not be asked: the program or its daemon is not there. */
export function isDockerGone({ ok, stderr }: DockerAnswer): boolean {
  return !ok && !stderr.includes('response from daemon') && DAEMON_GONE.test(stderr)
}

/** Throws GateError `docker_unavailable`, or `docker_failed` for what Docker refused, unless the answer is good. */
export function accepted(answer: DockerAnswer, what: string): string {
  if (answer.ok) return answer.stdout
  if (isDockerGone(answer)) throw dockerUnavailable(answer)
  throw new GateError({
    code: 'docker_failed',
    message: `Docker cannot ${what}: ${lastLine(answer)}`,
    hint: 'the message is the Docker daemon’s own; see also its log',
  })
}

export function dockerUnavailable(answer: DockerAnswer): GateError {
  const isMissing = /ENOENT/.test(answer.stderr)
  return new GateError({
    code: 'docker_unavailable',
    message: isMissing
      ? 'there is no docker program on the PATH'
      : `the Docker daemon cannot be reached: ${lastLine(answer)}`,
    hint: isMissing
      ? 'install Docker, or use engine.deploy with kind process or endpoint'
      : 'start the daemon, set DOCKER_HOST to where it listens, or give this user the right to use it',
  })
}

/** What an answer says, fit for one line: the daemon's own words where it has some, else the last line. */
export function lastLine({ stderr, stdout }: DockerAnswer): string {
  const text = stderr.trim() || stdout.trim()
  const daemonSaid = /Error response from daemon: (.*)/.exec(text)?.[1]
  return printableLine(daemonSaid ?? text.split('\n').at(-1) ?? '', 300) || 'it said nothing'
}
