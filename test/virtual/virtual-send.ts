import type { RequestRecord } from '../../src/core/record/record.ts'
import type { ScheduleRow } from '../../src/core/schedule/schedule.ts'
import { endedRecord, promptOf } from './ended-request.ts'
import type { LiveReplica } from './live-replica.ts'

export interface SingleSend {
  row: ScheduleRow
  replica: number
  startUs: number
  wholeUs: number
  prefixTokens: ReadonlyMap<string, number>
}

/** One request to a replica that has nothing else to do, from start to end at once; its times are from its own start. */
export function sendOne(target: LiveReplica, order: SingleSend): RequestRecord {
  const { row, replica, startUs, wholeUs } = order
  const ended = {
    row,
    replica,
    originUs: startUs,
    dueUs: startUs,
    gapsUs: [],
    chunkTokens: 1,
    intakeUs: 0,
    tellsCached: true,
  }
  if (!target.alive) {
    const failed = { sequence: null, sentUs: null, endUs: startUs, errorCode: 'connect_failed', httpStatus: null }
    return endedRecord({ ...ended, ...failed, errorCode: 'connect_failed' })
  }
  const sequence = target.sequenceOf(promptOf(row, order.prefixTokens), startUs)
  const sent = { ...ended, sequence, sentUs: startUs }
  const taken = target.submit(sequence, startUs)
  if (taken !== 'queued') {
    const httpStatus = taken === 'refused' ? 503 : 400
    return endedRecord({ ...sent, endUs: startUs, errorCode: 'http_status', httpStatus })
  }
  if (target.runUntilDone(sequence) && sequence.lastTokenUs <= startUs + wholeUs) {
    const gapsUs = target.gapsUs(sequence)
    return endedRecord({ ...sent, endUs: sequence.lastTokenUs, errorCode: null, httpStatus: 200, gapsUs })
  }
  target.abort(sequence, startUs + wholeUs)
  return endedRecord({ ...sent, endUs: startUs + wholeUs, errorCode: 'whole_deadline', httpStatus: 200 })
}
