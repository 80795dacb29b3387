import { chmod, lstat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GateError } from '../../core/kernel/errors.ts'
import { fileError } from './file-errors.ts'
import { makeFolder } from './make-folder.ts'

/**
 * The folder where this user's runs on this machine know of each other: locks, and what engines stand. It lies where anyone may write,
 * so one that somebody else made is refused: GateError `state_folder_unsafe`.
 */
export async function stateFolder(parent = tmpdir()): Promise<string> {
  const user = process.getuid?.()
  const folder = join(parent, `capacity-gate-${user ?? 'user'}`)
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

/** In memory, one for the whole machine whatever a job calls its folder for temporary files, and gone when it restarts. */
const SHARED_MEMORY = '/dev/shm'

/**
 * The folder where every user's runs on this machine know of each other. Anyone may write there, and remove what a dead run of another
 * user left: what lies in it is read as hostile input. Throws GateError `state_folder_unsafe` where a link or a file has its name.
 */
export async function machineFolder(parent?: string): Promise<string> {
  const shared = parent ?? ((await lstat(SHARED_MEMORY).catch(() => null))?.isDirectory() ? SHARED_MEMORY : tmpdir())
  const folder = join(shared, 'capacity-gate-machine')
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
