import { bracketOf, openMilliRps } from '../../capacity/by-rate.ts'
import { floorUnder } from '../../capacity/accepted-floor.ts'
import type { CapacityResult } from '../../capacity/record.ts'
import type { Reason } from '../../kernel/evidence.ts'
import { decideAt } from '../decide.ts'
import type { Terms } from '../terms.ts'
import type { StateVerdict } from '../verdict.ts'
import { asPercent, asRps, reason } from '../wording.ts'
import { beyondCapacity } from './capacity-loss.ts'
import { isOf } from './loss.ts'
import type { AcceptedLoss, LossOwner } from './loss.ts'

export interface AcceptedInput {
  state: StateVerdict
  result: CapacityResult | null
  terms: Terms
  losses: readonly AcceptedLoss[]
  owner: LossOwner
}

/**
 * A state under the losses that were accepted. One that regressed is held where a loss of its own gate, subject and cache state was
 * accepted against this guard rate or a higher one, and its points show that the floor is carried by the same rule by which they would
 * have shown the guard rate. Nothing else is ever changed: what is undecided or invalid stays so, and a loss that is no mere loss of
 * capacity stays regressed. Whatever does not apply says why.
 */
export function withAcceptedLoss(input: AcceptedInput): StateVerdict {
  const { state, losses, owner } = input
  const ofState = losses.filter(({ gateId, cache }) => gateId === owner.gateId && cache === state.cache)
  const own = ofState.find((loss) => isOf(loss, owner))
  if (own === undefined) return told(state, ofState.length === 0 ? [] : [otherSubject(ofState)])
  if (own.isExpired) {
    const text = `a loss down to ${floorText(own)} was accepted, and that expired on ${own.expires}`
    return told(state, [reason('accepted_loss_expired', text)])
  }
  if (state.outcome === 'held' || state.outcome === 'improved' || state.outcome === 'recorded') {
    const text = `a loss down to ${floorText(own)} was accepted, and there is none: remove its entry`
    return { ...state, notes: [...state.notes, reason('accepted_loss_not_needed', text)] }
  }
  return state.outcome === 'regressed' ? judged(input, own) : state
}

function judged({ state, result, terms }: AcceptedInput, loss: AcceptedLoss): StateVerdict {
  const guard = state.guardMilliRps
  if (result === null || guard === null) return state
  const floor = floorUnder(guard, loss)
  if (floor === null) return told(state, [notUnder(guard, loss)])
  if (terms.minCapacityMilliRps !== null && floor < terms.minCapacityMilliRps) {
    const text = `the accepted floor of ${asRps(floor)} RPS is below the declared minimum of ${asRps(terms.minCapacityMilliRps)}`
    return told(state, [reason('accepted_floor_under_minimum', text)])
  }
  const beyond = beyondCapacity(result.points, guard, terms)
  if (beyond !== null) return told(state, [reason('loss_not_acceptable', beyond)])
  const shown = decideAt(floor, result.points)
  if (shown.kind === 'fail') return told(state, [deeper(result, floor)])
  if (shown.kind === 'undecided') {
    const text = `no point shows that the accepted floor of ${asRps(floor)} RPS is carried: ${UNSHOWN[shown.why]}`
    return told(state, [reason('accepted_floor_not_shown', text)])
  }
  const last = shown.points.at(-1)
  return held(state, result, loss, (last && openMilliRps(last)) ?? floor)
}

/** Why points do not show a floor. */
const UNSHOWN = {
  boots_undecided: 'two boots must agree, and they do not',
  boots_contradict: 'it passes on two boots, and a lower rate fails on two',
  point_invalid: 'nothing valid was measured there',
  point_undersampled: 'a class was short of its samples there',
  point_unknown: 'required evidence was unknown there',
  drop_not_confirmed: 'a lower rate failed, and only one boot passed',
  guard_not_tested: 'it was not tested',
} as const

function held(state: StateVerdict, result: CapacityResult, loss: AcceptedLoss, milliRps: number): StateVerdict {
  const { guardMilliRps, floorMilliRps, reason: why, acceptedBy, expires, subjectSha256 } = loss
  const text = `passes at ${asRps(milliRps)} RPS; a loss down to ${asRps(floorMilliRps)} RPS is accepted until ${expires}`
  // Shown by boots at a rate above one that failed once: then no change was measured.
  const isMeasured = result.passMilliRps !== null && result.passMilliRps >= milliRps
  return {
    ...state,
    outcome: 'held',
    ...(isMeasured ? {} : { candidateMilliRps: milliRps, changeShare: null }),
    reasons: [{ ...reason('loss_accepted', text), value: milliRps / 1000, limit: floorMilliRps / 1000 }],
    acceptedLoss: {
      subjectSha256,
      guardMilliRps,
      floorMilliRps,
      reason: why,
      acceptedBy,
      expires,
      covers: state.reasons,
    },
  }
}

/** A regression's own reasons name what was accepted and does not apply; of another outcome it decides nothing. */
function told(state: StateVerdict, said: Reason[]): StateVerdict {
  if (said.length === 0) return state
  const [first, ...rest] = state.reasons
  if (state.outcome === 'regressed' && first !== undefined) return { ...state, reasons: [first, ...said, ...rest] }
  return { ...state, notes: [...state.notes, ...said] }
}

function deeper(result: CapacityResult, floor: number): Reason {
  const carried = result.passMilliRps
  const lowest = bracketOf(result.points).fail
  const under = (rate: number) => asPercent(Math.max(0, 1 - rate / floor))
  const size =
    carried !== null && carried < floor
      ? `it carries ${asRps(carried)}, ${under(carried)} less`
      : `no tested rate passed, the lowest ${lowest === null ? 'none' : `${asRps(lowest)}, ${under(lowest)} less`}`
  const text = `the accepted floor of ${asRps(floor)} RPS is not carried either: ${size}`
  return { ...reason('below_accepted_floor', text), value: (carried ?? 0) / 1000, limit: floor / 1000 }
}

function notUnder(guard: number, loss: AcceptedLoss): Reason {
  const text =
    loss.floorMilliRps >= guard
      ? `the accepted floor of ${floorText(loss)} is not below the guard rate of ${asRps(guard)}`
      : `the loss was accepted against a guard rate of ${asRps(loss.guardMilliRps)} RPS; it is ${asRps(guard)} now`
  return reason('accepted_loss_outgrown', text)
}

function otherSubject(losses: readonly AcceptedLoss[]): Reason {
  const named = losses.slice(0, 3).map(({ subjectSha256 }) => subjectSha256.slice(0, 12))
  const rest = losses.length > 3 ? ` and ${losses.length - 3} more` : ''
  return reason(
    'accepted_loss_of_another',
    `accepted losses of other subjects do not apply: ${named.join(', ')}${rest}`,
  )
}

function floorText({ floorMilliRps }: AcceptedLoss): string {
  return `${asRps(floorMilliRps)} RPS`
}
