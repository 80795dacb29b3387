import { constants, open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'

/** What a bounded read found. */
export type BoundedRead = { bytes: Uint8Array } | { tooLarge: true; size: number | null }

/** Without O_NOFOLLOW a link swapped in between check and open would be followed; without O_NONBLOCK a pipe would hang the open. */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/**
 * Reads a whole file of at most `limit` bytes; the size is looked at before a byte is read, and watched while reading, since a file
 * may grow and a pipe has no size. Throws system errors (EISDIR for a folder).
 */
export async function readBounded(path: string, limit: number, links: 'followed' | 'refused'): Promise<BoundedRead> {
  const handle = await open(path, links === 'refused' ? READ_FLAGS | (constants.O_NOFOLLOW ?? 0) : constants.O_RDONLY)
  try {
    const stats = await handle.stat()
    if (stats.isDirectory()) throw Object.assign(new Error('is a folder'), { code: 'EISDIR' })
    if (stats.size > limit) return { tooLarge: true, size: stats.size }
    return await readUpTo(handle, limit, stats.isFile() ? stats.size : 0)
  } finally {
    await handle.close()
  }
}

async function readUpTo(handle: FileHandle, limit: number, expected: number): Promise<BoundedRead> {
  const chunks: Buffer[] = []
  let total = 0
  for (;;) {
    const chunk = Buffer.allocUnsafe(Math.max(expected - total + 1, 65_536))
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, null)
    if (bytesRead === 0) break
    total += bytesRead
    if (total > limit) return { tooLarge: true, size: null }
    chunks.push(chunk.subarray(0, bytesRead))
  }
  return { bytes: chunks.length === 1 ? (chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(chunks) }
}
