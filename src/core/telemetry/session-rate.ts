import type { Evidence } from '../kernel/evidence.ts'
import { turnDueUs } from '../kernel/point.ts'
import type { ScheduleRow } from '../schedule/schedule.ts'
import { isBeyondChance } from './beyond-chance.ts'
import { DueTimes } from './due-times.ts'
import type { PointView } from './point-view.ts'

type View = Pick<PointView, 'manifest' | 'schedule' | 'facts' | 'records'>

/** The rows that the schedule has in the arrival window, and how many of them fell due after it. */
interface Lateness {
  rows: number
  late: number
}

/**
 * Whether sessions let the offered rate through: of the requests that the schedule has in its arrival window, the share that fell due in it,
 * against `client.offered_rate_min_share`.
 *
 * - `client.think_time`: as if every answer took no time. Blames the client: no engine could be offered this rate.
 * - `queue.sessions`: as it was. Turns that wait for answers are a queue that no gauge shows, since they are not due: without this an
 *   engine is said to carry a rate that its own slowness kept from coming. Blames the engine.
 *
 * What chance and the answers under way at the window's end make of few requests is let pass. Nothing in a closed loop or without sessions, and of
 * a point that was stopped early, whose window is none of the schedule's.
 */
export function sessionRateEvidence(view: View): Evidence[] {
  const { facts, schedule, manifest } = view
  if (!('openMilliRps' in facts.key.load) || facts.stoppedEarly !== null) return []
  const rows = schedule.rows.slice(0, facts.cohortRequests)
  if (!rows.some(({ session }) => session !== undefined)) return []
  const times = new DueTimes(view)
  const limit = manifest.client.offered_rate_min_share
  const thought = lateness(view, rows, times, instantDueUs(rows, times))
  const seen = lateness(view, rows, times, (row) => times.dueUs(row))
  return [
    finding(limit, thought, { probe: 'client.think_time', blames: 'client' }, 'with answers in no time'),
    finding(limit, seen, { probe: 'queue.sessions', blames: 'engine' }, 'with the answers that came'),
  ]
}

function lateness(
  { facts }: View,
  rows: readonly ScheduleRow[],
  times: DueTimes,
  dueUs: (row: ScheduleRow) => number | null,
): Lateness {
  const last = rows.at(-1)
  const lastUs = (last && times.ownUs(last)) ?? 0
  const windowUs = facts.maximumReached ? Math.min(lastUs, facts.arrivalUs) : lastUs
  const inWindow = rows.filter((row) => (times.ownUs(row) ?? 0) <= windowUs)
  return { rows: inWindow.length, late: inWindow.filter((row) => (dueUs(row) ?? Infinity) > windowUs).length }
}

/** When each row would fall due if every answer ended when it was asked for. */
function instantDueUs(rows: readonly ScheduleRow[], times: DueTimes): (row: ScheduleRow) => number {
  const sessions = new Map<string, number>()
  const due = new Map<ScheduleRow, number>()
  for (const row of rows) {
    const ownUs = times.ownUs(row) ?? 0
    const before = sessions.get(row.session ?? '')
    const at = before === undefined ? ownUs : turnDueUs(ownUs, before, row.thinkUs ?? 0)
    if (row.session !== undefined) sessions.set(row.session, at)
    due.set(row, at)
  }
  return (row) => due.get(row) ?? 0
}

function finding(
  limit: number,
  { rows, late }: Lateness,
  probe: Pick<Evidence, 'probe' | 'blames'>,
  supposing: string,
): Evidence {
  const fails = isBeyondChance(late, (1 - limit) * rows)
  const value = rows === 0 ? 1 : 1 - late / rows
  const text = `${rows - late} of ${rows} requests fell due in the schedule’s own time, ${supposing}`
  const more = fails ? ': sessions held the rate down, which more of them at a time (session.concurrent) would not' : ''
  return { ...probe, required: true, state: fails ? 'fail' : 'pass', value, limit, unit: 'share', text: text + more }
}
