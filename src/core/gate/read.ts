import type { z } from 'zod'
import { canonicalSha256 } from '../kernel/canonical.ts'
import type { JsonValue } from '../kernel/canonical.ts'
import { EXIT, GateError } from '../kernel/errors.ts'
import type { CapacityRecord, PointReport } from '../capacity/record.ts'
import { capacityRecordSchema, pointReportSchema, verdictSchema } from './record-schema.ts'
import type { Verdict } from './verdict.ts'

/** UTF-16 units above which a file is refused unread. A record of 1,000 points with ten classes each is a quarter of it. */
const RECORD_MAX_CHARS = 64 * 1024 * 1024
const DEPTH_MAX = 100

/** The file's name in messages, the number that versions it, and the version that this tool writes. */
interface FileKind<T> {
  name: string
  versionKey: 'schema' | 'version'
  version: number
  schema: z.ZodType<T>
}

/**
 * Reads capacity.json back. Throws GateError (exit 4): `record_too_large`, `record_not_json`, `record_too_deep`, `record_not_unicode`,
 * `record_schema_newer` (written by a later tool), or `record_invalid` with the path of the first bad field.
 */
export function parseCapacityRecord(text: string, name = 'capacity.json'): CapacityRecord {
  return parseFile(text, { name, versionKey: 'schema', version: 1, schema: capacityRecordSchema })
}

/** Reads point.json back; throws as parseCapacityRecord does. */
export function parsePointReport(text: string, name = 'point.json'): PointReport {
  return parseFile(text, { name, versionKey: 'schema', version: 1, schema: pointReportSchema })
}

/** Reads verdict.json back; throws as parseCapacityRecord does. */
export function parseVerdict(text: string, name = 'verdict.json'): Verdict {
  return parseFile(text, { name, versionKey: 'version', version: 1, schema: verdictSchema })
}

/** SHA-256 of the record's canonical JSON: the same for equal records, whatever their file's spacing and key order. */
export function recordSha256(record: CapacityRecord): string {
  return canonicalSha256(JSON.parse(JSON.stringify(record)) as JsonValue)
}

function parseFile<T>(text: string, kind: FileKind<T>): T {
  if (text.length > RECORD_MAX_CHARS) {
    throw refusal(
      'record_too_large',
      `${kind.name}: ${text.length} characters, more than ${RECORD_MAX_CHARS}`,
      'give the capacity.json that a run wrote',
    )
  }
  const value = parseJson(text, kind.name)
  requireVersion(value, kind)
  const parsed = kind.schema.safeParse(value)
  if (parsed.success) return value as T
  const issue = parsed.error.issues[0]
  const path = issue === undefined ? '' : pathText(issue.path)
  throw refusal(
    'record_invalid',
    `${kind.name}: ${path === '' ? 'the whole file' : path}: ${printable(issue?.message ?? 'not of the expected shape')}`,
    'take the file from an unchanged pack, or run again: it was edited or cut',
  )
}

function parseJson(text: string, name: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text.startsWith('\u{feff}') ? text.slice(1) : text)
  } catch (cause) {
    const what = text.trim() === '' ? 'is empty' : `is not JSON: ${printable(String((cause as Error).message))}`
    throw refusal('record_not_json', `${name} ${what}`, 'take the file from an unchanged pack, or run again', cause)
  }
  const unfit = unfitFor(value, DEPTH_MAX)
  if (unfit === null) return value
  const what =
    unfit === 'too_deep' ? `nests deeper than ${DEPTH_MAX} levels` : 'holds half a character (a lone surrogate)'
  throw refusal(`record_${unfit}`, `${name} ${what}`, 'give a file that a run wrote')
}

function requireVersion<T>(value: unknown, kind: FileKind<T>): void {
  if (typeof value !== 'object' || value === null) return
  const record = value as Record<string, unknown>
  const found = record[kind.versionKey]
  const tool = record['tool']
  const protocol = typeof tool === 'object' && tool !== null ? (tool as Record<string, unknown>)['replayProtocol'] : 1
  const newer = (version: unknown, own: number) => typeof version === 'number' && version > own
  if (newer(found, kind.version) || newer(protocol, 1)) {
    const what = newer(found, kind.version)
      ? `${kind.versionKey} ${String(found)}`
      : `replay protocol ${String(protocol)}`
    throw refusal(
      'record_schema_newer',
      `${kind.name} is of ${what}; this tool reads ${kind.versionKey} ${kind.version}`,
      'update Capacity Gate, or measure the baseline again with this version',
    )
  }
}

/** What hashing could not bear: too many levels, or text that is no Unicode. Level by level, since recursion is what it guards. */
function unfitFor(value: unknown, depthMax: number): 'too_deep' | 'not_unicode' | null {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (level.some((item) => typeof item === 'string' && !item.isWellFormed())) return 'not_unicode'
    const objects = level.filter((item): item is object => typeof item === 'object' && item !== null)
    if (objects.length > 0 && depth >= depthMax) return 'too_deep'
    level = objects.flatMap((item) => (Array.isArray(item) ? item : Object.entries(item).flat()))
  }
  return null
}

function pathText(path: readonly PropertyKey[]): string {
  const text = path
    .map((key, index) => (typeof key === 'number' ? `[${key}]` : `${index === 0 ? '' : '.'}${String(key)}`))
    .join('')
  return printable(text)
}

/** One line of ASCII at most 300 long: what a hostile file says about itself goes to a terminal. */
function printable(text: string): string {
  const clean = text.replaceAll(/[^\x20-\x7e]/g, '?')
  return clean.length > 300 ? `${clean.slice(0, 299)}…` : clean
}

function refusal(code: string, message: string, hint: string, cause?: unknown): GateError {
  return new GateError({ code, message, hint, exitCode: EXIT.invalid, cause })
}
