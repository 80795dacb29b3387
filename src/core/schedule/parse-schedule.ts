import { z } from 'zod'
import { EXIT, GateError } from '../kernel/errors.ts'
import { sha256Hex } from '../kernel/hash.ts'
import { ID_PATTERN, SESSION_PATTERN, type Schedule, type ScheduleHeader, type ScheduleRow } from './schedule.ts'

const id = z.string().regex(ID_PATTERN, 'is not an id such as r-00001')
const natural = z.int().min(0)
const positive = z.int().min(1)
const seed = z.int().min(0).max(0xffff_ffff)

const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'is not a SHA-256')
const relativeRate = z.number().min(0)

const patternSchemas = {
  'gamma-1': z.strictObject({ shape: z.number().positive() }),
  'burst-1': z.strictObject({
    height: z.number().min(1),
    widthShare: z.number().gt(0).lt(1),
    periodRequests: z.number().positive(),
  }),
  'ramp-1': z.strictObject({ from: relativeRate, to: relativeRate }),
  'trace-1': z.strictObject({ sha256, format: z.enum(['mooncake', 'azure', 'burstgpt', 'jsonl']) }),
}

const headerSchema = z.strictObject({
  version: z.literal(1),
  cache: z.enum(['cold', 'warm']),
  generator: z.enum(['poisson-1', 'constant-1', 'gamma-1', 'burst-1', 'ramp-1', 'trace-1']),
  pattern: z.union(Object.values(patternSchemas)).exactOptional(),
  seed,
  initialRequests: positive,
  extensionRequests: natural,
  blockRequests: natural,
  warmupSeed: seed,
  prefixSet: z.string().min(1).exactOptional(),
  prefixes: z.array(z.strictObject({ id, tokens: positive, weight: positive })),
  dataset: z.strictObject({ sha256, texts: positive }).exactOptional(),
})

const rowSchema = z.strictObject({
  id,
  class: z.string().min(1),
  offsetUs: natural,
  inputTokens: positive,
  outputTokens: positive,
  prefix: z.string().exactOptional(),
  session: z.string().regex(SESSION_PATTERN, 'is not a session such as chat-00001').exactOptional(),
  turn: natural.exactOptional(),
  thinkUs: natural.exactOptional(),
  cancelAfterTokens: positive.exactOptional(),
  text: natural.exactOptional(),
})

function malformed(line: number, what: string, cause?: unknown): GateError {
  return new GateError({
    code: 'schedule_malformed',
    message: `schedule line ${line}: ${what}`,
    hint: 'write it again with the `schedule` command, or take the one of the pack that it belongs to: a schedule is frozen',
    exitCode: EXIT.invalid,
    cause,
  })
}

function parseLine<T>(text: string, line: number, schema: z.ZodType<T>): T {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw malformed(line, 'is not JSON', error)
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const path = issue?.path.join('.') ?? ''
  throw malformed(line, `${path === '' ? '' : `${path}: `}${issue?.message ?? 'is not as it should be'}`)
}

function checkHeader(header: ScheduleHeader): void {
  const { extensionRequests, blockRequests, prefixes, prefixSet, cache } = header
  if (extensionRequests > 0 && blockRequests === 0) throw malformed(1, 'extension rows need a block size')
  if (new Set(prefixes.map((prefix) => prefix.id)).size < prefixes.length)
    throw malformed(1, 'a prefix id stands twice')
  if ((cache === 'warm') !== prefixes.length > 0) throw malformed(1, 'a warm schedule has prefixes, a cold one none')
  if ((prefixSet === undefined) !== (prefixes.length === 0)) throw malformed(1, 'prefixSet goes with prefixes')
}

/** Each generator that takes more than a seed has a pattern of its own kind, the others none. */
function checkPattern({ generator, pattern }: ScheduleHeader): void {
  const schema = Object.hasOwn(patternSchemas, generator)
    ? patternSchemas[generator as keyof typeof patternSchemas]
    : z.undefined()
  if (!schema.safeParse(pattern).success) throw malformed(1, `the pattern is not one of ${generator}`)
}

/** What a row says of its session must go on from the session's rows above. */
function sessionError(row: ScheduleRow, before: ScheduleRow | undefined): string | null {
  if (row.session === undefined) {
    return row.turn === undefined && row.thinkUs === undefined ? null : 'turn and thinkUs go with a session'
  }
  const turn = before === undefined ? 0 : (before.turn ?? 0) + 1
  if (row.turn !== turn) return `turn ${row.turn ?? 'none'} of session ${row.session} comes where turn ${turn} is due`
  if (before === undefined) return row.thinkUs === undefined ? null : 'a first turn has nobody to think'
  if (row.class !== before.class || row.prefix !== before.prefix) {
    return `session ${row.session} changes its class or its prefix`
  }
  const history = before.inputTokens + before.outputTokens
  return row.inputTokens > history ? null : `inputTokens ${row.inputTokens} leave nothing after a history of ${history}`
}

/** What a row says beside its session and prefix. */
function rowError(row: ScheduleRow, header: ScheduleHeader): string | null {
  if ((row.cancelAfterTokens ?? 0) >= row.outputTokens) return 'cancelAfterTokens is no less than outputTokens'
  if ((row.text === undefined) !== (header.dataset === undefined)) {
    return 'every row of a dataset names its text, none without one'
  }
  return (row.text ?? -1) < (header.dataset?.texts ?? 0) ? null : `text ${row.text} is not in the dataset`
}

function readText(input: Uint8Array | string): string {
  if (typeof input === 'string') return input
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(input)
  } catch (error) {
    throw malformed(1, 'the file is not UTF-8 text', error)
  }
}

/**
 * Reads a schedule's bytes, strictly: the header's version, known keys and whole numbers only, ids of the right form and unique, offsets
 * that never go back, declared prefixes, and as many rows as the header says. The digest is over the bytes as given.
 *
 * @throws GateError `schedule_malformed` that names the line (exit 4)
 */
export function parseSchedule(input: Uint8Array | string): Schedule {
  const text = readText(input)
  if (text === '') throw malformed(1, 'the file is empty')
  if (!text.endsWith('\n')) throw malformed(text.split('\n').length, 'the file ends in the middle of a line')
  const lines = text.slice(0, -1).split('\n')
  const header = parseLine(lines[0] ?? '', 1, headerSchema)
  checkHeader(header)
  checkPattern(header)
  const lengths = new Map(header.prefixes.map((prefix) => [prefix.id, prefix.tokens]))
  const seen = new Set<string>()
  const sessions = new Map<string, ScheduleRow>()
  const rows: ScheduleRow[] = []
  let lastUs = 0
  for (let line = 2; line <= lines.length; line++) {
    const row = parseLine(lines[line - 1] ?? '', line, rowSchema)
    if (seen.has(row.id)) throw malformed(line, `id ${row.id} stands twice`)
    seen.add(row.id)
    if (row.offsetUs < lastUs) throw malformed(line, `offsetUs ${row.offsetUs} comes before the row above (${lastUs})`)
    lastUs = row.offsetUs
    if ((row.prefix === undefined) !== (header.cache === 'cold')) {
      throw malformed(line, 'every row of a warm schedule has a prefix, none of a cold one')
    }
    const shared = row.prefix === undefined ? 0 : lengths.get(row.prefix)
    if (shared === undefined) throw malformed(line, `prefix ${row.prefix} is not in the header`)
    if (shared >= row.inputTokens) throw malformed(line, `the prefix (${shared} tokens) leaves nothing of inputTokens`)
    const wrong = sessionError(row, sessions.get(row.session ?? '')) ?? rowError(row, header)
    if (wrong !== null) throw malformed(line, wrong)
    if (row.session !== undefined) sessions.set(row.session, row)
    rows.push(row)
  }
  const expected = header.initialRequests + header.extensionRequests
  if (rows.length !== expected) {
    throw malformed(lines.length, `the file has ${rows.length} rows, its header says ${expected}`)
  }
  return { header, rows, sha256: sha256Hex(input) }
}
