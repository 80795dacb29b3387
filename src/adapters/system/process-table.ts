import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { readdir, readFile, readlink } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { execa } from 'execa'

/** One living process; zombies are not listed. */
export interface ProcessRow {
  pid: number
  parent: number
  group: number
  session: number
  /** When it started, in the system's own words: with the pid it names one process for as long as the machine is up. */
  started: string
}

/** A process that is told from a later one with the same pid. */
export type ProcessIdentity = Pick<ProcessRow, 'pid' | 'started'>

const hasProc = process.platform === 'linux'

/** proc_pid_stat(5): the name may hold spaces and brackets, so fields are counted from the last bracket. */
function parseStat(pid: number, text: string): ProcessRow | null {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [state, parent, group, session] = fields
  const started = fields[19]
  if (started === undefined || state === 'Z' || state === 'X') return null
  return { pid, parent: Number(parent), group: Number(group), session: Number(session), started }
}

async function listFromProc(): Promise<ProcessRow[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const rows = await Promise.all(
    pids.map(async (pid) => {
      const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
      return text === null ? null : parseStat(pid, text)
    }),
  )
  return rows.filter((row) => row !== null)
}

/** Systems without /proc: ps has no session ids worth the name there, so the group stands in. */
async function listFromPs(): Promise<ProcessRow[]> {
  const { stdout } = await execa('ps', ['-A', '-o', 'pid=,ppid=,pgid=,state=,lstart='], {
    timeout: 5000,
    env: { LC_ALL: 'C' },
    reject: false,
  })
  return String(stdout)
    .split('\n')
    .flatMap((line) => {
      const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.+?)\s*$/.exec(line)
      if (!match || match[4]?.startsWith('Z')) return []
      const group = Number(match[3])
      return [{ pid: Number(match[1]), parent: Number(match[2]), group, session: group, started: match[5] ?? '' }]
    })
}

/** Every living process of this machine (or container) that can be seen. */
export async function listProcesses(): Promise<ProcessRow[]> {
  return hasProc ? listFromProc() : listFromPs()
}

/** The living process of that pid, or null. */
export async function findProcess(pid: number): Promise<ProcessRow | null> {
  if (!hasProc) return (await listFromPs()).find((row) => row.pid === pid) ?? null
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  return text === null ? null : parseStat(pid, text)
}

/** Whether exactly that process still lives. */
export async function isAlive(identity: ProcessIdentity): Promise<boolean> {
  return (await findProcess(identity.pid))?.started === identity.started
}

/**
 * Whether a process has ended, by what stands under its number: seen with another start it is another's, whoever's; not seen it may still
 * be hidden.
 */
export function hasEnded(identity: ProcessIdentity, seen: ProcessRow | null, isHidden: () => boolean): boolean {
  return seen === null ? !isHidden() : seen.started !== identity.started
}

let self: Promise<ProcessIdentity> | null = null

/** This process. */
export function ownIdentity(): Promise<ProcessIdentity> {
  self ??= findProcess(process.pid).then((row) => ({ pid: process.pid, started: row?.started ?? 'unknown' }))
  return self
}

/** What pids are relative to: this boot of the kernel, and the container. */
export interface PidSpace {
  boot: string
  container: string
}

/** This process's; `unknown` where the system does not tell. */
export function pidSpace(): PidSpace {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return { boot, container: readlinkSync('/proc/self/ns/pid') }
  } catch {
    return { boot: 'unknown', container: 'unknown' }
  }
}

/** What names the pid namespace that a process lives in; null where it cannot be read. */
export async function pidNamespace(pid: number): Promise<string | null> {
  return readlink(`/proc/${pid}/ns/pid`).catch(() => null)
}

/** The environment that a process was started with; null where it cannot be read (another user's, or a system without /proc). */
export async function environmentOf(pid: number): Promise<ReadonlyMap<string, string> | null> {
  if (!hasProc) return null
  const text = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => null)
  if (text === null) return null
  return new Map(
    text.split('\0').flatMap((entry) => {
      const at = entry.indexOf('=')
      return at > 0 ? [[entry.slice(0, at), entry.slice(at + 1)] as const] : []
    }),
  )
}

/** The arguments that a process runs with right now; null where they cannot be read. */
export function commandLineOf(pid: number): string[] | null {
  if (!hasProc) return null
  try {
    const text = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    return text === '' ? null : text.replace(/\0$/, '').split('\0')
  } catch {
    return null
  }
}

const EXEC_POLL_MS = 5
const EXEC_POLLS = 200

/**
 * The same of a process that may just be replacing itself, as the wrappers `nice`, `env` and `numactl` do: while that lasts the kernel
 * shows no arguments. Null where the process has ended, or a second was not enough.
 */
export async function settledCommandLine(pid: number): Promise<string[] | null> {
  for (let polls = 0; polls < EXEC_POLLS; polls++) {
    const line = commandLineOf(pid)
    if (line !== null || !hasProc || (await findProcess(pid)) === null) return line
    await sleep(EXEC_POLL_MS)
  }
  return null
}

/** The path of a process's executable; null where it cannot be read. */
export function executableOf(pid: number): string | null {
  if (!hasProc) return null
  try {
    return readlinkSync(`/proc/${pid}/exe`)
  } catch {
    return null
  }
}

/** The other processes whose environment holds one of the entries (`NAME=value`), at once: for a process that is about to end. */
export function pidsWithEntry(entries: ReadonlySet<string>): number[] {
  if (!hasProc) return []
  const pids = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []))
  return pids.filter((pid) => {
    if (pid === process.pid) return false
    try {
      return readFileSync(`/proc/${pid}/environ`, 'latin1')
        .split('\0')
        .some((entry) => entries.has(entry))
    } catch {
      return false
    }
  })
}
