import { constants, open } from 'node:fs/promises'
import { join } from 'node:path'
import type { HistoryStore } from '../../app/ports/history.ts'
import { EXIT } from '../../core/kernel/errors.ts'
import { writeAtomically } from '../system/atomic-write.ts'
import { readBounded } from '../system/bounded-read.ts'
import { fileError, systemErrorCode, tooLargeError } from '../system/file-errors.ts'
import { takeLock } from '../system/locks.ts'
import { makeFolder } from '../system/make-folder.ts'
import type { HistoryOptions } from './history-file.ts'
import { HISTORY_FILE, LARGEST_HISTORY, PAGE_FILE, requireOwnPage, requireRoom } from './history-file.ts'

/** How long others that write the same history are waited for. */
const LOCK_WAIT_MS = 30_000

/**
 * A history in a folder: `history.jsonl`, a point a line, and its page. What is added is appended in one write and flushed to the disk under a
 * lock, so that two that add lose nothing and a crash leaves at most one torn line at the end; all else replaces the file in one step. A
 * page that a crash left behind is drawn anew by the next change.
 */
export function historyDirectory(folder: string, { drawPage }: HistoryOptions): HistoryStore {
  const [path, page] = [join(folder, HISTORY_FILE), join(folder, PAGE_FILE)]
  return {
    location: path,
    read: async () => (await readText(path)) ?? '',
    async update(change) {
      try {
        await makeFolder(folder)
        await using _ = await takeLock(join(folder, '.history.lock'), {
          what: `the history in ${folder}`,
          waitMs: LOCK_WAIT_MS,
        })
        const text = (await readText(path)) ?? ''
        const changed = change(text)
        requireRoom(changed, path)
        if (changed === text) return
        if (drawPage !== null) requireOwnPage(await readText(page), page)
        if (text !== '' && changed.startsWith(text)) await append(path, changed.slice(text.length))
        else await writeAtomically(path, changed)
        if (drawPage !== null) await writeAtomically(page, drawPage(changed))
      } catch (error) {
        throw fileError(error, 'write the history', path)
      }
    },
  }
}

async function append(path: string, text: string): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0)
  const file = await open(path, flags)
  try {
    await file.appendFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Bytes that are no UTF-8 become characters that no point holds: their line is passed over, the others stand. */
async function readText(path: string): Promise<string | null> {
  try {
    const read = await readBounded(path, LARGEST_HISTORY, 'refused')
    if ('bytes' in read) return new TextDecoder('utf-8', { ignoreBOM: true }).decode(read.bytes)
    throw tooLargeError('the history', path, read.size, LARGEST_HISTORY, EXIT.invalid)
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return null
    throw fileError(error, 'read the history', path, EXIT.invalid)
  }
}
