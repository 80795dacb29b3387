import { randomUUID } from 'node:crypto'
import { link, readFile, rename, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { GateError } from '../../core/kernel/errors.ts'
import { writeAtomically } from './atomic-write.ts'
import { fileError, systemErrorCode } from './file-errors.ts'
import { isAlive, ownIdentity, pidSpace } from './process-table.ts'
import { stateFolder } from './state-folder.ts'

const holderSchema = z.object({
  pid: z.number(),
  started: z.string(),
  boot: z.string(),
  container: z.string(),
  host: z.string(),
  /** Tells two locks of one process apart. */
  token: z.string(),
})
type Holder = z.infer<typeof holderSchema>

const POLL_MS = 50

export interface LockOptions {
  /** How long a living holder is waited for; 0 by default. */
  waitMs?: number
  /** What is locked, for messages: `this machine for port 18000`. */
  what: string
}

/**
 * Takes the lock file at `path`, which its holder's death frees: a dead holder's lock is taken over. A holder on another host or in
 * another container cannot be looked at and counts as living. Throws GateError `locked` with the holder.
 */
export async function takeLock(path: string, options: LockOptions): Promise<AsyncDisposable> {
  const deadlineMs = performance.now() + (options.waitMs ?? 0)
  try {
    const own = await ownHolder()
    const content = JSON.stringify(own)
    for (;;) {
      if (await createWhole(path, content, own.token)) return held(path, content)
      const found = await readLock(path)
      if (found === null) continue
      const holder = parseHolder(found)
      if (!holder || (await isDead(holder))) await removeStale(path, found)
      else if (performance.now() >= deadlineMs) throw lockedError(path, options.what, holder)
      else await delay(POLL_MS)
    }
  } catch (error) {
    throw fileError(error, 'take the lock', path)
  }
}

/** A lock that holds for this user on this machine, so that two runs do not measure over each other. `name` is a file-name-safe word. */
export async function takeHostLock(name: string, options: LockOptions & { parent?: string }): Promise<AsyncDisposable> {
  const folder = await stateFolder(options.parent)
  return takeLock(join(folder, `${name.replaceAll(/[^A-Za-z0-9_.-]/g, '_').slice(0, 100)}.lock`), options)
}

/** Several host locks: all or none. Those that others take as well are taken in one order, so that no two wait for each other. */
export async function takeHostLocks(
  locks: readonly { name: string; what: string }[],
  parent?: string,
): Promise<AsyncDisposable> {
  const held: AsyncDisposable[] = []
  const release = async () => {
    await Promise.all(held.splice(0).map((lock) => lock[Symbol.asyncDispose]()))
  }
  try {
    for (const { name, what } of locks) {
      held.push(await takeHostLock(name, { what, ...(parent === undefined ? {} : { parent }) }))
    }
  } catch (error) {
    await release()
    throw error
  }
  return { [Symbol.asyncDispose]: release }
}

async function ownHolder(): Promise<Holder> {
  return { ...(await ownIdentity()), ...pidSpace(), host: hostname(), token: randomUUID() }
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
    return await readFile(path, 'utf8')
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
  return holder.container === here.container && !(await isAlive(holder))
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
  if ((await readFile(aside, 'utf8')) !== seen) await link(aside, path).catch(() => undefined)
  await rm(aside, { force: true })
}

function held(path: string, content: string): AsyncDisposable {
  let released: Promise<void> | null = null
  const release = async () => {
    if ((await readFile(path, 'utf8').catch(() => null)) === content) await rm(path, { force: true })
  }
  return { [Symbol.asyncDispose]: () => (released ??= release()) }
}

function lockedError(path: string, what: string, holder: Holder): GateError {
  const where = holder.host === hostname() ? '' : ` on ${holder.host}`
  return new GateError({
    code: 'locked',
    message: `another run (process ${holder.pid}${where}) holds ${what}`,
    hint: `wait for it to end, or stop it; if it is certainly gone, delete ${path}`,
  })
}
