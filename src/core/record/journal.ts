import { z } from 'zod'
import { EXIT, GateError } from '../kernel/errors.ts'
import type { RequestRecord } from './record.ts'
import { STATUSES } from './record.ts'

const whole = z.int().min(0)
const us = whole
const gapUs = z.number().min(0)

const lineSchema = z.strictObject({
  id: z.string().min(1),
  class: z.string().min(1),
  status: z.enum(STATUSES),
  errorCode: z.string().nullable(),
  dueUs: us,
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
  gapsUs: z.array(gapUs).optional(),
})

interface JournalEntry {
  record: RequestRecord
  /** The raw gaps between token-bearing chunks, where they were asked for. */
  gapsUs: readonly number[] | null
}

export interface Journal {
  entries: readonly JournalEntry[]
  /** Whether the last line was cut off, as a kill leaves it; that request counts as unfinished. */
  torn: boolean
}

/** One finished request as a line of the journal (JSON Lines), without its LF. */
export function encodeJournalLine(record: RequestRecord, gapsUs?: readonly number[]): string {
  return JSON.stringify(gapsUs === undefined ? record : { ...record, gapsUs })
}

/**
 * Reads a journal back. A last line without its LF that cannot be read was torn by a kill, and is dropped.
 *
 * @throws GateError `journal_damaged`, exit 4, with the line, for any other line that cannot be read, or a request that ended twice.
 */
export function parseJournal(text: string): Journal {
  const lines = text.split('\n')
  const entries: JournalEntry[] = []
  const seen = new Set<string>()
  let torn = false
  for (const [index, line] of lines.entries()) {
    const isLast = index === lines.length - 1
    if (isLast && line === '') break
    const entry = parseLine(line)
    if (typeof entry === 'string') {
      if (!isLast) throw damaged(index + 1, entry)
      torn = true
      break
    }
    if (seen.has(entry.record.id)) throw damaged(index + 1, `request ${JSON.stringify(entry.record.id)} ended before`)
    seen.add(entry.record.id)
    entries.push(entry)
  }
  return { entries, torn }
}

/** The entry, or what is wrong with the line. */
function parseLine(line: string): JournalEntry | string {
  let json: unknown
  try {
    json = JSON.parse(line)
  } catch {
    return 'it is no JSON'
  }
  const parsed = lineSchema.safeParse(json)
  if (!parsed.success) return z.prettifyError(parsed.error).replaceAll('\n', ' ')
  const { gapsUs = null, ...record } = parsed.data
  return { record, gapsUs }
}

function damaged(line: number, what: string): GateError {
  return new GateError({
    code: 'journal_damaged',
    message: `journal, line ${line}: ${what}`,
    hint: 'run the point again: what is not in the journal was not measured',
    exitCode: EXIT.invalid,
  })
}
