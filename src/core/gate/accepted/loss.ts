import type { AcceptedFloor } from '../../capacity/accepted-floor.ts'
import type { Cache } from '../../kernel/point.ts'

/** One accepted loss, as it stands in the file. Rates are integer milli-requests a second. */
export interface AcceptedLoss extends AcceptedFloor {
  gateId: string
  subjectSha256: string
  cache: Cache
  reason: string
  /** Who says so; what proves it is the file's review. */
  acceptedBy: string
  /** The last day on which it holds: `2027-01-31`, UTC. */
  expires: string
  isExpired: boolean
}

/** The file of accepted losses as it was used. */
export interface AcceptedLosses {
  text: string
  /** The day by which expiry was judged: `2026-11-30`, UTC. */
  asOf: string
  losses: readonly AcceptedLoss[]
}

/** Whose loss it may be. */
export interface LossOwner {
  gateId: string
  subjectSha256: string
}

/** By cache state, the floors that hold for a subject: those of its own gate and hash that have not expired. */
export function floorsFor(losses: readonly AcceptedLoss[], owner: LossOwner): Partial<Record<Cache, AcceptedFloor>> {
  const held = losses.filter((loss) => isOf(loss, owner) && !loss.isExpired)
  return Object.fromEntries(
    held.map(({ cache, guardMilliRps, floorMilliRps }) => [cache, { guardMilliRps, floorMilliRps }]),
  )
}

export function isOf(loss: AcceptedLoss, { gateId, subjectSha256 }: LossOwner): boolean {
  return loss.gateId === gateId && loss.subjectSha256 === subjectSha256
}
