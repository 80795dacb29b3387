import type { ErrorCode } from '../../stream/error-codes.ts'
import type { Status } from '../../stream/error-codes.ts'
import type { ImportTool } from './tool.ts'

/**
 * One request as another tool's file tells it; what the file lacks is null, never zero. Moments are microseconds on whatever clock the
 * file has (epoch or a process's own), spans are whole microseconds.
 */
export interface ImportedRequest {
  /** Where the file holds it, for messages: `line 12`, `request 7`. */
  place: string
  id: string | null
  status: Status
  /** Null where the tool's words name none of ours. */
  errorCode: ErrorCode | null
  dueAtUs: number | null
  sentAtUs: number | null
  endAtUs: number | null
  /** From sent to the first token. */
  ttftUs: number | null
  /** From sent to the last token. */
  e2eUs: number | null
  firstContentUs: number | null
  inputTokens: number | null
  outputTokens: number | null
  cachedTokens: number | null
  chunks: number | null
  gapUs: { p50: number; p95: number; max: number } | null
  httpStatus: number | null
  session: string | null
  turn: number | null
}

/** A request of which the file tells nothing yet. */
export function untold(place: string): ImportedRequest {
  return {
    place,
    id: null,
    status: 'ok',
    errorCode: null,
    dueAtUs: null,
    sentAtUs: null,
    endAtUs: null,
    ttftUs: null,
    e2eUs: null,
    firstContentUs: null,
    inputTokens: null,
    outputTokens: null,
    cachedTokens: null,
    chunks: null,
    gapUs: null,
    httpStatus: null,
    session: null,
    turn: null,
  }
}

/** What one file holds, in the file's order. */
export interface ImportedFile {
  tool: ImportTool
  /** The tool's version; null where the file does not tell it. */
  version: string | null
  requests: ImportedRequest[]
  /** The run's length in seconds as the tool gives it; null where it does not. */
  durationSeconds: number | null
  /** What was left out or counted otherwise than the tool does: a line each, for people. */
  notes: string[]
}

/** How a file is read. */
export interface ImportReading {
  /** Its name, for messages. */
  file: string
  /** Which run or benchmark, counted from 1; null: the file must hold one only. */
  run: number | null
}
