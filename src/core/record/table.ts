import type { Status } from '../stream/error-codes.ts'
import { STATUSES } from '../stream/error-codes.ts'
import type { RequestRecord } from './record.ts'

/** A column of texts: `texts[index[row]]`, where −1 stands for none. */
export interface TextValues {
  readonly index: Int32Array
  readonly texts: readonly string[]
}

/**
 * A cohort read from requests.csv, a column an array, in the file's order. A column that the file lacks has length 0; in a column
 * that it has, NaN (times, microseconds) and −1 (counts) stand for an empty cell.
 */
export interface CohortTable {
  /** The file's name, for messages. */
  readonly file: string
  readonly rows: number
  /** The file's line on which each row ends, counted from 1. */
  readonly lines: Int32Array
  readonly ids: readonly string[]
  readonly classes: TextValues
  /** Index into STATUSES. */
  readonly status: Int32Array
  /** The reference's measured columns; 0 in a row that is not ok. */
  readonly ttftMs: Float64Array
  readonly tpotMs: Float64Array
  readonly e2eMs: Float64Array
  /** As judged in a row that is ok; what was observed in any other, −1 where nothing was. */
  readonly outputTokens: Int32Array
  /** Whose requests they are, where another tool sent them (`aiperf`, `guidellm/0.5.0`); null for our own and for a bare file. */
  readonly origin: string | null
  /** Whether the five columns of microseconds are there. In an imported file a cell of theirs may be empty. */
  readonly hasTimes: boolean
  /** Whether every row says when it was due. */
  readonly hasDue: boolean
  readonly dueUs: Float64Array
  readonly handedUs: Float64Array
  readonly sentUs: Float64Array
  readonly firstTokenUs: Float64Array
  readonly firstContentUs: Float64Array
  readonly lastTokenUs: Float64Array
  readonly endUs: Float64Array
  readonly inputTokens: Int32Array
  readonly cachedTokens: Int32Array
  readonly chunks: Int32Array
  readonly gapP50Us: Float64Array
  readonly gapP95Us: Float64Array
  readonly gapMaxUs: Float64Array
  readonly httpStatus: Int32Array
  readonly finishReason: TextValues
  readonly errorCode: TextValues
  readonly replica: Int32Array
  readonly session: TextValues
  readonly turn: Int32Array
}

/** A row's text, or null. */
export function textAt(values: TextValues, row: number): string | null {
  return values.texts[values.index[row] ?? -1] ?? null
}

/** A row's status. */
export function statusAt(table: CohortTable, row: number): Status {
  return STATUSES[table.status[row] ?? -1] ?? 'error'
}

/** The records that the table was written from, row by row; `hasTimes` must hold. The inverse of `encodeRequestsCsv`. */
export function* tableRecords(table: CohortTable): Generator<RequestRecord> {
  for (let row = 0; row < table.rows; row++) {
    const p50 = orNull(table.gapP50Us[row])
    yield {
      id: table.ids[row] ?? '',
      class: textAt(table.classes, row) ?? '',
      status: statusAt(table, row),
      errorCode: textAt(table.errorCode, row),
      dueUs: table.dueUs[row] ?? 0,
      handedUs: orNull(table.handedUs[row]),
      sentUs: orNull(table.sentUs[row]),
      firstTokenUs: orNull(table.firstTokenUs[row]),
      firstContentUs: orNull(table.firstContentUs[row]),
      lastTokenUs: orNull(table.lastTokenUs[row]),
      endUs: table.endUs[row] ?? 0,
      inputTokens: orNull(table.inputTokens[row]),
      outputTokens: orNull(table.outputTokens[row]),
      cachedTokens: orNull(table.cachedTokens[row]),
      chunks: orNull(table.chunks[row]) ?? 0,
      gapUs: p50 === null ? null : { p50, p95: table.gapP95Us[row] ?? p50, max: table.gapMaxUs[row] ?? p50 },
      httpStatus: orNull(table.httpStatus[row]),
      finishReason: textAt(table.finishReason, row),
      replica: orNull(table.replica[row]),
      session: textAt(table.session, row),
      turn: orNull(table.turn[row]),
    }
  }
}

function orNull(value: number | undefined): number | null {
  return value === undefined || value < 0 || Number.isNaN(value) ? null : value
}
