import { createHash } from 'node:crypto'

/** SHA-256 of bytes, or of a string's UTF-8, as 64 lower-case hex digits. */
export function sha256Hex(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex')
}
