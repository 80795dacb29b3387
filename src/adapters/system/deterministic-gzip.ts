import { promisify } from 'node:util'
import { constants, gunzip, gzip } from 'node:zlib'

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

/** The content, or `tooLarge` where it expands beyond `limit` bytes. Throws zlib's errors for a damaged file. */
export async function gunzipBounded(bytes: Uint8Array, limit: number): Promise<Uint8Array | 'tooLarge'> {
  try {
    return await expand(bytes, { maxOutputLength: limit })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return 'tooLarge'
    throw error
  }
}
