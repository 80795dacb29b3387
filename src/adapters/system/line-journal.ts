import { constants, open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import type { LineSink } from '../../app/ports/pack.ts'
import type { GateError } from '../../core/kernel/errors.ts'
import { fileError } from './file-errors.ts'

/** A killed process loses at most what was written in this last while. */
const FLUSH_AFTER_MS = 100
/** A burst is handed over at once when it has grown this long. */
const FLUSH_AT_CHARACTERS = 1 << 18
const TAIL_BYTES = 1 << 16

/** Length of the file without a last line that a killed process left unfinished. */
async function wholeLinesLength(handle: FileHandle): Promise<number> {
  let end = (await handle.stat()).size
  const tail = Buffer.allocUnsafe(TAIL_BYTES)
  while (end > 0) {
    const start = Math.max(0, end - TAIL_BYTES)
    const { bytesRead } = await handle.read(tail, 0, end - start, start)
    const newline = tail.subarray(0, bytesRead).lastIndexOf(10)
    if (newline >= 0) return start + newline + 1
    end = start
  }
  return 0
}

async function writeAt(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  let written = 0
  while (written < bytes.length) {
    written += (await handle.write(bytes, written, bytes.length - written, position + written)).bytesWritten
  }
}

/**
 * Opens a file for appending lines. A last line without its end is cut off first. Lines reach the operating system within a tenth of a
 * second, and whole: after a failed write the file is cut back to its last whole line. The first failure ends the journal; `flush` and
 * the disposal throw it (`disk_full` …), `write` never does, since it is called where requests end. Throws system errors on opening.
 */
export async function openLineJournal(path: string): Promise<LineSink> {
  const flags = constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0)
  const handle = await open(path, flags, 0o644)
  let length: number
  try {
    length = await wholeLinesLength(handle)
    if (length < (await handle.stat()).size) await handle.truncate(length)
  } catch (error) {
    await handle.close()
    throw error
  }
  return journal(handle, path, length)
}

function requireLine(line: string, path: string, isClosed: boolean): void {
  if (isClosed) throw new Error(`a line was written to ${path} after its journal was closed`)
  if (line.includes('\n')) throw new Error('a journal line holds a line break')
}

function journal(handle: FileHandle, path: string, startLength: number): LineSink {
  let length = startLength
  let buffered = ''
  let timer: NodeJS.Timeout | null = null
  let failure: GateError | null = null
  let closed: Promise<void> | null = null
  let writing: Promise<void> = Promise.resolve()

  const writeBuffered = async () => {
    const bytes = Buffer.from(buffered)
    buffered = ''
    if (failure || bytes.length === 0) return
    try {
      await writeAt(handle, bytes, length)
      length += bytes.length
    } catch (error) {
      failure = fileError(error, 'write', path)
      await handle.truncate(length).catch(() => undefined)
    }
  }
  const start = () => {
    if (timer) clearTimeout(timer)
    timer = null
    writing = writing.then(writeBuffered)
  }
  const flush = async () => {
    start()
    await writing
    if (failure) throw failure
  }
  const close = () => flush().finally(() => handle.close())
  return {
    write(line) {
      requireLine(line, path, closed !== null)
      if (failure) return
      buffered += `${line}\n`
      if (buffered.length >= FLUSH_AT_CHARACTERS) start()
      else timer ??= setTimeout(start, FLUSH_AFTER_MS)
    },
    get failure() {
      return failure
    },
    flush,
    [Symbol.asyncDispose]: () => (closed ??= close()),
  }
}
