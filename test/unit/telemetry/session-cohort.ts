import type { ScheduleRow } from '../../../src/core/schedule/schedule.ts'
import type { RequestRecord } from '../../../src/core/record/record.ts'
import { dueUs } from '../../../src/core/kernel/point.ts'
import type { PointView } from '../../../src/core/telemetry/point-view.ts'
import { readTimeline } from '../../../src/core/telemetry/timeline.ts'
import { testSessions, testShape } from '../../contract/replay/shape.ts'
import type { ShapeParts } from '../../contract/replay/shape.ts'

const MILLI_RPS = 200_000

/** A cohort of sessions as a faultless client leaves it, each request taking as long as is said. */
export function sessionCohort(
  parts: { lastsUs?: number; shape?: ShapeParts; replicas?: number; rows?: ScheduleRow[] } = {},
) {
  const { lastsUs = 20_000, shape = {}, replicas = 2 } = parts
  const rows = parts.rows ?? testSessions({ sessions: 4, turns: 3, thinkUs: 2000, among: 14 })
  const ends = new Map<string, number>()
  const records = rows.map((row, index): RequestRecord => {
    const readyUs = (ends.get(row.session ?? '') ?? -Infinity) + (row.thinkUs ?? 0)
    const due = Math.max(dueUs(row.offsetUs, MILLI_RPS), readyUs)
    if (row.session !== undefined) ends.set(row.session, due + lastsUs)
    return successOf(row, due, lastsUs, index % replicas)
  })
  const arrivalUs = Math.max(...records.map((record) => record.dueUs))
  const view: PointView = {
    manifest: testShape(shape).manifest,
    dialect: testShape(shape).dialect,
    schedule: { header: { ...testShape(shape).header, initialRequests: rows.length }, rows, sha256: '' },
    facts: {
      key: { cache: 'cold', load: { openMilliRps: MILLI_RPS }, repeat: 1 },
      cohortRequests: rows.length,
      arrivalUs,
      cohortUs: arrivalUs + lastsUs,
      maximumReached: false,
      stoppedEarly: null,
      replicas,
    } as PointView['facts'],
    records,
    timeline: readTimeline([], replicas),
  }
  return { view, rows, records }
}

function successOf(row: ScheduleRow, due: number, lastsUs: number, replica: number): RequestRecord {
  const endUs = due + lastsUs
  return {
    id: row.id,
    class: row.class,
    status: 'ok',
    errorCode: null,
    dueUs: due,
    handedUs: due + 100,
    sentUs: due + 100,
    firstTokenUs: due + 1000,
    firstContentUs: due + 1000,
    lastTokenUs: endUs,
    endUs,
    inputTokens: row.inputTokens,
    outputTokens: row.outputTokens,
    cachedTokens: 0,
    chunks: row.outputTokens,
    gapUs: null,
    httpStatus: 200,
    finishReason: 'length',
    replica,
    session: row.session ?? null,
    turn: row.turn ?? null,
  }
}
