import { randomUUID } from 'node:crypto'
import { chmod, constants, link, open, rm } from 'node:fs/promises'
import { hostname, userInfo } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { sha256Hex } from '../../core/kernel/hash.ts'
import { writeAtomically } from './atomic-write.ts'
import { printableLine } from './bounded-http.ts'
import { systemErrorCode } from './file-errors.ts'
import { findProcess, hasEnded, ownIdentity, pidSpace } from './process-table.ts'
import { temporaryName } from './temporaries.ts'

const holderSchema = z.object({
  pid: z.number(),
  started: z.string(),
  boot: z.string(),
  container: z.string(),
  host: z.string(),
  /** Tells two locks of one process apart. */
  token: z.string(),
  /** For people: whose it is, for what, and since when (ISO 8601). Locks of earlier versions have none. */
  user: z.string().max(200).optional(),
  owner: z.string().max(500).optional(),
  since: z.string().max(100).optional(),
})
export type Holder = z.infer<typeof holderSchema>

const LARGEST_LOCK = 8192

export function lockPath(folder: string, name: string): string {
  return join(folder, `${name.replaceAll(/[^A-Za-z0-9_.-]/g, '_').slice(0, 100)}.lock`)
}

export async function ownHolder(owner: string | undefined): Promise<Holder> {
  const people = { user: userName(), since: new Date().toISOString(), ...(owner === undefined ? {} : { owner }) }
  return { ...(await ownIdentity()), ...pidSpace(), host: hostname(), token: randomUUID(), ...people }
}

/** A user without an entry has a number. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}

/** A name beside the lock that is known for ours, should we be killed meanwhile. */
function asideOf(path: string, unique: string): string {
  return join(dirname(path), temporaryName(unique, basename(path)))
}

/** Makes the file with its content in one step, so that nobody ever reads half a lock; false where it is there already. */
export async function createWhole(path: string, content: string, token: string): Promise<boolean> {
  const aside = asideOf(path, token)
  try {
    await writeAtomically(aside, content)
    // A mask would hide from another user's run who holds it, and that its holder has ended.
    await chmod(aside, 0o644)
    await link(aside, path)
    return true
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') return false
    throw error
  } finally {
    await rm(aside, { force: true })
  }
}

/** Null where it was freed in between. One that cannot be read (another user's, a folder) is no such: it will stay. */
export async function readLock(path: string): Promise<string | null> {
  try {
    // Where anyone may write, anything may lie: no link is followed, no pipe waited for, no device read without end.
    await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const { bytesRead, buffer } = await file.read({ buffer: Buffer.alloc(LARGEST_LOCK) })
    return buffer.toString('utf8', 0, bytesRead)
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return null
    throw error
  }
}

export function parseHolder(text: string): Holder | null {
  try {
    return holderSchema.parse(JSON.parse(text))
  } catch {
    return null
  }
}

/** Whether the holder has certainly ended. One on another host or in another container cannot be looked at. */
export async function isDead(holder: Holder): Promise<boolean> {
  if (isElsewhere(holder)) return false
  if (holder.boot !== pidSpace().boot) return true
  return hasEnded(holder, await findProcess(holder.pid), () => isHidden(holder.pid))
}

/** Whether the holder runs where its process cannot be looked at from here. */
export function isElsewhere(holder: Holder): boolean {
  const here = pidSpace()
  return holder.host !== hostname() || (holder.boot === here.boot && holder.container !== here.container)
}

/** Another user's process may be hidden in /proc, and its number still tells that it lives. */
function isHidden(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return systemErrorCode(error) === 'EPERM'
  }
}

/**
 * Removes the lock of a dead holder, if it is still the one that was `seen`; false where another process is about to. Who may is settled
 * by a lock on that very content: so nobody takes away, even for a moment, the fresh lock of whoever was quicker.
 */
export async function removeStale(path: string, seen: string): Promise<boolean> {
  const right = `${path}.${sha256Hex(seen).slice(0, 12)}.break`
  const own = await ownHolder(undefined)
  if (!(await createWhole(right, JSON.stringify(own), own.token))) {
    const other = await readLock(right)
    const breaker = other === null ? null : parseHolder(other)
    // Killed in between, its right is taken the same way; the caller then tries again.
    if (other !== null && (breaker === null || (await isDead(breaker)))) await removeStale(right, other)
    return false
  }
  try {
    if ((await readLock(path)) === seen) await rm(path, { force: true })
    return true
  } finally {
    await rm(right, { force: true })
  }
}

/** `process 123 of alice on node-7, acme/engine run 42, for 12 min`. What stands in a lock file is hostile: one line. */
export function holderText({ pid, host, user, owner, since }: Holder): string {
  const seconds = (Date.now() - Date.parse(since ?? '')) / 1000
  const parts = [
    `process ${pid}${user === undefined ? '' : ` of ${user}`}${host === hostname() ? '' : ` on ${host}`}`,
    ...(owner === undefined ? [] : [owner]),
    ...(seconds >= 0 ? [`for ${seconds < 120 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`}`] : []),
  ]
  return printableLine(parts.join(', '), 400)
}
