import type { JsonValue } from '../kernel/canonical.ts'
import { canonicalJson } from '../kernel/canonical.ts'
import { historyPointSchema } from './point-schema.ts'
import type { HistoryPoint } from './point.ts'
import { runsOf, seriesKey } from './point.ts'

/** UTF-16 units of one line above which it is not read. */
const LINE_MAX = 128 * 1024

/** A line that is passed over. `newer`: a later version's, which is kept; `torn`: the last one, cut off as it was written. */
export interface LineFault {
  /** From 1. */
  line: number
  code: 'torn' | 'malformed' | 'newer' | 'twice'
}

export interface ReadHistory {
  /** In the order in which they were written. */
  points: HistoryPoint[]
  faults: LineFault[]
  /** Lines of a later version, as they stand. */
  newer: string[]
}

/** A point as one line, its newline included: the same bytes for equal points. */
export function historyLine(point: HistoryPoint): string {
  return `${canonicalJson(point as unknown as JsonValue)}\n`
}

/** Reads a history's text. Nothing in it is trusted: what is no point is passed over and told, and a run is taken once. */
export function readHistory(text: string): ReadHistory {
  const found: ReadHistory = { points: [], faults: [], newer: [] }
  const seen = new Set<string>()
  const lines = text.split('\n')
  const last = lines.length - 1
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue
    const read = readLine(line)
    const isTorn = read === 'malformed' && index === last
    const known = typeof read === 'string' ? [] : idsOf(read)
    if (typeof read !== 'string' && !known.some((id) => seen.has(id))) found.points.push(read)
    else found.faults.push({ line: index + 1, code: typeof read === 'string' ? (isTorn ? 'torn' : read) : 'twice' })
    if (read === 'newer') found.newer.push(line)
    for (const id of known) seen.add(id)
  }
  return found
}

/**
 * The text with these points at its end, each on a line of its own also after a torn one; those whose run it holds already are left
 * out. The former text stands unchanged at its beginning.
 */
export function withPoints(text: string, points: readonly HistoryPoint[]): { text: string; added: HistoryPoint[] } {
  const seen = new Set(readHistory(text).points.flatMap(idsOf))
  const added = points.filter((point) => {
    const ids = idsOf(point)
    const isNew = !ids.some((id) => seen.has(id))
    for (const id of ids) seen.add(id)
    return isNew
  })
  if (added.length === 0) return { text, added }
  const gap = text === '' || text.endsWith('\n') ? '' : '\n'
  return { text: `${text}${gap}${added.map(historyLine).join('')}`, added }
}

function readLine(line: string): HistoryPoint | 'malformed' | 'newer' {
  if (line.length > LINE_MAX) return 'malformed'
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return 'malformed'
  }
  const parsed = historyPointSchema.safeParse(value)
  if (parsed.success) return parsed.data
  const schema = typeof value === 'object' && value !== null ? (value as { schema?: unknown }).schema : null
  return typeof schema === 'number' && Number.isSafeInteger(schema) && schema > 1 ? 'newer' : 'malformed'
}

function idsOf(point: HistoryPoint): string[] {
  const key = seriesKey(point)
  return runsOf(point).map((run) => `${key} ${run}`)
}
