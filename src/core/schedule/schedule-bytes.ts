import { sha256Hex } from '../kernel/hash.ts'
import type { Schedule, ScheduleHeader, ScheduleRow } from './schedule.ts'

/** One line for each, keys in this order; absent ones are left out. */
function headerLine(header: ScheduleHeader): string {
  const { version, cache, generator, pattern, seed, initialRequests, extensionRequests, blockRequests } = header
  const { warmupSeed, prefixSet, dataset } = header
  const prefixes = header.prefixes.map(({ id, tokens, weight }) => ({ id, tokens, weight }))
  const process = { generator, pattern: pattern && orderedPattern(pattern) }
  const counts = { initialRequests, extensionRequests, blockRequests }
  const texts = dataset && { sha256: dataset.sha256, texts: dataset.texts }
  return JSON.stringify({
    version,
    cache,
    ...process,
    seed,
    ...counts,
    warmupSeed,
    prefixSet,
    prefixes,
    dataset: texts,
  })
}

function orderedPattern(pattern: NonNullable<ScheduleHeader['pattern']>): NonNullable<ScheduleHeader['pattern']> {
  if ('shape' in pattern) return { shape: pattern.shape }
  if ('height' in pattern) {
    const { height, widthShare, periodRequests } = pattern
    return { height, widthShare, periodRequests }
  }
  if ('from' in pattern) return { from: pattern.from, to: pattern.to }
  return { sha256: pattern.sha256, format: pattern.format }
}

function rowLine(row: ScheduleRow): string {
  const { id, class: name, offsetUs, inputTokens, outputTokens, prefix, session, turn, thinkUs } = row
  const { cancelAfterTokens, text } = row
  const turns = { session, turn, thinkUs }
  return JSON.stringify({
    id,
    class: name,
    offsetUs,
    inputTokens,
    outputTokens,
    prefix,
    ...turns,
    cancelAfterTokens,
    text,
  })
}

/** The schedule's frozen bytes: JSON Lines in UTF-8, each line ended by LF, keys in a fixed order. Its digest is over these. */
export function freezeSchedule(
  header: ScheduleHeader,
  rows: readonly ScheduleRow[],
): { schedule: Schedule; bytes: Uint8Array } {
  const lines = [headerLine(header), ...rows.map(rowLine), '']
  const bytes = new TextEncoder().encode(lines.join('\n'))
  return { schedule: { header, rows, sha256: sha256Hex(bytes) }, bytes }
}
