import { CsvError, Parser } from 'csv-parse'
import type { GateError } from '../kernel/errors.ts'
import { refusal } from './refusal.ts'
import type { KeptColumns } from './own-columns.ts'
import { RowReader } from './row-reader.ts'
import type { CohortTable } from './table.ts'

export interface ReadOptions {
  /** The file's name, for messages. */
  file?: string
  /** `analyzed`: what no figure comes from is read and not kept; its columns have length 0. `all` by default. */
  columns?: KeptColumns
  /** More rows than this are refused. */
  maxRows?: number
}

const CHUNK_BYTES = 64 * 1024
/** What Python's csv module takes in one field; here of a whole row. */
const MAX_ROW_BYTES = 131_072
const DEFAULT_MAX_ROWS = 5_000_000

/**
 * Reads requests.csv, ours or the bare seven columns of another tool's, in a stream: in any order, other columns ignored, a byte
 * order mark accepted. Our own columns are read where the five of microseconds are there.
 *
 * @throws GateError with exit 4, the file, the row and the column, for anything that cannot be judged: no text in UTF-8, no header,
 * a row of another length, a repeated id, an unknown status, a number that two languages would read differently, latencies that
 * disagree with each other or with the microseconds.
 */
export async function readRequestsCsv(
  source: AsyncIterable<Uint8Array> | Uint8Array | string,
  options: ReadOptions = {},
): Promise<CohortTable> {
  const file = options.file ?? 'requests.csv'
  const reading: Reading = {
    file,
    kept: options.columns ?? 'all',
    maxRows: options.maxRows ?? DEFAULT_MAX_ROWS,
    rows: null,
    count: 0,
  }
  const parser = makeParser(reading)
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const chunk of chunksOf(source)) {
      refuseBinary(decoder, chunk, file, parser.info.lines)
      await write(parser, chunk)
    }
    refuseBinary(decoder, null, file, parser.info.lines)
    await end(parser)
  } catch (error) {
    throw explain(error, file, parser.info.lines)
  } finally {
    parser.destroy()
  }
  if (reading.rows === null) throw emptyFile(file)
  return reading.rows.table()
}

interface Reading {
  file: string
  kept: KeptColumns
  maxRows: number
  rows: RowReader | null
  count: number
}

function makeParser(reading: Reading): Parser {
  const parser = new Parser({
    bom: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    skip_empty_lines: true,
    relax_column_count: true,
    max_record_size: MAX_ROW_BYTES,
    on_record: (cells: string[], { lines }: { lines: number }) => {
      if (reading.rows !== null) {
        if (++reading.count > reading.maxRows) throw tooManyRows(reading)
        reading.rows.add(cells, lines)
      } else {
        if (lines !== 1) throw emptyFile(reading.file)
        reading.rows = new RowReader(cells, reading.file, reading.kept)
      }
      return null
    },
  })
  // Each failed write rejects its own promise; the event that comes with it has nothing to add.
  parser.on('error', () => {})
  parser.resume()
  return parser
}

function write(parser: Parser, chunk: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    parser.write(chunk, (error) => (error ? reject(error) : resolve()))
  })
}

function end(parser: Parser): Promise<void> {
  return new Promise((resolve, reject) => {
    parser.once('error', reject)
    parser.once('end', resolve)
    parser.end()
  })
}

async function* chunksOf(source: AsyncIterable<Uint8Array> | Uint8Array | string): AsyncGenerator<Uint8Array> {
  if (typeof source !== 'string' && !(source instanceof Uint8Array)) {
    yield* source
    return
  }
  const bytes = typeof source === 'string' ? new TextEncoder().encode(source) : source
  for (let from = 0; from < bytes.length; from += CHUNK_BYTES) yield bytes.subarray(from, from + CHUNK_BYTES)
}

type Decoder = InstanceType<typeof TextDecoder>

/** The parser itself would turn broken bytes into replacement characters, and a UTF-16 mark into another encoding. */
function refuseBinary(decoder: Decoder, chunk: Uint8Array | null, file: string, line: number): void {
  let isText = chunk === null || !chunk.includes(0)
  try {
    decoder.decode(chunk ?? new Uint8Array(), { stream: chunk !== null })
  } catch {
    isText = false
  }
  if (isText) return
  throw refusal(file, {
    code: 'csv_not_text',
    what: `no text in UTF-8, at or after row ${line}`,
    hint: 'hand in requests.csv itself, uncompressed',
  })
}

function emptyFile(file: string): GateError {
  return refusal(file, {
    code: 'csv_header',
    row: 1,
    what: 'there is no header',
    hint: 'the first line names the columns',
  })
}

function tooManyRows(reading: Reading): GateError {
  return refusal(reading.file, {
    code: 'csv_too_many_rows',
    what: `more than ${reading.maxRows} rows`,
    hint: 'a point has as many rows as its schedule',
  })
}

function explain(error: unknown, file: string, line: number): unknown {
  if (!(error instanceof CsvError)) return error
  const [what, hint] = syntax[error.code] ?? [error.message, 'write it as RFC 4180 says']
  return refusal(file, { code: 'csv_syntax', row: line, what, hint, cause: error })
}

const syntax: Record<string, readonly [what: string, hint: string]> = {
  CSV_QUOTE_NOT_CLOSED: ['a quoted cell does not end', 'close the quote'],
  CSV_INVALID_CLOSING_QUOTE: ['text follows a closing quote', 'write a quote inside a quoted cell twice'],
  INVALID_OPENING_QUOTE: ['a quote stands inside a bare cell', 'quote the whole cell and write the quote twice'],
  CSV_MAX_RECORD_SIZE: [`a row is longer than ${MAX_ROW_BYTES} bytes`, 'look for a quote that does not end before it'],
}
