import { CsvError } from 'csv-parse'
import { parse } from 'csv-parse/sync'
import { clockUs, stamp, tokens } from './cells.ts'
import { type Cell, traceRefusal } from './trace-refusal.ts'
import type { ClockedRow } from './trace-row.ts'

/** One line's cells. A cell of these formats never holds a line's end, so that a line is a row. */
export function csvCells(file: string, row: number, line: string): string[] {
  if (!line.includes('"')) return line.split(',').map((cell) => cell.trim())
  try {
    const [cells = []] = parse(line, { relax_column_count: true, trim: true })
    return cells
  } catch (cause) {
    const what = cause instanceof CsvError ? 'its quotes do not match' : 'is no row of a CSV file'
    throw traceRefusal(file, { code: 'trace_row', row, what, hint: 'write a quote inside a quoted cell twice', cause })
  }
}

/** Where each column stands, by name: editions of the same trace have them in different places. */
class CsvHeader {
  readonly #file: string
  readonly #names: readonly string[]

  /** @throws GateError `trace_header` where a needed column lacks or stands twice. */
  constructor(file: string, row: number, names: readonly string[], needed: readonly string[]) {
    this.#file = file
    this.#names = names
    const lacking = needed.filter((name) => !names.includes(name))
    const twice = names.find((name, index) => name !== '' && names.indexOf(name) !== index)
    if (lacking.length === 0 && twice === undefined) return
    const what = twice === undefined ? `the header lacks ${lacking.join(', ')}` : `the column ${twice} stands twice`
    throw traceRefusal(file, { code: 'trace_header', row, what, hint: `the header names ${needed.join(', ')}` })
  }

  /** The cells of a line by name. Fewer or more of them than the header has are refused. */
  read(row: number, line: string): (column: string) => string {
    const cells = csvCells(this.#file, row, line)
    if (cells.length !== this.#names.length) {
      const what = `has ${cells.length} cells where the header has ${this.#names.length}`
      const missing = this.#names[cells.length]
      const at = missing === undefined ? {} : { column: missing }
      throw traceRefusal(this.#file, { code: 'trace_row', row, ...at, what, hint: 'look for a row that was cut off' })
    }
    return (column) => cells[this.#names.indexOf(column)] ?? ''
  }

  has(column: string): boolean {
    return this.#names.includes(column)
  }
}

export const AZURE_COLUMNS = ['TIMESTAMP', 'ContextTokens', 'GeneratedTokens'] as const
export const BURSTGPT_COLUMNS = ['Timestamp', 'Request tokens', 'Response tokens'] as const

type ReadRow = (row: number, line: string) => ClockedRow | null

/** Azure's LLM inference traces: a date and time with or without a zone, the same in all rows. */
export function azureRows(file: string, headerRow: number, headerLine: string): ReadRow {
  const header = new CsvHeader(file, headerRow, csvCells(file, headerRow, headerLine), AZURE_COLUMNS)
  let zoned: boolean | null = null
  return (row, line) => {
    const read = header.read(row, line)
    const cell = (column: string): Cell => ({ file, row, column })
    const clockText = read('TIMESTAMP')
    const { us, hasZone } = stamp(cell('TIMESTAMP'), clockText)
    zoned ??= hasZone
    if (zoned !== hasZone) {
      const what = `${JSON.stringify(clockText)} has ${hasZone ? 'a' : 'no'} zone, unlike the rows before`
      throw traceRefusal(file, { code: 'trace_row', row, column: 'TIMESTAMP', what, hint: 'write all times alike' })
    }
    return {
      clockUs: us,
      clockText,
      inputTokens: tokens(cell('ContextTokens'), read('ContextTokens')),
      outputTokens: tokens(cell('GeneratedTokens'), read('GeneratedTokens')),
      class: null,
      session: null,
      blocks: null,
    }
  }
}

/** BurstGPT's: seconds; a row without response tokens is a request that failed, and comes back as null. */
export function burstgptRows(file: string, headerRow: number, headerLine: string): ReadRow {
  const header = new CsvHeader(file, headerRow, csvCells(file, headerRow, headerLine), BURSTGPT_COLUMNS)
  const hasSessions = header.has('Session ID')
  return (row, line) => {
    const read = header.read(row, line)
    if (read('Response tokens') === '0') return null
    const cell = (column: string): Cell => ({ file, row, column })
    const clockText = read('Timestamp')
    return {
      clockUs: clockUs(cell('Timestamp'), clockText, 1_000_000, 'seconds'),
      clockText,
      inputTokens: tokens(cell('Request tokens'), read('Request tokens')),
      outputTokens: tokens(cell('Response tokens'), read('Response tokens')),
      class: null,
      session: hasSessions ? read('Session ID') || null : null,
      blocks: null,
    }
  }
}
