import type { Evidence } from '../kernel/evidence.ts'
import { DueTimes } from './due-times.ts'
import type { PointView } from './point-view.ts'
import { sessionRateEvidence } from './session-rate.ts'

/**
 * `client.sessions`: how many turns were put off because the turn before had not ended or its think time was not over, and by how much.
 * A fact: it is how the workload answers a slow engine, and no fault of the client. What it did to the offered rate is judged
 * (`sessionRateEvidence`). Nothing where the schedule has no sessions.
 */
export function sessionEvidence(view: Pick<PointView, 'manifest' | 'schedule' | 'facts' | 'records'>): Evidence[] {
  const rows = new Map(view.schedule.rows.flatMap((row) => (row.session === undefined ? [] : [[row.id, row]])))
  if (rows.size === 0) return []
  const times = new DueTimes(view)
  const sessions = new Set<string>()
  const offUs: number[] = []
  let turns = 0
  for (const { id, dueUs } of view.records) {
    const row = rows.get(id)
    if (!row?.session) continue
    sessions.add(row.session)
    if ((row.turn ?? 0) === 0) continue
    turns += 1
    const ownUs = times.ownUs(row)
    if (ownUs !== null && dueUs > ownUs) offUs.push(dueUs - ownUs)
  }
  offUs.sort((a, b) => a - b)
  const seconds = (us: number | undefined): string => `${((us ?? 0) / 1e6).toFixed(2)} s`
  const by =
    offUs.length === 0
      ? ''
      : `, by ${seconds(offUs[Math.ceil(offUs.length / 2) - 1])} in the median and ${seconds(offUs.at(-1))} at most`
  const isOpen = 'openMilliRps' in view.facts.key.load
  const put = isOpen
    ? `${offUs.length} of ${turns} later turns were put off by their sessions${by}`
    : `${turns} later turns`
  const text = `${sessions.size} sessions: ${put}`
  const shared = { probe: 'client.sessions', state: 'pass', required: false, blames: 'client' } as const
  return [{ ...shared, value: offUs.length, unit: 'requests', text }, ...sessionRateEvidence(view)]
}
