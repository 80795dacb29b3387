import type { Reason } from '../kernel/evidence.ts'
import { pointsByRate, tallyBoots, voidsInARow } from './by-rate.ts'
import type { StepPoint } from './by-rate.ts'
import { lossStep } from './loss.ts'
import type { StateHistory } from './measure.ts'
import { done, measure, rpsText } from './measure.ts'
import type { Step } from './step-type.ts'

/** Two in a row say nothing: the repeat was run once more, and the state is inconclusive. */
export const VOIDS_MAX = 2

export type GuardAnswer =
  { state: 'held' | 'lost' | 'inconclusive'; reason: Reason } | { state: 'open'; boot: 'same' | 'fresh'; why: string }

const WORDS = { guard: 'the guard rate', floor: 'the accepted floor' } as const

/**
 * Rule 3 at the guard rate, or at the floor of an accepted loss. The first repeat that passes holds, unless a drop was seen before
 * (`dropSeen`: a tested rate at or below it fails); else two of three boots decide, one vote a boot. A repeat that is invalid, unknown or
 * undersampled is run once more.
 */
export function guardAnswer(
  guard: number,
  points: readonly StepPoint[],
  dropSeen: boolean,
  asked: keyof typeof WORDS = 'guard',
): GuardAnswer {
  const repeats = pointsByRate(points).get(guard) ?? []
  const { passes, fails, decided } = tallyBoots(repeats)
  const rate = rpsText(guard)
  const where = `at ${WORDS[asked]}`
  const said = `${passes} of ${passes + fails} boots pass ${where} ${rate}`
  if (decided === 'fail') return { state: 'lost', reason: { code: `${asked}_lost`, text: said } }
  if (decided === 'pass' && (passes >= 2 || !dropSeen))
    return { state: 'held', reason: { code: `${asked}_held`, text: said } }
  const last = repeats.at(-1)
  if (last && voidsInARow(repeats) >= VOIDS_MAX) {
    const text = `${VOIDS_MAX} repeats in a row ${where} ${rate} were ${last.outcome}`
    return { state: 'inconclusive', reason: { code: `${asked}_inconclusive`, text } }
  }
  const again = last && voidsInARow(repeats) > 0 ? `, once more after an ${last.outcome} repeat` : ''
  if (passes + fails === 0) return { state: 'open', boot: 'same', why: `${where}${again}` }
  return {
    state: 'open',
    boot: 'fresh',
    why: `${where} on another boot (${passes} passed, ${fails} failed)${again}`,
  }
}

/** Once the guard rate is lost: whether the floor of an accepted loss is carried. Null where there is none, or nothing is carried at all. */
export function floorAnswer({ floor, points }: StateHistory, dropSeen: boolean): GuardAnswer | null {
  if (floor === null || points.every(({ slo }) => slo.successful === 0)) return null
  return guardAnswer(floor, points, dropSeen, 'floor')
}

/** The guard rate first; on a loss, the floor that was accepted; where that is lost too or there is none, downward to state the loss. */
export function confirmStep(state: StateHistory): Step {
  const { guard, floor, points } = state
  if (guard === null) {
    return done({ code: 'nothing_to_confirm', text: 'there is no baseline, anchor or minimum to confirm' })
  }
  const answer = guardAnswer(guard, points, false)
  if (answer.state === 'open') return measure(state, { openMilliRps: guard }, answer.boot, answer.why)
  if (answer.state !== 'lost' || !state.statesLoss) return done(answer.reason)
  const below = floorAnswer(state, false)
  if (below?.state === 'open') return measure(state, { openMilliRps: floor ?? guard }, below.boot, below.why)
  const said = below === null ? [answer.reason] : [answer.reason, below.reason]
  if (below !== null && below.state !== 'lost') return done(...said)
  const step = lossStep(state, floor ?? guard)
  return step.do === 'measure' ? step : done(...said, ...step.reasons)
}
