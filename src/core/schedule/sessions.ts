import type { ScheduleRow } from './schedule.ts'

/** Each session's rows, in the order of their turns: a turn's history is those before it. Rows without a session are in none. */
export function sessionHistory(rows: readonly ScheduleRow[]): Map<string, ScheduleRow[]> {
  const sessions = new Map<string, ScheduleRow[]>()
  for (const row of rows) {
    if (row.session === undefined) continue
    const turns = sessions.get(row.session)
    if (turns) turns.push(row)
    else sessions.set(row.session, [row])
  }
  return sessions
}
