import type { GateError } from '../../kernel/errors.ts'
import { AZURE_COLUMNS, azureRows, BURSTGPT_COLUMNS, burstgptRows, csvCells } from './csv-rows.ts'
import { jsonObject, mooncakeRow, ownRow } from './json-rows.ts'
import { LineSplitter } from './line-splitter.ts'
import { traceRefusal } from './trace-refusal.ts'
import { type ClockedRow, TRACE_FORMATS, type TraceFormat, type TraceRow } from './trace-row.ts'

export interface TraceSource {
  /** The file's name, for messages. */
  file: string
  /** Null: it is told from the first line. */
  format: TraceFormat | null
}

type ReadRow = (row: number, line: string) => ClockedRow | null

const GZIP = [0x1f, 0x8b]
/** However large a piece is that is pushed, no more of it becomes text at once. */
const SLICE_BYTES = 256 * 1024

/**
 * A trace's bytes in any pieces → its rows, in order. It keeps one unfinished line and no row. Blank lines are passed over, lines end in
 * \n or \r\n, a byte order mark is accepted.
 *
 * @throws GateError (exit 4) from `push` and `end`, with file, row and column: `trace_format`, `trace_header`, `trace_row`, `trace_order`,
 * `trace_line`, `trace_not_text`, `trace_compressed`, `trace_empty`
 */
export class TraceReader {
  readonly #file: string
  readonly #lines: LineSplitter
  #format: TraceFormat | null
  #read: ReadRow | null = null
  #rows = 0
  #failed = 0
  #seenBytes = 0
  #first = 0
  #last: ClockedRow | null = null
  #lastLine = 0

  constructor({ file, format }: TraceSource) {
    this.#file = file
    this.#format = format
    this.#lines = new LineSplitter(file)
  }

  /** Null until the first line was read, where it was not given. */
  get format(): TraceFormat | null {
    return this.#format
  }

  /** Rows handed out so far. */
  get rows(): number {
    return this.#rows
  }

  /** Requests that had failed when the trace was recorded, and are left out: BurstGPT's rows of 0 response tokens. */
  get failed(): number {
    return this.#failed
  }

  /** Bytes kept between two pushes: bounded by the longest line that is allowed. */
  get heldBytes(): number {
    return this.#lines.heldBytes
  }

  push(bytes: Uint8Array): TraceRow[] {
    if (this.#seenBytes === 0 && bytes[0] === GZIP[0] && (bytes.length < 2 || bytes[1] === GZIP[1])) {
      throw this.#refuse('trace_compressed', 'it is compressed by gzip', 'expand it first: gunzip -c trace.gz')
    }
    this.#seenBytes += bytes.length
    const rows: TraceRow[] = []
    for (let from = 0; from < bytes.length; from += SLICE_BYTES) {
      this.#lines.push(bytes.subarray(from, from + SLICE_BYTES), (line) => this.#take(line, rows))
    }
    return rows
  }

  /** What the last line holds, where no line's end followed it. @throws GateError `trace_empty` where there was no row at all */
  end(): TraceRow[] {
    const rows: TraceRow[] = []
    this.#lines.end((line) => this.#take(line, rows))
    if (this.#rows > 0) return rows
    const what = this.#failed > 0 ? `all ${this.#failed} requests had failed` : 'there is no request'
    throw this.#refuse(
      'trace_empty',
      what,
      'check that this is the file you mean, and that what writes it had finished',
    )
  }

  #take(line: string, rows: TraceRow[]): void {
    if (line.trim() === '') return
    const { line: number } = this.#lines
    if (this.#read === null) {
      this.#format ??= formatOf(this.#file, number, line)
      this.#read = rowReader(this.#file, this.#format, number, line)
      if (this.#format === 'azure' || this.#format === 'burstgpt') return
    }
    const row = this.#read(number, line)
    if (row === null) {
      this.#failed++
      return
    }
    this.#checkOrder(row, number)
    const { clockText: _, clockUs, ...rest } = row
    if (this.#rows++ === 0) this.#first = clockUs
    rows.push({ atUs: clockUs - this.#first, ...rest, line: number })
    this.#last = row
    this.#lastLine = number
  }

  #checkOrder(row: ClockedRow, line: number): void {
    const last = this.#last
    if (last === null || row.clockUs >= last.clockUs) return
    throw traceRefusal(this.#file, {
      code: 'trace_order',
      row: line,
      what: `its time ${row.clockText.slice(0, 40)} comes before ${last.clockText.slice(0, 40)} of row ${this.#lastLine}`,
      hint: `sort the trace by time, keeping equal times as they are: ${SORTING[this.#format ?? 'jsonl']}`,
    })
  }

  #refuse(code: string, what: string, hint: string): GateError {
    return traceRefusal(this.#file, { code, what, hint })
  }
}

const SORTING: Readonly<Record<TraceFormat, string>> = {
  mooncake: 'jq -cs "sort_by(.timestamp)[]"',
  jsonl: 'jq -cs "sort_by(.timestampUs)[]"',
  azure: '(head -1 trace.csv; tail -n +2 trace.csv | LC_ALL=C sort -s -t, -k1,1)',
  burstgpt: '(head -1 trace.csv; tail -n +2 trace.csv | LC_ALL=C sort -s -t, -k1,1g)',
}

function rowReader(file: string, format: TraceFormat, headRow: number, head: string): ReadRow {
  switch (format) {
    case 'azure':
      return azureRows(file, headRow, csvHead(file, format, headRow, head))
    case 'burstgpt':
      return burstgptRows(file, headRow, csvHead(file, format, headRow, head))
    case 'mooncake':
      return (row, line) => mooncakeRow(file, row, line)
    case 'jsonl':
      return (row, line) => ownRow(file, row, line)
  }
}

/** @throws GateError `trace_format` for a line of JSON where a CSV file's header was announced */
function csvHead(file: string, format: TraceFormat, row: number, line: string): string {
  if (!/^\s*[[{]/.test(line)) return line
  const hint = 'name the format that it has, or leave the format out'
  throw traceRefusal(file, { code: 'trace_format', row, what: `it is JSON, and no CSV file as ${format} is`, hint })
}

/** The format that a first line speaks. @throws GateError `trace_format` */
function formatOf(file: string, row: number, line: string): TraceFormat {
  const hint = `name the format: ${TRACE_FORMATS.join(', ')}`
  if (line.trimStart().startsWith('{')) {
    const value = jsonObject(file, row, line)
    if ('timestampUs' in value) return 'jsonl'
    if ('input_length' in value) return 'mooncake'
    const what = 'its objects have neither timestampUs nor input_length'
    throw traceRefusal(file, { code: 'trace_format', row, what, hint })
  }
  if (line.trimStart().startsWith('[')) {
    const mend = "write one object a line: jq -c '.[]'"
    throw traceRefusal(file, { code: 'trace_format', row, what: 'it is one JSON array', hint: mend })
  }
  const names = csvCells(file, row, line)
  if (names.includes(AZURE_COLUMNS[1])) return 'azure'
  if (names.includes(BURSTGPT_COLUMNS[1])) return 'burstgpt'
  const what = 'its first line is neither JSON nor a header with ContextTokens or Request tokens'
  throw traceRefusal(file, { code: 'trace_format', row, what, hint })
}
