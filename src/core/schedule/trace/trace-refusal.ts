import { EXIT, GateError } from '../../kernel/errors.ts'
import { showValue } from '../../manifest/finding.ts'

export interface TraceRefusal {
  /** `trace_format`, `trace_row`, `trace_order` …: stable. */
  code: string
  /** The line, as a text editor counts. */
  row?: number
  column?: string
  what: string
  hint: string
  cause?: unknown
}

/** A trace that cannot be used: exit 4, with the file, the row and the column. */
export function traceRefusal(file: string, { code, row, column, what, hint, cause }: TraceRefusal): GateError {
  const place = [file, row === undefined ? '' : `row ${row}`, column === undefined ? '' : `column ${column}`]
  return new GateError({
    code,
    message: `${place.filter(Boolean).join(', ')}: ${what}`,
    hint,
    exitCode: EXIT.invalid,
    ...(cause === undefined ? {} : { cause }),
  })
}

/** Where a value stands, and how a refusal of it is worded. */
export interface Cell {
  file: string
  row: number
  column: string
}

export function refuseCell(cell: Cell, value: unknown, what: string, hint: string): never {
  throw traceRefusal(cell.file, {
    code: 'trace_row',
    row: cell.row,
    column: cell.column,
    what: value === undefined ? `is missing` : `${showValue(value, 40)} ${what}`,
    hint,
  })
}
