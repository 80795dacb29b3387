import { EXIT, GateError } from '../../core/kernel/errors.ts'
import { PAGE_MARK } from '../../core/report/trend/page.ts'
import { LARGEST_RECORD } from './record-file.ts'

/** The history's lines, and the page that is drawn of them, in a folder or on a branch. */
export const HISTORY_FILE = 'history.jsonl'
export const PAGE_FILE = 'index.html'

/** In bytes; some sixty thousand runs. */
export const LARGEST_HISTORY = LARGEST_RECORD

export interface HistoryOptions {
  /** The page of a history's text; null: none is kept beside it. */
  drawPage: ((text: string) => string) | null
}

/** Throws GateError `history_full`, exit 4. */
export function requireRoom(text: string, shown: string): void {
  if (Buffer.byteLength(text) <= LARGEST_HISTORY) return
  throw new GateError({
    code: 'history_full',
    message: `${shown} would grow beyond ${LARGEST_HISTORY.toLocaleString('en-US')} bytes`,
    hint: 'compact it: `capacity-gate history compact REF --older-than 90`',
    exitCode: EXIT.invalid,
  })
}

/** Throws GateError `page_foreign`, exit 4, where the page that stands there is somebody else's: it would be lost. */
export function requireOwnPage(page: string | null, shown: string): void {
  if (page === null || page.slice(0, 1000).includes(PAGE_MARK)) return
  throw new GateError({
    code: 'page_foreign',
    message: `${shown} is there already and is no trend page: it is not replaced`,
    hint: 'keep the history in a folder of its own: branch:NAME:FOLDER or dir:PATH',
    exitCode: EXIT.invalid,
  })
}
