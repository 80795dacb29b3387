import { createReadStream } from 'node:fs'
import { realpath, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { EXIT, GateError } from '../../core/kernel/errors.ts'
import { writeAtomically } from './atomic-write.ts'
import { readBounded } from './bounded-read.ts'
import { fileError, tooLargeError } from './file-errors.ts'
import { makeFolder } from './make-folder.ts'

/** The largest files that a user may hand in, in bytes. A million requests' CSV is about 250 MB; another tool's JSON Lines several GB. */
export const INPUT_LIMITS = {
  manifest: 1024 * 1024,
  record: 64 * 1024 * 1024,
  csv: 768 * 1024 * 1024,
  imported: 8 * 1024 * 1024 * 1024,
} as const

/** A file that a user named: what it is called in messages, where it is, and how much of it is read at most. */
export interface InputFile {
  /** With its article, for messages: `the manifest`. */
  what: string
  path: string
  maximumBytes: number
}

/**
 * Reads a user's text file whole. Its size is refused before a byte is read. Throws GateError, exit code 4: `file_not_found`,
 * `file_too_large`, `file_empty`, `file_not_text` (with the byte) and the like.
 */
export async function readInputText(file: InputFile): Promise<string> {
  const bytes = await readInput(file)
  if (bytes.length === 0) throw emptyFile(file)
  const zero = bytes.indexOf(0)
  if (zero >= 0) throw notText(file, `byte ${zero + 1} is zero`)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    throw notText(file, 'it is not UTF-8', error)
  }
}

async function readInput(file: InputFile): Promise<Uint8Array> {
  try {
    const result = await readBounded(file.path, file.maximumBytes, 'followed')
    if ('bytes' in result) return result.bytes
    throw tooLargeError(file.what, file.path, result.size, file.maximumBytes, EXIT.invalid)
  } catch (error) {
    throw fileError(error, `read ${file.what}`, file.path, EXIT.invalid)
  }
}

/**
 * The bytes of a user's file as a stream, for what is too large to hold at once. Its size and kind are refused before the first chunk;
 * a pipe is held to the limit as it is read. Throws GateError, exit code 4.
 */
export async function* streamInput(file: InputFile): AsyncGenerator<Uint8Array, void, undefined> {
  let total = 0
  try {
    const stats = await stat(file.path)
    if (stats.isDirectory()) throw Object.assign(new Error('is a folder'), { code: 'EISDIR' })
    if (stats.size > file.maximumBytes) throw beyondLimit(file, stats.size)
    for await (const chunk of createReadStream(file.path)) {
      const bytes = chunk as Buffer
      total += bytes.length
      if (total > file.maximumBytes) throw beyondLimit(file, null)
      yield bytes
    }
  } catch (error) {
    throw fileError(error, `read ${file.what}`, file.path, EXIT.invalid)
  }
  if (total === 0) throw emptyFile(file)
}

/**
 * Writes a file that a user asked for (`--out`), whole or not at all, making its folder; a device or a pipe is written into, never
 * replaced. Throws GateError `disk_full` and the like.
 */
export async function writeOutput(path: string, content: string | Uint8Array): Promise<void> {
  try {
    const target = await stat(path).catch(() => null)
    if (target?.isDirectory()) throw Object.assign(new Error('is a folder'), { code: 'EISDIR' })
    if (target && !target.isFile()) return await writeFile(path, content)
    await makeFolder(dirname(path))
    await writeAtomically(target ? await realpath(path) : path, content)
  } catch (error) {
    throw fileError(error, 'write', path)
  }
}

function beyondLimit(file: InputFile, size: number | null): GateError {
  return tooLargeError(file.what, file.path, size, file.maximumBytes, EXIT.invalid)
}

function emptyFile(file: InputFile): GateError {
  return new GateError({
    code: 'file_empty',
    message: `${file.what} ${file.path} is empty`,
    hint: 'check that this is the file you mean, and that what writes it had finished',
    exitCode: EXIT.invalid,
  })
}

function notText(file: InputFile, why: string, cause?: unknown): GateError {
  return new GateError({
    code: 'file_not_text',
    message: `${file.what} ${file.path} is no text: ${why}`,
    hint: 'hand in the file as UTF-8 text, uncompressed',
    exitCode: EXIT.invalid,
    cause,
  })
}
