import type { CapacityRecord } from '../../capacity/record.ts'
import { readTerms } from '../terms.ts'
import type { StateVerdict, Verdict } from '../verdict.ts'
import { beyondCapacity } from './capacity-loss.ts'
import { daysLater, isDay, PLACEHOLDERS } from './rules.ts'
import type { AcceptedLossEntry } from './schema.ts'

/** How long an acceptance lasts where nobody chooses otherwise: time for a sweep and its review. */
const DAYS = 30

/**
 * The entries by which the losses of a verdict could be accepted, but for who and why: the floor is the rate that was measured to pass.
 * None where a state is undecided or invalid, nothing passed, the declared minimum is missed, or the engine failed otherwise.
 */
export function offeredEntries(verdict: Verdict, record: CapacityRecord): AcceptedLossEntry[] {
  const terms = readTerms(record)
  const day = record.createdAt.slice(0, 10)
  if (verdict.outcome !== 'regressed' || verdict.reasons.length > 0 || terms === null || !isDay(day)) return []
  return verdict.states.flatMap((state): AcceptedLossEntry[] => {
    const result = record.capacity.find(({ cache }) => cache === state.cache)
    const rates = lossOf(state)
    if (result === undefined || rates === null) return []
    if (rates.floor < (terms.minCapacityMilliRps ?? 0)) return []
    if (beyondCapacity(result.points, rates.guard, terms) !== null) return []
    return [
      {
        gate: record.gateId,
        subject: record.subject.sha256,
        cache: state.cache,
        guard_rps: rates.guard / 1000,
        floor_rps: rates.floor / 1000,
        reason: PLACEHOLDERS.reason,
        accepted_by: PLACEHOLDERS.acceptedBy,
        expires: daysLater(day, DAYS),
      },
    ]
  })
}

function lossOf(state: StateVerdict): { guard: number; floor: number } | null {
  const { outcome, guardMilliRps: guard, candidateMilliRps: floor } = state
  return outcome === 'regressed' && guard !== null && floor !== null && floor < guard ? { guard, floor } : null
}
