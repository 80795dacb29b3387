import type { Evidence } from '../../../src/core/kernel/evidence.ts'
import type { ScheduleRow } from '../../../src/core/schedule/schedule.ts'
import { turnDealer } from '../../../src/core/schedule/sessions.ts'
import { pacingEvidence } from '../../../src/core/telemetry/client-pacing.ts'
import { rowEvidence } from '../../../src/core/telemetry/client-rows.ts'
import type { PointView } from '../../../src/core/telemetry/point-view.ts'
import { sessionEvidence } from '../../../src/core/telemetry/session-evidence.ts'
import { testRows } from '../../contract/replay/shape.ts'
import { sessionCohort } from './session-cohort.ts'

/** A cohort at 200 requests a second, all of them turns of sessions of five turns: so many sessions at a time, 0: none. */
export function steadySessions(parts: {
  rows: number
  concurrent: number
  thinkUs: number
  lastsUs: number
}): PointView {
  const { concurrent, thinkUs, lastsUs } = parts
  const deal = turnDealer({ turns: 5, concurrent: Math.max(1, concurrent) }, { inputTokens: 24, outputTokens: 4 })
  const rows = testRows(parts.rows, 1, 'r').map((row): ScheduleRow => {
    if (concurrent === 0) return row
    const { number, turn, inputTokens } = deal()
    const session = `small-${String(number).padStart(5, '0')}`
    return { ...row, inputTokens, session, turn, ...(turn === 0 ? {} : { thinkUs }) }
  })
  return sessionCohort({ rows, lastsUs }).view
}

/** What is found of its rows, its pacing and its sessions, by probe. */
export function judgePointEvidence(view: PointView): Record<string, Evidence> {
  const found = [...rowEvidence(view), ...pacingEvidence(view), ...sessionEvidence(view)]
  return Object.fromEntries(found.map((evidence) => [evidence.probe, evidence]))
}
