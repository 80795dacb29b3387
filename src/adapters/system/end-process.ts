import { setTimeout as delay } from 'node:timers/promises'
import { signalQuietly } from './process-group.ts'
import { isAlive } from './process-table.ts'
import type { ProcessIdentity } from './process-table.ts'

const POLL_MS = 50

/** Asks a process to end, as a runner does, and kills it where it has not after `graceMs`. Whether it was there at all. */
export async function endProcess(identity: ProcessIdentity, graceMs: number): Promise<boolean> {
  if (!(await isAlive(identity))) return false
  signalQuietly(identity.pid, 'SIGINT')
  const deadlineMs = performance.now() + graceMs
  while (performance.now() < deadlineMs) {
    await delay(POLL_MS)
    if (!(await isAlive(identity))) return true
  }
  signalQuietly(identity.pid, 'SIGKILL')
  while (await isAlive(identity)) await delay(POLL_MS)
  return true
}
