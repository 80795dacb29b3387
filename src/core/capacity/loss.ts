import { majority, pointsByRate, voidsInARow, votesOf } from './by-rate.ts'
import type { StateHistory } from './measure.ts'
import { done, measure, rpsText } from './measure.ts'
import type { Step } from './step-type.ts'

/** The coarsest step where neither a tolerance nor a refinement is declared. */
const STEP_DEFAULT = 0.04
/** Steps below the guard rate at which the search gives up: at 4 % a step, 28 % of it. */
const DEPTH_MAX = 32

/**
 * States the size of a loss: rates below the guard rate, a tolerance apart (×1/(1 + tolerance)), one repeat each. Downward in
 * doubling strides until one passes, then by halves until pass and fail lie one step apart. Not below the rate at which the schedule
 * fits the maximum duration. At most nine points; a loss of up to two steps takes two.
 */
export function lossStep(state: StateHistory, guard: number): Step {
  const { manifest, points } = state
  if (points.every(({ slo }) => slo.successful === 0)) {
    return done({ code: 'carries_nothing', text: 'no request succeeded at the guard rate: no lower rate was tried' })
  }
  const share = manifest.acceptance.capacity_tolerance || manifest.sweep?.refine_step || STEP_DEFAULT
  const { initial_scheduled_requests: requests, maximum_duration_seconds: seconds } = manifest.client
  const slowest = Math.ceil((requests * 1000) / seconds)
  const rateAt = (depth: number) => Math.round(guard / (1 + share) ** depth)
  const byRate = pointsByRate(points)
  const outcomeAt = (depth: number) => majority(votesOf(byRate.get(rateAt(depth)) ?? []))
  const depths = Array.from({ length: DEPTH_MAX + 1 }, (_, depth) => depth)
  const failed = depths.findLast((depth) => depth === 0 || outcomeAt(depth) === 'fail') ?? 0
  const passed = depths.find((depth) => depth > failed && outcomeAt(depth) === 'pass')
  if (passed !== undefined && passed - failed <= 1) {
    const text = `passes at ${rpsText(rateAt(passed))}, fails at ${rpsText(rateAt(failed))}; one repeat each`
    return done({ code: 'loss_found', text, value: rateAt(passed) / 1000, limit: rateAt(failed) / 1000 })
  }
  const next = passed === undefined ? Math.max(2, failed * 2) : Math.floor((passed + failed) / 2)
  const rate = rateAt(next)
  if (next > DEPTH_MAX || rate < slowest) {
    const text = `still fails at ${rpsText(rateAt(failed))}; lower rates were not tried`
    return done({ code: 'loss_unbounded', text, limit: rateAt(failed) / 1000 })
  }
  const repeats = byRate.get(rate) ?? []
  if (voidsInARow(repeats) >= 2) {
    return done({ code: 'loss_not_stated', text: `two repeats at ${rpsText(rate)} were ${repeats.at(-1)?.outcome}` })
  }
  return measure(state, { openMilliRps: rate }, 'same', `searching for the rate that it still carries`)
}
