import { chmod, lstat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GateError } from '../../core/kernel/errors.ts'
import { fileError } from './file-errors.ts'
import { makeFolder } from './make-folder.ts'

/** Where this user's folder lies, made or not. */
export function stateFolderPath(parent = tmpdir()): string {
  return join(parent, `capacity-gate-${process.getuid?.() ?? 'user'}`)
}

/**
 * The folder where this user's runs on this machine know of each other: locks, and what engines stand. It lies where anyone may write,
 * so one that somebody else made is refused: GateError `state_folder_unsafe`.
 */
export async function stateFolder(parent?: string): Promise<string> {
  const user = process.getuid?.()
  const folder = stateFolderPath(parent)
  try {
    await makeFolder(folder, 0o700)
    const stats = await lstat(folder)
    const isOurs = stats.isDirectory() && (user === undefined || stats.uid === user) && (stats.mode & 0o022) === 0
    if (isOurs) return folder
  } catch (error) {
    throw fileError(error, 'make the state folder', folder)
  }
  throw new GateError({
    code: 'state_folder_unsafe',
    message: `${folder} is not this user's own folder, closed to others`,
    hint: 'remove it, or set TMPDIR to a folder of your own',
  })
}

/**
 * In memory, one for the whole machine whatever a job calls its folder for temporary files, and gone when it restarts. The first that is
 * open to all counts. In the second the system removes what a user left who logs out.
 */
const SHARED = ['/run/lock', '/dev/shm']
const OPEN_TO_ALL = 0o1777

/** The first of these folders in which everybody may make files, and nobody remove another's. */
export async function openToAll(folders: readonly string[]): Promise<string | null> {
  for (const folder of folders) {
    const stats = await lstat(folder).catch(() => null)
    if (stats?.isDirectory() && (stats.mode & OPEN_TO_ALL) === OPEN_TO_ALL) return folder
  }
  return null
}

/** Where the machine's folder lies, made or not. */
export async function machineFolderPath(parent?: string): Promise<string> {
  return join(parent ?? (await openToAll(SHARED)) ?? tmpdir(), 'capacity-gate-machine')
}

/**
 * The folder where every user's runs on this machine know of each other. Anyone may write there, and remove what a dead run of another
 * user left: what lies in it is read as hostile input. Throws GateError `state_folder_unsafe` where a link or a file has its name.
 */
export async function machineFolder(parent?: string): Promise<string> {
  const folder = await machineFolderPath(parent)
  try {
    // The mask of the process would keep others out.
    if (await makeFolder(folder)) await chmod(folder, 0o777)
    if ((await lstat(folder)).isDirectory()) return folder
  } catch (error) {
    throw fileError(error, 'make the machine’s folder', folder)
  }
  throw new GateError({
    code: 'state_folder_unsafe',
    message: `${folder} is not a folder`,
    hint: 'remove it: another user may have put it there',
  })
}
