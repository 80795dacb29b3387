import { lstat, mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GateError } from '../../core/kernel/errors.ts'
import { fileError } from './file-errors.ts'

/**
 * The folder where this user's runs on this machine know of each other: locks, and what engines stand. It lies where anyone may write,
 * so one that somebody else made is refused: GateError `state_folder_unsafe`.
 */
export async function stateFolder(parent = tmpdir()): Promise<string> {
  const user = process.getuid?.()
  const folder = join(parent, `capacity-gate-${user ?? 'user'}`)
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
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
