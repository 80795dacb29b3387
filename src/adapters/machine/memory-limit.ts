import { readFile } from 'node:fs/promises'
import type { Owned } from '../../app/ports/engine.ts'

const ROOT = '/sys/fs/cgroup'

/**
 * How many processes the kernel killed at the memory limits of the engine's own control groups (`memory.events`, `memory.oom_control`). Null
 * where they cannot be read, and where the engine shares ours: a kill there may be anyone's.
 */
export async function engineOomKills(owned: Owned | null): Promise<number | null> {
  if (owned === null || owned.pids.length === 0) return null
  const ours = await eventsFile('self')
  const files = new Set(
    (await Promise.all(owned.pids.map((pid) => eventsFile(String(pid))))).filter((file) => file !== null),
  )
  if (files.size === 0 || (ours !== null && files.has(ours))) return null
  const kills = await Promise.all([...files].map(oomKillsIn))
  return kills.reduce<number | null>((sum, own) => (sum === null || own === null ? null : sum + own), 0)
}

/** Where a process's control group counts: of version 2 the one hierarchy, of version 1 that of memory. */
async function eventsFile(pid: string): Promise<string | null> {
  const text = await readFile(`/proc/${pid}/cgroup`, 'utf8').catch(() => '')
  const memory = /^\d+:(?:[^:\n]*,)?memory(?:,[^:\n]*)?:(\/.*)$/m.exec(text)?.[1]
  if (memory !== undefined) return isInside(memory) ? `${ROOT}/memory${memory}/memory.oom_control` : null
  const unified = /^0::(\/.*)$/m.exec(text)?.[1]
  return unified !== undefined && isInside(unified) ? `${ROOT}${unified}/memory.events` : null
}

/** From another namespace a path climbs out of what is mounted here. */
function isInside(path: string): boolean {
  return !path.split('/').includes('..')
}

async function oomKillsIn(file: string): Promise<number | null> {
  const text = await readFile(file, 'utf8').catch(() => '')
  const kills = /^oom_kill (\d+)$/m.exec(text)?.[1]
  return kills === undefined ? null : Number(kills)
}
