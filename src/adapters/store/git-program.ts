import { execa } from 'execa'
import { GateError } from '../../core/kernel/errors.ts'
import { printableLine } from '../system/bounded-http.ts'
import { signalQuietly } from '../system/process-group.ts'
import { secretMask } from '../system/secret-mask.ts'
import type { SecretMask } from '../system/secret-mask.ts'
import { LARGEST_RECORD } from './record-file.ts'

/** A repository that is spoken to over the network (or a path, for one on this machine). */
export interface GitRemote {
  url: string
  /** Sent as HTTP basic authentication, to this address only. Null: what the user's own git is set up with. */
  token: string | null
}

export interface GitOptions {
  /** The user's environment; of its git variables only those that say how to connect are passed on. */
  env: Readonly<Record<string, string | undefined>>
  /** For each command that speaks to the server. */
  deadlineMs: number
}

export interface GitEnd {
  exitCode: number
  stdout: Buffer
  /** Printable, without secrets. */
  stderr: string
  isTimedOut: boolean
}

/** Runs git in one bare repository, with argument arrays and no shell. */
export interface Git {
  run(args: readonly string[], given?: { input?: string; env?: Record<string, string> }): Promise<GitEnd>
  /** Its standard output. Throws GateError `git_failed` for what never fails on a sound disk. */
  require(args: readonly string[], given?: { input?: string; env?: Record<string, string> }): Promise<Buffer>
}

/** Git variables of the user's that say how a server is reached. Others would point git elsewhere, or trace what it sends. */
const KEPT_VARIABLE =
  /^GIT_(SSH|SSH_COMMAND|SSH_VARIANT|ASKPASS|EXEC_PATH|SSL_[A-Z_]+|PROXY_[A-Z_]+|HTTP_[A-Z_]+|CONFIG_GLOBAL|CONFIG_SYSTEM|CONFIG_NOSYSTEM)$/
const STDERR_MAX = 4000

export function gitIn(folder: string, remote: GitRemote, options: GitOptions): Git {
  const environment = { ...cleanEnvironment(options.env), ...configuration(settingsFor(remote)) }
  const secrets = maskFor(remote)
  const run: Git['run'] = async (args, given = {}) => {
    const running = execa('git', ['-C', folder, ...args], {
      env: { ...environment, ...given.env },
      extendEnv: false,
      // A group of its own: what speaks to the server is a child of git's that outlives it.
      detached: true,
      reject: false,
      encoding: 'buffer',
      stripFinalNewline: false,
      maxBuffer: LARGEST_RECORD + 1024,
      ...(given.input === undefined ? { stdin: 'ignore' as const } : { input: given.input }),
    })
    const { result, isTimedOut } = await withinDeadline(running, options.deadlineMs)
    if (result.exitCode === undefined && systemCode(result.cause) === 'ENOENT') throw missing()
    return {
      exitCode: result.exitCode ?? 1,
      stdout: Buffer.from(result.stdout),
      stderr: secrets.mask(Buffer.from(result.stderr).toString('utf8')).slice(0, STDERR_MAX),
      isTimedOut,
    }
  }
  return {
    run,
    async require(args, given) {
      const end = await run(args, given)
      if (end.exitCode === 0) return end.stdout
      throw new GateError({
        code: 'git_failed',
        message: `git ${args[0] ?? ''} failed: ${printableLine(end.stderr, 300)}`,
        hint: 'look to the disk of the temporary folder, and to the version of git (2.31 or later)',
      })
    },
  }
}

/** The whole group is killed at the deadline, and when this process ends before it. */
async function withinDeadline<T>(
  running: PromiseLike<T> & { pid?: number | undefined },
  deadlineMs: number,
): Promise<{ result: T; isTimedOut: boolean }> {
  const { pid } = running
  let isTimedOut = false
  const kill = () => {
    if (pid !== undefined) signalQuietly(-pid, 'SIGKILL')
  }
  const timer = setTimeout(() => {
    isTimedOut = true
    kill()
  }, deadlineMs)
  process.on('exit', kill)
  try {
    return { result: await running, isTimedOut }
  } finally {
    clearTimeout(timer)
    process.off('exit', kill)
  }
}

function systemCode(cause: unknown): unknown {
  return cause instanceof Error ? (cause as NodeJS.ErrnoException).code : null
}

function missing(): GateError {
  return new GateError({
    code: 'git_missing',
    message: 'there is no git program, and what is kept on a branch is read and written with it',
    hint: 'install git, or keep it in a folder: dir:PATH',
  })
}

function cleanEnvironment(env: GitOptions['env']): Record<string, string> {
  const own: [string, string][] = [
    ['LC_ALL', 'C'],
    ['GIT_TERMINAL_PROMPT', '0'],
    ['SSH_ASKPASS_REQUIRE', 'never'],
  ]
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && (!entry[0].startsWith('GIT_') || KEPT_VARIABLE.test(entry[0])),
  )
  return Object.fromEntries([...kept, ...own])
}

/**
 * Settings go by the environment, which only this user's processes can read; a command line is anybody's. The address's own header
 * setting replaces the ones that a checkout or a user left for its host, since two would be refused.
 */
function settingsFor({ url, token }: GitRemote): [string, string][] {
  const settings: [string, string][] = [
    ['core.hooksPath', '/dev/null'],
    ['gc.auto', '0'],
    ['maintenance.auto', 'false'],
    ['push.gpgSign', 'false'],
    // A server that trickles or falls silent is left, also by the helper process that speaks to it.
    ['http.lowSpeedLimit', '1'],
    ['http.lowSpeedTime', '30'],
  ]
  if (token === null) return settings
  const header = `http.${url}.extraHeader`
  return [...settings, ['credential.helper', ''], [header, ''], [header, `Authorization: Basic ${basic(token)}`]]
}

function configuration(settings: readonly [string, string][]): Record<string, string> {
  const entries = settings.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ])
  return { GIT_CONFIG_COUNT: String(settings.length), ...Object.fromEntries(entries) }
}

function basic(token: string): string {
  return Buffer.from(`x-access-token:${token}`).toString('base64')
}

function maskFor({ url, token }: GitRemote): SecretMask {
  const inUrl = /^[a-z+]+:\/\/([^/@]*)@/i.exec(url)?.[1]
  return secretMask([...(token === null ? [] : [token, basic(token)]), ...(inUrl === undefined ? [] : [inUrl])])
}

/** An address without the user and password that it may hold. */
export function shownUrl(url: string): string {
  return url.replace(/^([a-z+]+:\/\/)[^/@]*@/i, '$1')
}
