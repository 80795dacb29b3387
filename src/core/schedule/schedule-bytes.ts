import { sha256Hex } from '../kernel/hash.ts'
import type { Schedule, ScheduleHeader, ScheduleRow } from './schedule.ts'

/** One line for each, keys in this order; absent ones are left out. */
function headerLine(header: ScheduleHeader): string {
  const { version, cache, generator, seed, initialRequests, extensionRequests, blockRequests, warmupSeed } = header
  const { prefixSet } = header
  const prefixes = header.prefixes.map(({ id, tokens, weight }) => ({ id, tokens, weight }))
  const counts = { initialRequests, extensionRequests, blockRequests }
  return JSON.stringify({ version, cache, generator, seed, ...counts, warmupSeed, prefixSet, prefixes })
}

function rowLine(row: ScheduleRow): string {
  const { id, class: name, offsetUs, inputTokens, outputTokens, prefix, session, turn, thinkUs } = row
  return JSON.stringify({ id, class: name, offsetUs, inputTokens, outputTokens, prefix, session, turn, thinkUs })
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
