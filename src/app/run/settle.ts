import type { CapacityRecord, PointReport } from '../../core/capacity/record.ts'
import { openMilliRps } from '../../core/capacity/by-rate.ts'
import type { AcceptedLosses } from '../../core/gate/accepted/loss.ts'
import { gate } from '../../core/gate/gate.ts'
import type { OnHostChange } from '../../core/gate/host-proof.ts'
import type { Verdict } from '../../core/gate/verdict.ts'
import { decidingState } from '../../core/gate/verdict.ts'
import type { Cache } from '../../core/kernel/point.ts'
import { pointName } from '../../core/kernel/point.ts'
import type { ReportContext } from '../../core/report/context.ts'
import type { AcceptedRecords } from '../ports/store.ts'

export interface Settlement extends AcceptedRecords {
  onMissingBaseline: 'fail' | 'record'
  /** Null: no loss was accepted. */
  acceptedLosses: AcceptedLosses | null
  onHostChange: OnHostChange
  context: ReportContext
}

export interface Settled extends AcceptedRecords {
  record: CapacityRecord
  verdict: Verdict
}

/** The verdict on a record, and the record with the deciding state's point selected. */
export function settle(measured: CapacityRecord, settlement: Settlement): Settled {
  const { baseline, anchor, onMissingBaseline, onHostChange } = settlement
  const acceptedLosses = settlement.acceptedLosses?.losses ?? []
  const judge = (candidate: CapacityRecord): Verdict =>
    gate({ candidate, baseline, anchor, onMissingBaseline, onHostChange, acceptedLosses })
  const deciding = decidingState(judge(measured))?.cache ?? null
  const record = { ...measured, selected: selectPoint(measured, deciding) }
  return { record, verdict: judge(record), baseline, anchor }
}

/**
 * Name of the point whose files stand at the pack's root, of the deciding state: the last valid repeat at its pass rate, else the
 * lowest failing rate's last, else the last that was measured. Null where none was.
 */
function selectPoint(record: CapacityRecord, deciding: Cache | null): string | null {
  const state = record.capacity.find(({ cache }) => cache === deciding) ?? record.capacity[0]
  if (!state) return null
  const passing = state.points.findLast(
    (point) => point.outcome === 'pass' && openMilliRps(point) === state.passMilliRps,
  )
  const selected = passing ?? lowestFailing(state.points) ?? state.points.at(-1)
  return selected ? pointName(selected.key) : null
}

function lowestFailing(points: readonly PointReport[]): PointReport | undefined {
  const rateOf = (point: PointReport): number => openMilliRps(point) ?? Number.POSITIVE_INFINITY
  const failing = points.filter((point) => point.outcome === 'fail' && openMilliRps(point) !== null)
  const lowest = Math.min(...failing.map(rateOf))
  return failing.findLast((point) => rateOf(point) === lowest)
}
