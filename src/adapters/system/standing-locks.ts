import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { LockSeen } from '../../app/ports/locks.ts'
import { holderText, isDead, isElsewhere, parseHolder, readLock, removeStale } from './lock-file.ts'
import { machineFolderPath, stateFolderPath } from './state-folder.ts'

const FILE = /^([\w.-]{1,100})\.lock$/

interface Found extends LockSeen {
  content: string
}

/** Every lock of this user's runs and of the whole machine. What cannot be read, or is no lock, is passed over. */
export async function standingLocks(parent?: string): Promise<LockSeen[]> {
  return (await found(parent)).map(({ name, path, state, holder }) => ({ name, path, state, holder }))
}

/** Removes the locks whose process has ended; says which. The next run would take them over as well. */
export async function removeDeadLocks(parent?: string): Promise<string[]> {
  const said: string[] = []
  for (const { name, path, state, holder, content } of await found(parent)) {
    if (state === 'left' && (await removeStale(path, content)))
      said.push(`removed the lock ${name}: ${holder} has ended`)
  }
  return said
}

async function found(parent: string | undefined): Promise<Found[]> {
  const folders = [stateFolderPath(parent), await machineFolderPath(parent)]
  const all = await Promise.all(
    folders.map(async (folder) => {
      const names = await namesIn(folder)
      return Promise.all(names.map((file) => look(join(folder, file), FILE.exec(file)?.[1])))
    }),
  )
  return all.flat().filter((lock) => lock !== null)
}

/** Of a folder that is missing, is a link, or cannot be read: none. */
async function namesIn(folder: string): Promise<string[]> {
  const isFolder = (await lstat(folder).catch(() => null))?.isDirectory() ?? false
  return isFolder ? (await readdir(folder).catch(() => [])).toSorted() : []
}

async function look(path: string, name: string | undefined): Promise<Found | null> {
  const content = name === undefined ? null : await readLock(path).catch(() => null)
  const holder = content === null ? null : parseHolder(content)
  if (name === undefined || content === null || holder === null) return null
  const state = isElsewhere(holder) ? 'elsewhere' : (await isDead(holder)) ? 'left' : 'held'
  return { name, path, state, holder: holderText(holder), content }
}
