import { isReservedClassName } from '../../manifest/class-name.ts'
import { blockIds, clockUs, tokens } from './cells.ts'
import { type Cell, refuseCell, traceRefusal } from './trace-refusal.ts'
import type { ClockedRow } from './trace-row.ts'

const CLASS_NAME = /^[A-Za-z0-9_.-]{1,64}$/
const OWN_KEYS = ['timestampUs', 'inputTokens', 'outputTokens', 'class', 'session', 'hashIds']

export type JsonObject = Readonly<Record<string, unknown>>

/** A line as a JSON object. @throws GateError `trace_row` */
export function jsonObject(file: string, row: number, line: string): JsonObject {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (cause) {
    throw traceRefusal(file, { code: 'trace_row', row, what: 'is no JSON', hint: 'write one object a line', cause })
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject
  throw traceRefusal(file, { code: 'trace_row', row, what: 'is no JSON object', hint: 'write one object a line' })
}

/** `{"timestamp": ms, "input_length": n, "output_length": n, "hash_ids": [n], "session_id": "…"}`; the last two may lack, others are ignored. */
export function mooncakeRow(file: string, row: number, line: string): ClockedRow {
  const value = jsonObject(file, row, line)
  if ('chat_id' in value) {
    throw traceRefusal(file, {
      code: 'trace_format',
      row,
      column: 'chat_id',
      what: 'this is a Bailian trace: its timestamps are seconds, not milliseconds',
      hint: "make it one of Mooncake's: jq -c '.timestamp *= 1000 | del(.chat_id)'",
    })
  }
  const cell = (column: string): Cell => ({ file, row, column })
  const ids = value['hash_ids']
  return {
    clockUs: clockUs(cell('timestamp'), value['timestamp'], 1000, 'milliseconds'),
    clockText: String(value['timestamp']),
    inputTokens: tokens(cell('input_length'), value['input_length']),
    outputTokens: tokens(cell('output_length'), value['output_length']),
    class: null,
    session: sessionId(cell('session_id'), value['session_id']),
    blocks: ids === undefined || ids === null ? null : blockIds(cell('hash_ids'), ids),
  }
}

/** Our own: `{"timestampUs", "inputTokens", "outputTokens", "class"?, "session"?, "hashIds"?}`, and no other key. */
export function ownRow(file: string, row: number, line: string): ClockedRow {
  const value = jsonObject(file, row, line)
  const cell = (column: string): Cell => ({ file, row, column })
  const stranger = Object.keys(value).find((key) => !OWN_KEYS.includes(key))
  if (stranger !== undefined) {
    throw traceRefusal(file, {
      code: 'trace_row',
      row,
      what: `has the unknown key ${JSON.stringify(stranger.slice(0, 40))}`,
      hint: `the keys are ${OWN_KEYS.join(', ')}`,
    })
  }
  const { timestampUs, hashIds } = value
  if (timestampUs !== undefined && !Number.isSafeInteger(timestampUs)) {
    refuseCell(cell('timestampUs'), timestampUs, 'is no whole number of microseconds', 'write 1500000 for 1.5 s')
  }
  return {
    clockUs: clockUs(cell('timestampUs'), timestampUs, 1, 'microseconds'),
    clockText: String(timestampUs),
    inputTokens: tokens(cell('inputTokens'), value['inputTokens']),
    outputTokens: tokens(cell('outputTokens'), value['outputTokens']),
    class: className(cell('class'), value['class']),
    session: sessionId(cell('session'), value['session']),
    blocks: hashIds === undefined || hashIds === null ? null : blockIds(cell('hashIds'), hashIds),
  }
}

function className(cell: Cell, value: unknown): string | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'string' && CLASS_NAME.test(value)) {
    if (!isReservedClassName(value)) return value
    return refuseCell(cell, value, 'is no name that a manifest’s class can have', 'choose another name')
  }
  return refuseCell(cell, value, "is no class's name", 'use letters, digits, _, . and - (at most 64)')
}

function sessionId(cell: Cell, value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null
  const id = typeof value === 'number' ? String(value) : value
  if (typeof id === 'string' && id.length <= 256) return id
  return refuseCell(cell, value, 'is no session', 'write a text of at most 256 characters, or a number')
}
