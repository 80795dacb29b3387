import type { Schedule, ScheduleRow } from '../../core/schedule/schedule.ts'
import { sessionHistory } from '../../core/schedule/sessions.ts'
import { longestRow } from '../../core/schedule/token-totals.ts'
import type { SingleRequest } from './single-request.ts'

/**
 * The request that is longest, prompt and answer together. How many tokens a dataset's text has only the engine knows: there it is the
 * prompt with the most characters.
 */
export function longestRequest(schedule: Schedule, texts: readonly string[] | undefined): SingleRequest {
  const { rows, header } = schedule
  const row = header.dataset && texts ? mostCharacters(rows, texts) : longestRow(schedule)
  const turns = row.session === undefined ? [] : (sessionHistory(rows).get(row.session) ?? [])
  return { row, earlier: turns.slice(0, row.turn ?? 0) }
}

/** A prompt's history counts. */
function mostCharacters(rows: readonly ScheduleRow[], texts: readonly string[]): ScheduleRow {
  const sessions = new Map<string, number>()
  let most = -1
  return rows.reduce((longest, row) => {
    const before = row.session === undefined ? 0 : (sessions.get(row.session) ?? 0)
    const characters = before + (row.text === undefined ? 0 : (texts[row.text]?.length ?? 0))
    if (row.session !== undefined) sessions.set(row.session, characters)
    if (characters <= most) return longest
    most = characters
    return row
  }, rows[0] as ScheduleRow)
}
