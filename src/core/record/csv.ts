import { GateError } from '../kernel/errors.ts'
import { guardFormula } from './formula-guard.ts'
import { msText, nsAsMsText, tpotNs } from './latency.ts'
import type { RequestRecord } from './record.ts'

/** The reference analyzer's seven columns, in its order and units. They come first. */
export const REFERENCE_COLUMNS = [
  'request_id',
  'class',
  'ttft_ms',
  'tpot_ms',
  'e2e_ms',
  'output_tokens',
  'status',
] as const

/** The four reference columns as text: zero in a row that is not ok. */
export type Measured = readonly [ttft: string, tpot: string, e2e: string, outputTokens: string]

export const NOTHING_MEASURED: Measured = ['0', '0', '0', '0']

type Cell = (record: RequestRecord, measured: Measured) => string

const columns: readonly (readonly [name: string, cell: Cell])[] = [
  ['request_id', (record) => text(record.id)],
  ['class', (record) => quoteCell(record.class)],
  ['ttft_ms', (_, measured) => measured[0]],
  ['tpot_ms', (_, measured) => measured[1]],
  ['e2e_ms', (_, measured) => measured[2]],
  ['output_tokens', (_, measured) => measured[3]],
  ['status', (record) => record.status],
  ['due_us', (record) => String(record.dueUs)],
  ['sent_us', (record) => integer(record.sentUs)],
  ['first_token_us', (record) => integer(record.firstTokenUs)],
  ['last_token_us', (record) => integer(record.lastTokenUs)],
  ['end_us', (record) => String(record.endUs)],
  ['send_lag_ms', (record) => span(record.dueUs, record.sentUs)],
  ['ttft_from_due_ms', (record) => span(record.dueUs, record.firstTokenUs)],
  ['e2e_from_due_ms', (record) => span(record.dueUs, record.lastTokenUs)],
  ['input_tokens', (record) => integer(record.inputTokens)],
  ['cached_tokens', (record) => integer(record.cachedTokens)],
  ['chunks', (record) => String(record.chunks)],
  ['gap_p50_ms', (record) => gap(record.gapUs?.p50)],
  ['gap_p95_ms', (record) => gap(record.gapUs?.p95)],
  ['gap_max_ms', (record) => gap(record.gapUs?.max)],
  ['http_status', (record) => integer(record.httpStatus)],
  ['finish_reason', (record) => text(record.finishReason)],
  ['error_code', (record) => text(record.errorCode)],
  ['replica', (record) => integer(record.replica)],
  ['session', (record) => text(record.session)],
  ['turn', (record) => integer(record.turn)],
  ['first_content_us', (record) => integer(record.firstContentUs)],
  ['handed_us', (record) => integer(record.handedUs)],
  ['observed_output_tokens', (record) => integer(record.outputTokens)],
]

/** requests.csv's columns in order: the reference's seven, then ours. */
export const REQUESTS_CSV_COLUMNS: readonly string[] = columns.map(([name]) => name)

/**
 * requests.csv of a cohort, in the order given, header first, lines ended by LF. Milliseconds are derived from the integer
 * microseconds, exactly; TPOT has six decimals. What is null is an empty cell. Text must be well-formed and free of NUL.
 *
 * @throws GateError `record_incomplete` for a record that is ok without the times or the length that make it so.
 */
export function encodeRequestsCsv(records: Iterable<RequestRecord>): string {
  let csv = `${REQUESTS_CSV_COLUMNS.join(',')}\n`
  for (const record of records) {
    const measured = record.status === 'ok' ? measure(record) : NOTHING_MEASURED
    csv += `${columns.map(([, cell]) => cell(record, measured)).join(',')}\n`
  }
  return csv
}

function measure(record: RequestRecord): Measured {
  const { sentUs, firstTokenUs, lastTokenUs, outputTokens } = record
  if (sentUs === null || firstTokenUs === null || lastTokenUs === null || outputTokens === null) {
    throw new GateError({
      code: 'record_incomplete',
      message: `request ${JSON.stringify(record.id)} is ok but lacks a time or its output tokens`,
      hint: 'resolve it as an error before it is written',
    })
  }
  const tpot = nsAsMsText(tpotNs(lastTokenUs - firstTokenUs, outputTokens))
  return [msText(firstTokenUs - sentUs), tpot, msText(lastTokenUs - sentUs), String(outputTokens)]
}

/** Text from outside: neither a cell of its own making nor a spreadsheet's formula. */
function text(value: string | null): string {
  return value === null ? '' : quoteCell(guardFormula(value))
}

/** As RFC 4180 says. */
export function quoteCell(value: string): string {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}

function integer(value: number | null): string {
  return value === null ? '' : String(value)
}

function span(fromUs: number, toUs: number | null): string {
  return toUs === null ? '' : msText(toUs - fromUs)
}

function gap(us: number | undefined): string {
  return us === undefined ? '' : msText(Math.round(us))
}
