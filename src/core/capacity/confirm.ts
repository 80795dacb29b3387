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

/**
 * Rule 3 at the guard rate. The first repeat that passes holds, unless a drop was seen before (`dropSeen`: a tested rate at or below it
 * fails); else two of three boots decide, one vote a boot. A repeat that is invalid, unknown or undersampled is run once more.
 */
export function guardAnswer(guard: number, points: readonly StepPoint[], dropSeen: boolean): GuardAnswer {
  const repeats = pointsByRate(points).get(guard) ?? []
  const { passes, fails, decided } = tallyBoots(repeats)
  const rate = rpsText(guard)
  const said = `${passes} of ${passes + fails} boots pass at the guard rate ${rate}`
  if (decided === 'fail') return { state: 'lost', reason: { code: 'guard_lost', text: said } }
  if (decided === 'pass' && (passes >= 2 || !dropSeen))
    return { state: 'held', reason: { code: 'guard_held', text: said } }
  const last = repeats.at(-1)
  if (last && voidsInARow(repeats) >= VOIDS_MAX) {
    const text = `${VOIDS_MAX} repeats in a row at the guard rate ${rate} were ${last.outcome}`
    return { state: 'inconclusive', reason: { code: 'guard_inconclusive', text } }
  }
  const again = last && voidsInARow(repeats) > 0 ? `, once more after an ${last.outcome} repeat` : ''
  if (passes + fails === 0) return { state: 'open', boot: 'same', why: `at the guard rate${again}` }
  return {
    state: 'open',
    boot: 'fresh',
    why: `at the guard rate on another boot (${passes} passed, ${fails} failed)${again}`,
  }
}

/** The guard rate first; on a loss, downward to state it. */
export function confirmStep(state: StateHistory): Step {
  const { guard, points } = state
  if (guard === null) {
    return done({ code: 'nothing_to_confirm', text: 'there is no baseline, anchor or minimum to confirm' })
  }
  const answer = guardAnswer(guard, points, false)
  if (answer.state === 'open') return measure(state, { openMilliRps: guard }, answer.boot, answer.why)
  if (answer.state !== 'lost') return done(answer.reason)
  const step = lossStep(state, guard)
  return step.do === 'measure' ? step : done(answer.reason, ...step.reasons)
}
