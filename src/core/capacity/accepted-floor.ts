/** A loss that was accepted in one cache state: the guard rate that is missed, and what must be carried instead. */
export interface AcceptedFloor {
  guardMilliRps: number
  floorMilliRps: number
}

/**
 * The floor that stands in for a guard rate; null where none does. One that was accepted against a lower guard rate covers no greater
 * loss, and one at or above the guard rate is none.
 */
export function floorUnder(guardMilliRps: number | null, accepted: AcceptedFloor | null): number | null {
  if (guardMilliRps === null || accepted === null) return null
  const isCovered = guardMilliRps <= accepted.guardMilliRps && accepted.floorMilliRps < guardMilliRps
  return isCovered ? accepted.floorMilliRps : null
}
