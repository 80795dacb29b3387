import type { CohortTable } from '../record/table.ts'
import { statusAt } from '../record/table.ts'
import type { RatesRps } from './report.ts'

/** One tick of the clock. A rate over less has no meaning, and over next to nothing no finite number. */
export const SHORTEST_SECONDS = 1e-6

/** How many requests reached each stage. Null: the file does not say. */
interface Stages {
  offered: number
  sent: number | null
  accepted: number | null
  completed: number
  good: number
}

/**
 * Requests a second at each stage: offered (scheduled), sent, accepted (answered with a 2xx status and not rejected), completed (ok)
 * and good (ok and inside its cutoffs), each over the whole cohort, drain included.
 */
export function cohortRates(table: CohortTable, isGood: Uint8Array, durationSeconds: number): RatesRps {
  return perSecond(stagesUntil(table, isGood, Number.POSITIVE_INFINITY), durationSeconds)
}

/**
 * The same over the arrival window: what fell due, was sent, or ended before its end, over its length. Null where the file holds no
 * times.
 */
export function windowRates(table: CohortTable, isGood: Uint8Array, arrivalSeconds: number | null): RatesRps | null {
  if (!table.hasDue || arrivalSeconds === null || arrivalSeconds <= 0) return null
  return perSecond(stagesUntil(table, isGood, arrivalSeconds * 1e6), arrivalSeconds)
}

function stagesUntil(table: CohortTable, isGood: Uint8Array, untilUs: number): Stages {
  const stages = { offered: 0, sent: 0, accepted: 0, completed: 0, good: 0 }
  for (let row = 0; row < table.rows; row++) {
    // A row that does not say when it was due was offered all the same.
    if (!((table.dueUs[row] ?? 0) > untilUs)) stages.offered++
    const status = statusAt(table, row)
    const http = table.httpStatus[row] ?? -1
    // An empty cell is NaN, and NaN is never until anything.
    if ((table.sentUs[row] ?? Number.NaN) <= untilUs) {
      stages.sent++
      if (http >= 200 && http < 300 && status !== 'rejected') stages.accepted++
    }
    if (status === 'ok' && (table.endUs[row] ?? 0) <= untilUs) {
      stages.completed++
      if (isGood[row] === 1) stages.good++
    }
  }
  const isImported = table.origin !== null
  // Other tools keep the status of failures alone, and some no moment at all.
  const knowsAnswers = table.httpStatus.length > 0 && !isImported
  const knowsSent = table.hasTimes && !(isImported && table.sentUs.some(Number.isNaN))
  return { ...stages, sent: knowsSent ? stages.sent : null, accepted: knowsAnswers ? stages.accepted : null }
}

function perSecond(stages: Stages, seconds: number): RatesRps {
  return {
    offered: stages.offered / seconds,
    sent: stages.sent === null ? null : stages.sent / seconds,
    accepted: stages.accepted === null ? null : stages.accepted / seconds,
    completed: stages.completed / seconds,
    good: stages.good / seconds,
  }
}
