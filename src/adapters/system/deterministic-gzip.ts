import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { constants, createGzip, gunzip, gzip } from 'node:zlib'

const compress = promisify(gzip)
const expand = promisify(gunzip)

const OPERATING_SYSTEM_BYTE = 9
const UNKNOWN_SYSTEM = 0xff

/** Gzip (RFC 1952) whose header says neither when nor on what system it was written: equal content gives equal bytes. */
export async function gzipSame(content: string | Uint8Array): Promise<Uint8Array> {
  // zlib writes no time by itself (MTIME 0); the system byte is the only part that differs between machines.
  const bytes = await compress(content, { level: constants.Z_DEFAULT_COMPRESSION })
  bytes[OPERATING_SYSTEM_BYTE] = UNKNOWN_SYSTEM
  return bytes
}

/** The same of content of any size, handed to `write` in parts. Throws what reading or writing throws. */
export async function gzipSameThrough(
  content: Readable,
  write: (parts: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<void> {
  await pipeline(content, createGzip({ level: constants.Z_DEFAULT_COMPRESSION }), (parts: AsyncIterable<Uint8Array>) =>
    write(withoutSystem(parts)),
  )
}

async function* withoutSystem(parts: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let at = 0
  for await (const part of parts) {
    const byte = OPERATING_SYSTEM_BYTE - at
    if (byte >= 0 && byte < part.length) part[byte] = UNKNOWN_SYSTEM
    at += part.length
    yield part
  }
}

/** The content, or `tooLarge` where it expands beyond `limit` bytes. Throws zlib's errors for a damaged file. */
export async function gunzipBounded(bytes: Uint8Array, limit: number): Promise<Uint8Array | 'tooLarge'> {
  try {
    return await expand(bytes, { maxOutputLength: limit })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return 'tooLarge'
    throw error
  }
}
