import { EXIT } from '../../core/kernel/errors.ts'
import { readBounded } from '../system/bounded-read.ts'
import { fileError, systemErrorCode, tooLargeError } from '../system/file-errors.ts'

/** In bytes: the largest record that is read back. */
export const LARGEST_RECORD = 64 * 1024 * 1024

/** One record's file as text, or null where there is none. Throws GateError `file_too_large` and the like, exit 4. */
export async function readRecordText(path: string): Promise<string | null> {
  try {
    const read = await readBounded(path, LARGEST_RECORD, 'followed')
    if ('bytes' in read) return Buffer.from(read.bytes).toString('utf8')
    throw tooLargeError('the capacity record', path, read.size, LARGEST_RECORD, EXIT.invalid)
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return null
    throw fileError(error, 'read the capacity record', path, EXIT.invalid)
  }
}
