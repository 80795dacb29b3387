import { bracketOf, majority, pointsByRate, voidsInARow, votesOf } from './by-rate.ts'
import type { Bracket } from './by-rate.ts'
import { guardAnswer, VOIDS_MAX } from './confirm.ts'
import { milliRps } from './guard-rate.ts'
import type { StateHistory } from './measure.ts'
import { done, isSameLoad, measure, rpsText } from './measure.ts'
import type { Step } from './step-type.ts'

/**
 * Closed-loop exploration first (never capacity); then the declared rates upward to the first that fails; then halves of the bracket
 * until fail ≤ pass · (1 + refine_step), 0 meaning no refinement; then repeats of its two ends, whose majority counts and may move
 * it; then, where there is something to hold the capacity to and the bracket lies below it, the guard rate by rule 3. Rates above a
 * failing one are not measured: they could only be flukes.
 */
export function sweepStep(state: StateHistory): Step {
  const { manifest, points } = state
  const { sweep } = manifest
  if (!sweep) return done({ code: 'no_rates_declared', text: 'the manifest declares no sweep' })
  for (const n of sweep.saturation_concurrency) {
    const load = { closedConcurrency: n }
    if (!points.some(({ key }) => isSameLoad(key.load, load))) {
      return measure(state, load, 'same', `${n} in flight: exploration, never capacity`)
    }
  }
  const bracket = bracketOf(points)
  return (
    declaredStep(state, declaredRates(sweep)) ??
    refineStep(state, bracket, sweep.refine_step) ??
    repeatStep(state, bracket, sweep.repeats) ??
    guardStep(state, bracket) ??
    done()
  )
}

/** The declared rates in milli-requests a second, each once, lowest first. */
export function declaredRates(sweep: { rates_rps: readonly number[] }): number[] {
  return [...new Set(sweep.rates_rps.map(milliRps))].toSorted((a, b) => a - b)
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

/** The passing end first: should it turn, the failing one need not be repeated. */
function repeatStep(state: StateHistory, { pass, fail }: Bracket, repeats: number): Step | null {
  const byRate = pointsByRate(state.points)
  for (const rate of [pass, fail]) {
    if (rate === null) continue
    const { passes, fails } = votesOf(byRate.get(rate) ?? [])
    const settled = passes > repeats / 2 || fails >= repeats / 2
    if (!settled) return atRate(state, rate, `repeat of the bracket's ${rate === pass ? 'passing' : 'failing'} end`)
  }
  return null
}

function guardStep(state: StateHistory, { pass, fail }: Bracket): Step | null {
  const { guard, points } = state
  if (guard === null || (pass !== null && pass >= guard)) return null
  const answer = guardAnswer(guard, points, fail !== null && fail <= guard)
  if (answer.state !== 'open') return done(answer.reason)
  return measure(state, { openMilliRps: guard }, answer.boot, `below the baseline: ${answer.why}`)
}

/** One more point at a rate; after two in a row that say nothing the state is inconclusive. */
function atRate(state: StateHistory, rate: number, why: string): Step {
  const repeats = pointsByRate(state.points).get(rate) ?? []
  const last = repeats.at(-1)
  if (last && voidsInARow(repeats) >= VOIDS_MAX) {
    const text = `${VOIDS_MAX} points in a row at ${rpsText(rate)} were ${last.outcome}`
    return done({ code: 'rate_inconclusive', text, value: rate / 1000 })
  }
  return measure(state, { openMilliRps: rate }, 'same', last ? `${why}, after ${last.outcome}` : why)
}
