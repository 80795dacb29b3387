import type { Reason } from '../kernel/evidence.ts'
import type { Bracket } from './by-rate.ts'
import type { Saturation } from './exploration.ts'
import { rpsText } from './measure.ts'

export interface Climb {
  /** Lowest first. */
  rates: readonly number[]
  saturation: Saturation
}

/** Without a closed loop that met its cutoffs, the sweep begins at so much of the saturation. */
const BEGIN_SHARE = 0.5

function beginOf({ rates, saturation: { milliRps, goodMilliRps } }: Climb): number {
  const from = goodMilliRps ?? milliRps * BEGIN_SHARE
  return Math.max(
    0,
    rates.findLastIndex((rate) => rate <= from),
  )
}

/**
 * The next rate of `rates_rps: auto`, or null once its bracket stands or the rates are used up. It begins at the highest one that is no
 * more than a closed loop completed within the cutoffs, and goes in doubling strides up to the first that fails, or down to the first that
 * passes; then by halves until the bracket's ends are neighbours, or it is no wider than `step` (0: neighbours only). Which rates there
 * are does not hang on the exploration, only where among them the climb begins.
 */
export function climbedRate(climb: Climb, { pass, fail }: Bracket, step: number): number | null {
  const { rates } = climb
  const begin = beginOf(climb)
  if (pass === null && fail === null) return rates[begin] ?? null
  if (pass !== null && fail !== null) {
    const between = rates.filter((rate) => rate > pass && rate < fail)
    const isNarrow = step > 0 && fail <= pass * (1 + step) + 1e-6
    return isNarrow ? null : (between[Math.floor((between.length - 1) / 2)] ?? null)
  }
  if (pass !== null) {
    const at = rates.findLastIndex((rate) => rate <= pass)
    if (at === rates.length - 1) return null
    return rates[Math.min(rates.length - 1, Math.max(at + 1, begin + strideFrom(at - begin)))] ?? null
  }
  const above = rates.findIndex((rate) => rate >= (fail ?? 0))
  const at = above < 0 ? rates.length : above
  return at === 0 ? null : (rates[Math.max(0, Math.min(at - 1, begin - strideFrom(begin - at)))] ?? null)
}

/** Offsets from the beginning: 1, 2, 4, 8 … */
function strideFrom(offset: number): number {
  return offset <= 0 ? 1 : 2 * offset
}

/** Why a climb ended without one of its bracket's ends. */
export function endOfClimb(rates: readonly number[], { pass, fail }: Bracket): Reason[] {
  const [lowest, highest] = [rates[0], rates.at(-1)]
  if (fail === null && pass !== null && pass === highest) {
    const text = `${rpsText(pass)} is the highest rate that the manifest admits: above it a point is too short`
    return [{ code: 'highest_rate_passed', text, value: pass / 1000 }]
  }
  if (pass === null && fail !== null && fail === lowest) {
    const text = `${rpsText(fail)} is the lowest rate that the manifest admits: below it a point takes too long`
    return [{ code: 'lowest_rate_failed', text, limit: fail / 1000 }]
  }
  return []
}
