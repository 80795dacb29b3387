import { REFERENCE_COLUMNS } from './csv.ts'
import { parseDecimal, parseInteger } from './decimal.ts'
import { quoted, refusal } from './refusal.ts'

export type Cells = readonly string[]
export type ReferenceColumn = (typeof REFERENCE_COLUMNS)[number]

const MAX_INT32 = 0x7fff_ffff

/** Where each column stands in a row, and how its cells are read: by one grammar each, or refused with row and column. */
export class Header {
  readonly file: string
  readonly width: number
  readonly #position: ReadonlyMap<string, number>

  /** @throws GateError `csv_header` for a header that lacks one of the reference's seven columns or has a column twice. */
  constructor(names: Cells, file: string) {
    this.file = file
    this.width = names.length
    this.#position = new Map(names.map((name, index) => [name, index]))
    const twice = names.find((name, index) => names.indexOf(name) !== index)
    if (twice !== undefined) this.#refuseHeader(`the column ${quoted(twice)} stands twice`)
    const missing = REFERENCE_COLUMNS.filter((name) => !this.#position.has(name))
    if (missing.length > 0) this.#refuseHeader(`the header lacks ${missing.join(', ')}`)
  }

  /** The column's place in a row, −1 where the file lacks it. */
  at(name: string): number {
    return this.#position.get(name) ?? -1
  }

  /** A finite number of milliseconds, at least 0. */
  latency(name: string, at: number, cells: Cells, line: number): number {
    const value = parseDecimal(cells[at] ?? '')
    if (Number.isFinite(value) && value >= 0) return value
    return this.refuse('csv_number', line, name, cells, 'is no finite decimal number of at least 0', 'write 123.456')
  }

  /** A whole number, at least 0. */
  count(name: string, at: number, cells: Cells, line: number, max: number = MAX_INT32): number {
    const value = parseInteger(cells[at] ?? '')
    if (value >= 0 && value <= max) return value
    return this.refuse('csv_number', line, name, cells, 'is no whole number from 0 up', 'write digits only')
  }

  /** Milliseconds with up to three decimals, as integer microseconds. */
  microseconds(name: string, at: number, cells: Cells, line: number): number {
    const ms = parseDecimal(cells[at] ?? '')
    const us = Math.round(ms * 1000)
    if (us >= 0 && us / 1000 === ms) return us
    return this.refuse('csv_number', line, name, cells, 'is no time in milliseconds with three decimals', 'write 1.234')
  }

  refuse(code: string, line: number, column: string, cells: Cells, what: string, hint: string): never {
    const cell = quoted(cells[this.at(column)] ?? '')
    throw refusal(this.file, { code, row: line, column, what: `${cell} ${what}`, hint })
  }

  #refuseHeader(what: string): never {
    const hint = `the first line names the columns, ${REFERENCE_COLUMNS.join(',')} among them`
    throw refusal(this.file, { code: 'csv_header', row: 1, what, hint })
  }
}
