import { rm } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { GateError } from '../../core/kernel/errors.ts'
import { fileError } from './file-errors.ts'
import {
  createWhole,
  holderText,
  isDead,
  lockPath,
  ownHolder,
  parseHolder,
  readLock,
  removeStale,
} from './lock-file.ts'
import type { Holder } from './lock-file.ts'
import { machineFolder, stateFolder } from './state-folder.ts'

const POLL_MS = 50
const LONGEST_POLL_MS = 1000
/** How long another process is given that is about to remove a dead holder's lock: far longer than that takes. */
const BREAKING_MS = 2000

export interface LockOptions {
  /** How long a living holder is waited for; 0 by default. */
  waitMs?: number
  /** Ends the waiting. */
  signal?: AbortSignal
  /** What is locked, for messages: `this machine for port 18000`. */
  what: string
  /** For whom, for messages: a repository and its job. */
  owner?: string
  /** How a run that is refused can be helped. */
  mend?: string
  /** Told when a lock is taken over, and whose it was. */
  onBroken?: (text: string) => void
  /** Told when a holder is waited for, once for each. */
  onWaiting?: (text: string) => void
}

/**
 * Takes the lock file at `path`, which its holder's death frees: a dead holder's lock is taken over. A holder on another host or in
 * another container cannot be looked at and counts as living. Throws GateError `locked` with the holder, and the signal's reason.
 */
export async function takeLock(path: string, options: LockOptions): Promise<AsyncDisposable> {
  const { waitMs = 0, what } = options
  const deadlineMs = performance.now() + waitMs
  let waitedFor: string | null = null
  try {
    const own = await ownHolder(options.owner)
    const content = JSON.stringify(own)
    for (;;) {
      options.signal?.throwIfAborted()
      if (await createWhole(path, content, own.token)) return held(path, content)
      const found = await readLock(path)
      if (found === null) continue
      const holder = parseHolder(found)
      const isStale = !holder || (await isDead(holder))
      if (isStale && (await removeStale(path, found))) {
        options.onBroken?.(`took over ${what}: ${holder ? `${holderText(holder)} has ended` : 'its lock held nobody'}`)
      } else if (performance.now() >= deadlineMs + (isStale ? BREAKING_MS : 0))
        throw lockedError(path, options, isStale ? null : holder)
      else {
        if (!isStale && found !== waitedFor) options.onWaiting?.(`waiting for ${what}: ${holderText(holder)} holds it`)
        waitedFor = found
        // An abort is thrown at the loop's start, with its own reason.
        const pollMs = Math.min(LONGEST_POLL_MS, Math.max(POLL_MS, waitMs / 1000))
        await delay(pollMs, undefined, options.signal ? { signal: options.signal } : {}).catch(() => undefined)
      }
    }
  } catch (error) {
    if (options.signal?.aborted) throw options.signal.reason
    throw fileError(error, 'take the lock', path)
  }
}

export interface NamedLock {
  name: string
  what: string
  /** `user`: against this user's other runs. `machine`: against everybody's, for what the whole machine has once. */
  reach: 'user' | 'machine'
}

/**
 * Several locks: all or none, within one time of waiting. Those that others take as well are taken in one order, so that no two wait for
 * each other.
 */
export async function takeHostLocks(
  locks: readonly NamedLock[],
  options: Omit<LockOptions, 'what'> & { parent?: string } = {},
): Promise<AsyncDisposable> {
  const { parent, waitMs = 0, ...shared } = options
  const deadlineMs = performance.now() + waitMs
  const held: AsyncDisposable[] = []
  const release = async () => {
    await Promise.all(held.splice(0).map((lock) => lock[Symbol.asyncDispose]()))
  }
  try {
    for (const { name, what, reach } of locks) {
      const folder = await (reach === 'user' ? stateFolder(parent) : machineFolder(parent))
      const leftMs = Math.max(0, deadlineMs - performance.now())
      held.push(await takeLock(lockPath(folder, name), { what, waitMs: leftMs, ...shared }))
    }
  } catch (error) {
    await release()
    throw error
  }
  return { [Symbol.asyncDispose]: release }
}

function held(path: string, content: string): AsyncDisposable {
  let released: Promise<void> | null = null
  const release = async () => {
    if ((await readLock(path).catch(() => null)) === content) await rm(path, { force: true })
  }
  return { [Symbol.asyncDispose]: () => (released ??= release()) }
}

/** Null: the holder has ended, and another process is about to take its lock over. */
function lockedError(path: string, { what, mend }: LockOptions, holder: Holder | null): GateError {
  const who = holder === null ? 'another run takes over' : `another run (${holderText(holder)}) holds`
  return new GateError({
    code: 'locked',
    message: `${who} ${what}`,
    hint: `${mend ?? 'wait for it to end, or stop it'}; if it is certainly gone, delete ${path}`,
  })
}
