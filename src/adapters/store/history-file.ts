import { EXIT, GateError } from '../../core/kernel/errors.ts'
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
