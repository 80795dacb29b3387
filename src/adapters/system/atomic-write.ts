import { randomBytes } from 'node:crypto'
import { constants, open, rename, rm } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { temporaryName } from './temporaries.ts'

type Content = string | Uint8Array | AsyncIterable<Uint8Array>

async function writeAndSync(handle: FileHandle, content: Content): Promise<void> {
  try {
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Makes a rename last through a power cut. Not every file system can; where it cannot, the rename itself still holds. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY).catch(() => null)
  if (!handle) return
  try {
    await handle.sync().catch(() => undefined)
  } finally {
    await handle.close()
  }
}

/**
 * Writes a whole file so that a reader, also after a crash, sees the former content or the new and nothing between: a temporary file
 * beside it, flushed to the disk, then renamed over it. A symbolic link at `path` is replaced, never followed. Throws system errors.
 */
export async function writeAtomically(path: string, content: Content, mode = 0o644): Promise<void> {
  const folder = dirname(path)
  const temporary = join(folder, temporaryName(randomBytes(6).toString('hex'), basename(path)))
  try {
    await writeAndSync(await open(temporary, 'wx', mode), content)
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await syncFolder(folder)
}
