import type { Evidence } from '../kernel/evidence.ts'
import type { PointView } from './point-view.ts'

/**
 * `client.cancellations`: what became of the requests that were planned to be left. A fact: an engine that answers in large chunks, or ends a
 * request before its time, leaves the client nothing to cancel, and then has another load than the manifest describes. Nothing where
 * none was planned.
 */
export function cancellationEvidence({ schedule, records }: Pick<PointView, 'schedule' | 'records'>): Evidence[] {
  const planned = new Set(schedule.rows.flatMap((row) => (row.cancelAfterTokens === undefined ? [] : [row.id])))
  if (planned.size === 0) return []
  const reached = records.filter(({ id }) => planned.has(id))
  const count = (status: string) => reached.filter((record) => record.status === status).length
  const [left, whole] = [count('cancelled'), count('ok')]
  const failed = reached.length - left - whole
  const text =
    `${left} of ${reached.length} requests that were to be left were left, ` +
    `${whole} had ended before they could be, ${failed} failed`
  const shared = { probe: 'client.cancellations', state: 'pass', required: false, blames: 'client' } as const
  return [{ ...shared, value: left, unit: 'requests', text }]
}
