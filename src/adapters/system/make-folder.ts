import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { systemErrorCode } from './file-errors.ts'

/**
 * Makes a folder and those above it where they are missing; `mode` is of those that are made. Resolves to whether it was missing itself.
 * Throws system errors: EROFS, EACCES, ENOTDIR, ENOSPC; ENOTSUP in a folder where nothing can be made, such as `/proc`.
 *
 * Not Node's own `recursive`, which tries for ever in such a folder, and says ENOENT of a read-only disk.
 */
export async function makeFolder(folder: string, mode?: number): Promise<boolean> {
  const parent = dirname(folder)
  try {
    return await makeOne(folder, mode)
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT' || parent === folder) throw error
  }
  await makeFolder(parent, mode)
  try {
    return await makeOne(folder, mode)
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') throw error
    throw Object.assign(new Error('nothing can be made there', { cause: error }), { code: 'ENOTSUP' })
  }
}

async function makeOne(folder: string, mode?: number): Promise<boolean> {
  try {
    await mkdir(folder, mode)
    return true
  } catch (error) {
    if ((await stat(folder).catch(() => null))?.isDirectory()) return false
    if (systemErrorCode(error) !== 'EEXIST') throw error
    throw Object.assign(new Error('a file stands there', { cause: error }), { code: 'ENOTDIR' })
  }
}
