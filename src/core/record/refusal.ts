import { EXIT, GateError } from '../kernel/errors.ts'

export interface Refusal {
  code: string
  /** Which row, as a text editor counts lines. */
  row?: number
  column?: string
  what: string
  hint: string
  cause?: unknown
}

/** Data that cannot be judged: exit 4, with the file, the row and the column. */
export function refusal(file: string, { code, row, column, what, hint, cause }: Refusal): GateError {
  const place = [file, row === undefined ? '' : `row ${row}`, column === undefined ? '' : `column ${column}`]
  return new GateError({
    code,
    message: `${place.filter(Boolean).join(', ')}: ${what}`,
    hint,
    exitCode: EXIT.invalid,
    ...(cause === undefined ? {} : { cause }),
  })
}

/** A cell for a message: quoted, on one line, not too long. */
export function quoted(cell: string): string {
  return JSON.stringify(cell.length > 40 ? `${cell.slice(0, 40)}…` : cell)
}
