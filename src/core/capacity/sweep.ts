import type { Reason } from '../kernel/evidence.ts'
import type { Manifest } from '../manifest/schema.ts'
import { bracketOf, majority, pointsByRate, tallyBoots, voidsInARow, votesOf } from './by-rate.ts'
import type { Bracket } from './by-rate.ts'
import { climbedRate, endOfClimb } from './climb.ts'
import { floorAnswer, guardAnswer, VOIDS_MAX } from './confirm.ts'
import { explore } from './exploration.ts'
import type { StateHistory } from './measure.ts'
import { done, isSameLoad, measure, rpsText } from './measure.ts'
import type { Step } from './step-type.ts'
import { declaredRates, sweptRates } from './swept-rates.ts'

/**
 * Closed-loop exploration first (never capacity); then the declared rates upward to the first that fails, or with `rates_rps: auto` those
 * that the exploration begins at; then halves of the bracket until fail ≤ pass · (1 + refine_step), 0 meaning no refinement; then repeats
 * of its two ends, whose majority counts and may move it; then, where there is something to hold the capacity to and the bracket lies
 * below it, the guard rate by rule 3. Rates above a failing one are not measured: they could only be flukes.
 */
export function sweepStep(state: StateHistory): Step {
  const { sweep } = state.manifest
  if (!sweep) return done({ code: 'no_rates_declared', text: 'the manifest declares no sweep' })
  if (sweep.rates_rps === 'auto') return autoStep(state, sweep)
  for (const n of sweep.saturation_concurrency) {
    const load = { closedConcurrency: n }
    if (!state.points.some(({ key }) => isSameLoad(key.load, load))) {
      return measure(state, load, 'same', `${n} in flight: exploration, never capacity`)
    }
  }
  return bracketStep(state, sweep, () => declaredStep(state, declaredRates(sweep)))
}

type Sweep = NonNullable<Manifest['sweep']>

/** What was explored stands before the reasons of the rest; where it told nothing, the guard rate is asked all the same. */
function autoStep(state: StateHistory, sweep: Sweep): Step {
  const explored = explore(state)
  if (explored.step !== null) return explored.step
  const bracket = bracketOf(state.points)
  const { saturation, reasons } = explored
  if (saturation === null) return after(reasons, guardStep(state, bracket) ?? done())
  const rates = sweptRates(state.manifest)
  const climbed = (): Step | null => {
    const rate = climbedRate({ rates, saturation }, bracket, sweep.refine_step)
    return rate === null ? null : atRate(state, rate, `auto, from ${rpsText(saturation.milliRps)} in a closed loop`)
  }
  return after([...reasons, ...endOfClimb(rates, bracket)], bracketStep(state, sweep, climbed))
}

function after(reasons: readonly Reason[], step: Step): Step {
  return step.do === 'done' ? done(...reasons, ...step.reasons) : step
}

/** `find` leads to a first bracket. */
function bracketStep(state: StateHistory, sweep: Sweep, find: () => Step | null): Step {
  const bracket = bracketOf(state.points)
  return (
    tieStep(state, sweep.repeats) ??
    find() ??
    refineStep(state, bracket, sweep.refine_step) ??
    repeatStep(state, bracket, sweep.repeats) ??
    guardStep(state, bracket) ??
    done()
  )
}

/** Where repeats at one rate stand even and more of them are due, another boot decides at once: a tie that fails would move the bracket. */
function tieStep(state: StateHistory, repeats: number): Step | null {
  for (const [rate, points] of pointsByRate(state.points)) {
    const { passes, fails } = votesOf(points)
    const isOpen = passes === fails && passes > 0 && passes + fails < repeats
    if (isOpen) return atRate(state, rate, `${passes} passed and ${fails} failed: another boot decides`, 'fresh')
  }
  return null
}

function declaredStep(state: StateHistory, rates: readonly number[]): Step | null {
  const byRate = pointsByRate(state.points)
  for (const rate of rates) {
    const outcome = majority(votesOf(byRate.get(rate) ?? []))
    if (outcome === 'fail') return null
    if (outcome === null) return atRate(state, rate, 'declared rate')
  }
  return null
}

function refineStep(state: StateHistory, { pass, fail }: Bracket, step: number): Step | null {
  if (pass === null || fail === null || step === 0) return null
  if (fail - pass <= 1 || fail - pass <= pass * step + 1e-6) return null
  return atRate(state, Math.floor((pass + fail) / 2), `between ${rpsText(pass)} and ${rpsText(fail)}`)
}

/**
 * The passing end first, on as many boots as there are repeats: the boot that found it is the first. Boots differ more than repeats on
 * one boot do, and their spread is taken from here. Should it turn, the failing end need not be repeated.
 */
function repeatStep(state: StateHistory, { pass, fail }: Bracket, repeats: number): Step | null {
  const byRate = pointsByRate(state.points)
  const atPass = tallyBoots(pass === null ? [] : (byRate.get(pass) ?? []))
  if (pass !== null && atPass.passes + atPass.fails < repeats) {
    return atRate(state, pass, "repeat of the bracket's passing end on another boot", 'fresh')
  }
  if (fail === null) return null
  const { passes, fails } = votesOf(byRate.get(fail) ?? [])
  const settled = passes > repeats / 2 || fails >= repeats / 2
  return settled ? null : atRate(state, fail, "repeat of the bracket's failing end")
}

function guardStep(state: StateHistory, { pass, fail }: Bracket): Step | null {
  const { guard, floor, points } = state
  if (guard === null || (pass !== null && pass >= guard)) return null
  const answer = guardAnswer(guard, points, fail !== null && fail <= guard)
  if (answer.state === 'open') {
    return measure(state, { openMilliRps: guard }, answer.boot, `below the baseline: ${answer.why}`)
  }
  const isShown = floor === null || (pass !== null && pass >= floor)
  if (answer.state !== 'lost' || isShown) return done(answer.reason)
  const below = floorAnswer(state, fail !== null && fail <= floor)
  if (below?.state === 'open') return measure(state, { openMilliRps: floor }, below.boot, below.why)
  return below === null ? done(answer.reason) : done(answer.reason, below.reason)
}

/** One more point at a rate; after two in a row that say nothing the state is inconclusive. */
function atRate(state: StateHistory, rate: number, why: string, boot: 'same' | 'fresh' = 'same'): Step {
  const repeats = pointsByRate(state.points).get(rate) ?? []
  const last = repeats.at(-1)
  if (last && voidsInARow(repeats) >= VOIDS_MAX) {
    const text = `${VOIDS_MAX} points in a row at ${rpsText(rate)} were ${last.outcome}`
    return done({ code: 'rate_inconclusive', text, value: rate / 1000 })
  }
  return measure(state, { openMilliRps: rate }, boot, last ? `${why}, after ${last.outcome}` : why)
}
