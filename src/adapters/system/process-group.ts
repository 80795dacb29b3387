import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { commandLineOf, executableOf, findProcess, pidsWithEntry, settledCommandLine } from './process-table.ts'
import type { ProcessIdentity } from './process-table.ts'

export type OutputStream = 'stdout' | 'stderr'

export interface GroupOrder {
  argv: readonly string[]
  cwd: string
  /** The whole environment: nothing is inherited. */
  environment: Readonly<Record<string, string>>
  /** A name in the environment by which a member is known that left the session: killed with the group when this process exits. */
  mark?: string
  onOutput(chunk: Buffer, stream: OutputStream): void
}

/** How a process ended. */
export interface ProcessEnd {
  code: number | null
  signal: NodeJS.Signals | null
}

/** A process in a session of its own, whose pid is also its group's and its session's number. */
export interface ProcessGroup extends ProcessIdentity {
  /** The arguments as the kernel has them, read before the program could change them; null where the system does not tell. */
  argvAsRun: readonly string[] | null
  executable: string | null
  /** Null while it runs. */
  end(): ProcessEnd | null
  /** Resolves when the leader has ended and what it printed was taken; others of its group may still run. */
  ended: Promise<ProcessEnd>
  /** Called when nothing of the group is left: the pipes are closed and the group is no longer killed when this process exits. */
  forget(): void
}

const LAST_WORDS_MS = 200

/** Groups that stand: killed when this process exits in whatever way still runs its exit hooks. */
const standing = new Map<number, string | null>()
let isHooked = false

function killStanding(): void {
  const marks = new Set([...standing.values()].filter((mark) => mark !== null))
  for (const pid of standing.keys()) signalQuietly(-pid, 'SIGKILL')
  if (marks.size === 0) return
  for (const pid of pidsWithEntry(marks)) signalQuietly(pid, 'SIGKILL')
}

/** Sends a signal; a target that is gone, or not ours, is no error. */
export function signalQuietly(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It ended first.
  }
}

function started(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('spawn', () => resolve(child.pid ?? 0))
  })
}

/** Starts a program in a session of its own. Rejects with the system's error (ENOENT, EACCES) where it cannot be started. */
export async function spawnGroup(order: GroupOrder): Promise<ProcessGroup> {
  const [file, ...rest] = order.argv
  const child = spawn(file ?? '', rest, {
    cwd: order.cwd,
    env: { ...order.environment },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (child.pid !== undefined) keep(child.pid, markOf(order))
  // spawn returns after the exec: now the kernel holds what runs, and the program has not yet renamed itself.
  const argvAtOnce = child.pid === undefined ? null : commandLineOf(child.pid)
  const executable = child.pid === undefined ? null : executableOf(child.pid)
  let end: ProcessEnd | null = null
  const ended = new Promise<ProcessEnd>((resolve) => {
    child.once('exit', (code, signal) => {
      const seen = (end = { code, signal })
      child.once('close', () => resolve(seen))
      // A child that outlives it may hold the pipes open. What they hold already is read before, however late this timer is.
      setTimeout(() => setImmediate(() => resolve(seen)), LAST_WORDS_MS).unref()
    })
  })
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].on('data', (chunk: Buffer) => order.onOutput(chunk, stream))
    child[stream].on('error', () => undefined)
  }
  const pid = await started(child)
  child.on('error', () => undefined)
  const row = await findProcess(pid)
  return {
    pid,
    started: row?.started ?? 'ended',
    argvAsRun: argvAtOnce ?? (await settledCommandLine(pid)),
    executable,
    end: () => end,
    ended,
    forget() {
      standing.delete(pid)
      child.stdout.destroy()
      child.stderr.destroy()
    },
  }
}

function markOf({ mark, environment }: GroupOrder): string | null {
  const value = mark === undefined ? undefined : environment[mark]
  return value === undefined ? null : `${mark}=${value}`
}

function keep(pid: number, mark: string | null): void {
  if (!isHooked) process.on('exit', killStanding)
  isHooked = true
  standing.set(pid, mark)
}
