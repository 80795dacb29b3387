import { randomUUID } from 'node:crypto'
import { constants, link, open, rename, rm } from 'node:fs/promises'
import { hostname, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { GateError } from '../../core/kernel/errors.ts'
import { writeAtomically } from './atomic-write.ts'
import { printableLine } from './bounded-http.ts'
import { fileError, systemErrorCode } from './file-errors.ts'
import { findProcess, hasEnded, ownIdentity, pidSpace } from './process-table.ts'
import { machineFolder, stateFolder } from './state-folder.ts'

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
type Holder = z.infer<typeof holderSchema>

const POLL_MS = 50
const LARGEST_LOCK = 8192

export interface LockOptions {
  /** How long a living holder is waited for; 0 by default. */
  waitMs?: number
  /** What is locked, for messages: `this machine for port 18000`. */
  what: string
  /** For whom, for messages: a repository and its job. */
  owner?: string
  /** Told when a lock is taken over, and whose it was. */
  onBroken?: (text: string) => void
}

/**
 * Takes the lock file at `path`, which its holder's death frees: a dead holder's lock is taken over. A holder on another host or in
 * another container cannot be looked at and counts as living. Throws GateError `locked` with the holder.
 */
export async function takeLock(path: string, options: LockOptions): Promise<AsyncDisposable> {
  const deadlineMs = performance.now() + (options.waitMs ?? 0)
  try {
    const own = await ownHolder(options.owner)
    const content = JSON.stringify(own)
    for (;;) {
      if (await createWhole(path, content, own.token)) return held(path, content)
      const found = await readLock(path)
      if (found === null) continue
      const holder = parseHolder(found)
      if (!holder || (await isDead(holder))) {
        await removeStale(path, found)
        options.onBroken?.(
          `took over ${options.what}: ${holder ? `${holderText(holder)} has ended` : 'its lock held nobody'}`,
        )
      } else if (performance.now() >= deadlineMs) throw lockedError(path, options.what, holder)
      else await delay(POLL_MS)
    }
  } catch (error) {
    throw fileError(error, 'take the lock', path)
  }
}

/** A lock that holds for this user on this machine, so that two runs do not measure over each other. `name` is a file-name-safe word. */
export async function takeHostLock(name: string, options: LockOptions & { parent?: string }): Promise<AsyncDisposable> {
  return takeLock(lockPath(await stateFolder(options.parent), name), options)
}

export interface NamedLock {
  name: string
  what: string
  /** `user`: against this user's other runs. `machine`: against everybody's, for what the whole machine has once. */
  reach: 'user' | 'machine'
}

/** Several locks: all or none. Those that others take as well are taken in one order, so that no two wait for each other. */
export async function takeHostLocks(
  locks: readonly NamedLock[],
  options: Pick<LockOptions, 'owner' | 'onBroken'> & { parent?: string } = {},
): Promise<AsyncDisposable> {
  const { parent, ...shared } = options
  const held: AsyncDisposable[] = []
  const release = async () => {
    await Promise.all(held.splice(0).map((lock) => lock[Symbol.asyncDispose]()))
  }
  try {
    for (const { name, what, reach } of locks) {
      const folder = await (reach === 'user' ? stateFolder(parent) : machineFolder(parent))
      held.push(await takeLock(lockPath(folder, name), { what, ...shared }))
    }
  } catch (error) {
    await release()
    throw error
  }
  return { [Symbol.asyncDispose]: release }
}

function lockPath(folder: string, name: string): string {
  return join(folder, `${name.replaceAll(/[^A-Za-z0-9_.-]/g, '_').slice(0, 100)}.lock`)
}

async function ownHolder(owner: string | undefined): Promise<Holder> {
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

/** Makes the file with its content in one step, so that nobody ever reads half a lock; false where it is there already. */
async function createWhole(path: string, content: string, token: string): Promise<boolean> {
  const aside = `${path}.${token}`
  try {
    await writeAtomically(aside, content)
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
async function readLock(path: string): Promise<string | null> {
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

function parseHolder(text: string): Holder | null {
  try {
    return holderSchema.parse(JSON.parse(text))
  } catch {
    return null
  }
}

async function isDead(holder: Holder): Promise<boolean> {
  const here = pidSpace()
  if (holder.host !== hostname()) return false
  if (holder.boot !== here.boot) return true
  if (holder.container !== here.container) return false
  return hasEnded(holder, await findProcess(holder.pid), () => isHidden(holder.pid))
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

/** Of several that find the same dead lock one succeeds in moving it; what was moved by mistake, a fresh lock, is put back. */
async function removeStale(path: string, seen: string): Promise<void> {
  const aside = `${path}.${randomUUID()}.stale`
  try {
    await rename(path, aside)
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return
    throw error
  }
  if ((await readLock(aside)) !== seen) await link(aside, path).catch(() => undefined)
  await rm(aside, { force: true })
}

function held(path: string, content: string): AsyncDisposable {
  let released: Promise<void> | null = null
  const release = async () => {
    if ((await readLock(path).catch(() => null)) === content) await rm(path, { force: true })
  }
  return { [Symbol.asyncDispose]: () => (released ??= release()) }
}

function lockedError(path: string, what: string, holder: Holder): GateError {
  return new GateError({
    code: 'locked',
    message: `another run (${holderText(holder)}) holds ${what}`,
    hint: `wait for it to end, or stop it; if it is certainly gone, delete ${path}`,
  })
}

/** `process 123 of alice on node-7, acme/engine run 42, for 12 min`. What stands in a lock file is hostile: one line. */
function holderText({ pid, host, user, owner, since }: Holder): string {
  const seconds = (Date.now() - Date.parse(since ?? '')) / 1000
  const parts = [
    `process ${pid}${user === undefined ? '' : ` of ${user}`}${host === hostname() ? '' : ` on ${host}`}`,
    ...(owner === undefined ? [] : [owner]),
    ...(seconds >= 0 ? [`for ${seconds < 120 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`}`] : []),
  ]
  return printableLine(parts.join(', '), 300)
}
