import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { systemErrorCode } from './file-errors.ts'

/** Makes a folder and those above it where they are missing. Throws system errors: EROFS, EACCES, ENOTDIR, ENOSPC. */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true })
  } catch (error) {
    const code = systemErrorCode(error)
    if (code === 'EEXIST') throw Object.assign(new Error('a file stands there', { cause: error }), { code: 'ENOTDIR' })
    // On a read-only disk Node says ENOENT of the whole path; the first missing folder says why.
    if (code !== 'ENOENT') throw error
    await mkdir(await firstMissing(folder))
    await mkdir(folder, { recursive: true })
  }
}

async function firstMissing(folder: string): Promise<string> {
  const parent = dirname(folder)
  const isTop = parent === folder || (await stat(parent).catch(() => null)) !== null
  return isTop ? folder : firstMissing(parent)
}
