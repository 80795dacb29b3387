import type { CapacityRecord } from '../capacity/record.ts'
import type { Reason } from '../kernel/evidence.ts'
import { incomparabilities } from './comparable.ts'
import type { LoweredCapacity, Promotion } from './promotion-schema.ts'
import { readTerms } from './terms.ts'
import { asPercent, asRps } from './wording.ts'

/** The cache states in which a record carries less than the baseline before it, by more than the tolerance; none where the two do not compare. */
export function loweredCapacities(baseline: CapacityRecord, record: CapacityRecord): LoweredCapacity[] {
  const tolerance = readTerms(record)?.toleranceShare ?? 0
  if (incomparabilities(record, baseline).length > 0) return []
  return record.capacity.flatMap(({ cache, passMilliRps: to }) => {
    const from = baseline.capacity.find((result) => result.cache === cache)?.passMilliRps ?? null
    if (to === null || from === null || to >= Math.round(from * (1 - tolerance))) return []
    return [{ cache, fromMilliRps: from, toMilliRps: to }]
  })
}

/** What whoever accepts such a baseline is told: from now on the lower capacity is what is held to. */
export function loweringReasons(
  lowered: readonly LoweredCapacity[],
  losses: NonNullable<Promotion['acceptedLosses']>,
): Reason[] {
  const lower = lowered.map(({ cache, fromMilliRps: from, toMilliRps: to }) => {
    const text = `${cache}: the baseline falls from ${asRps(from)} to ${asRps(to)} RPS, by ${asPercent(1 - to / from)}`
    return { code: 'baseline_lowered', text, value: to / 1000, limit: from / 1000 }
  })
  const accepted = losses.map(({ cache, acceptedBy, expires, reason }) => {
    const text = `${cache}: its verdict was held under a loss accepted by ${acceptedBy} until ${expires}: ${reason}`
    return { code: 'accepted_loss_promoted', text }
  })
  return [...lower, ...accepted]
}
