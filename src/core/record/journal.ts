import { z } from 'zod'
import { EXIT, GateError } from '../kernel/errors.ts'
import type { RequestRecord } from './record.ts'
import { STATUSES } from '../stream/error-codes.ts'

const whole = z.int().min(0)
const us = whole
const gapUs = z.number().min(0)

const lineSchema = z.strictObject({
  id: z.string().min(1),
  class: z.string().min(1),
  status: z.enum(STATUSES),
  errorCode: z.string().nullable(),
  dueUs: us,
  handedUs: us.nullable(),
  sentUs: us.nullable(),
  firstTokenUs: us.nullable(),
  firstContentUs: us.nullable(),
  lastTokenUs: us.nullable(),
  endUs: us,
  inputTokens: whole.nullable(),
  outputTokens: whole.nullable(),
  cachedTokens: whole.nullable(),
  chunks: whole,
  gapUs: z.strictObject({ p50: gapUs, p95: gapUs, max: gapUs }).nullable(),
  httpStatus: whole.nullable(),
  finishReason: z.string().nullable(),
  replica: whole.nullable(),
  session: z.string().nullable(),
  turn: whole.nullable(),
})

export interface Journal {
  records: readonly RequestRecord[]
  /** Whether the last line was cut off, as a kill leaves it; that request counts as unfinished. */
  torn: boolean
}

/** One finished request as a line of the journal (JSON Lines), without its LF. */
export function encodeJournalLine(record: RequestRecord): string {
  return JSON.stringify(record)
}

/**
 * Reads a journal back. A last line without its LF that cannot be read was torn by a kill, and is dropped.
 *
 * @throws GateError `journal_damaged`, exit 4, with the line, for any other line that cannot be read, or a request that ended twice.
 */
export function parseJournal(text: string): Journal {
  const lines = text.split('\n')
  const records: RequestRecord[] = []
  const seen = new Set<string>()
  let torn = false
  for (const [index, line] of lines.entries()) {
    const isLast = index === lines.length - 1
    if (isLast && line === '') break
    const record = parseLine(line)
    if (typeof record === 'string') {
      if (!isLast) throw damaged(index + 1, record)
      torn = true
      break
    }
    if (seen.has(record.id)) throw damaged(index + 1, `request ${JSON.stringify(record.id)} ended before`)
    seen.add(record.id)
    records.push(record)
  }
  return { records, torn }
}

/** The record, or what is wrong with the line. */
function parseLine(line: string): RequestRecord | string {
  let json: unknown
  try {
    json = JSON.parse(line)
  } catch {
    return 'it is no JSON'
  }
  const parsed = lineSchema.safeParse(json)
  if (!parsed.success) return z.prettifyError(parsed.error).replaceAll('\n', ' ')
  return parsed.data
}

function damaged(line: number, what: string): GateError {
  return new GateError({
    code: 'journal_damaged',
    message: `journal, line ${line}: ${what}`,
    hint: 'run the point again: what is not in the journal was not measured',
    exitCode: EXIT.invalid,
  })
}
