import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProcess } from './process-table.ts'

/** What we make for a moment bears the number of the process that made it. */
const NAME = /^(?:\.cg-tmp|capacity-gate-(?:git|router))-(\d+)-/
const DAY_MS = 24 * 3600 * 1000

/** A folder for a moment, in the system's folder for temporary files; its maker removes it. Throws system errors. */
export function temporaryFolder(kind: 'git' | 'router'): Promise<string> {
  return mkdtemp(join(tmpdir(), `capacity-gate-${kind}-${process.pid}-`))
}

/** The name of a file that stands for a moment beside the one that it becomes. */
export function temporaryName(unique: string, becomes: string): string {
  return `.cg-tmp-${process.pid}-${unique}-${becomes}`.slice(0, 200)
}

/** Whether a file name is one of those, left by a killed process. */
export function isTemporaryName(name: string): boolean {
  return name.startsWith('.cg-tmp-')
}

export interface TemporariesPlace {
  folder: string
  /** Whether they may lie in folders below it, too. */
  deep: boolean
}

/**
 * Removes what a process that has ended made for a moment and could not remove: `deadPid`'s, and for a day or longer anyone's whose number
 * nobody has now. Other users' is passed over. Returns how many.
 */
export async function removeTemporaries(places: readonly TemporariesPlace[], deadPid: number | null): Promise<number> {
  let count = 0
  for (const { folder, deep } of places) {
    const entries = await readdir(folder, { withFileTypes: true, recursive: deep }).catch(() => [])
    for (const entry of entries) {
      const pid = Number(NAME.exec(entry.name)?.[1] ?? 0)
      const path = join(entry.parentPath, entry.name)
      if (pid === 0 || !(pid === deadPid ? await isOwn(path) : await isOld(path, pid))) continue
      await rm(path, { recursive: true, force: true })
      count += 1
    }
  }
  return count
}

async function isOwn(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(() => null)
  return stats !== null && (process.getuid === undefined || stats.uid === process.getuid())
}

/** A process in another container has its number there: it is not taken for ended before a day is over. */
async function isOld(path: string, pid: number): Promise<boolean> {
  const stats = await lstat(path).catch(() => null)
  return (
    stats !== null && Date.now() - stats.mtimeMs > DAY_MS && (await isOwn(path)) && (await findProcess(pid)) === null
  )
}
