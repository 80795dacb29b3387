import { exponentialGapUs, MEAN_GAP_US } from './arrivals.ts'
import { unitGamma } from './gamma.ts'
import { burstPassed, burstTime, rampTime } from './intensity.ts'
import type { RandomGenerator } from './random.ts'
import type { BurstPattern, RampPattern, ScheduleHeader } from './schedule.ts'

/** What of a header says how its arrivals come. A trace's come from its rows. */
export type ArrivalLaw = Pick<ScheduleHeader, 'generator' | 'pattern'>

/**
 * The offsets of a cohort's rows at one request a second, whole microseconds from its start, never falling: the rows of each segment
 * (the initial rows, then each extension block), one after the other. Those of a segment do not depend on the segments after it.
 */
export function cohortOffsets(law: ArrivalLaw, segments: readonly number[], random: RandomGenerator): number[] {
  const { generator, pattern } = law
  const rows = segments.reduce((sum, segment) => sum + segment, 0)
  if (pattern && 'from' in pattern) {
    let before = 0
    return segments.flatMap((segment) => {
      const start = before * MEAN_GAP_US
      before += segment
      return rampOffsets(pattern, segment, random).map((offsetUs) => start + offsetUs)
    })
  }
  const next =
    pattern && 'shape' in pattern
      ? gammaOffsets(pattern.shape, random)
      : pattern && 'height' in pattern
        ? burstOffsets(pattern, 0, random)
        : evenOffsets(generator, random)
  return Array.from({ length: rows }, next)
}

/**
 * The offsets of a warm-up's rows, from its start to its end at `endUs`, where the cohort starts.
 *
 * Poisson gaps run forward. Constant gaps run backward from an arrival at the end, gamma gaps are drawn backward from an arrival at the end: a cohort's first row comes one whole gap
 * after its start, so that only then no gap is cut in two. A burst's periods are laid so that one ends with the warm-up. A ramp rises over
 * the warm-up as it does over each block.
 */
export function warmupOffsets(law: ArrivalLaw, endUs: number, random: RandomGenerator): number[] {
  const { generator, pattern } = law
  if (endUs <= 0) return []
  if (generator === 'constant-1') return constantBackward(endUs)
  if (pattern && 'shape' in pattern) return gammaBackward(pattern.shape, endUs, random)
  if (pattern && 'from' in pattern) {
    return upTo(endUs, evenOffsets('poisson-1', random)).map((passedUs) =>
      Math.floor(endUs * rampTime(pattern, passedUs / endUs)),
    )
  }
  if (pattern && 'height' in pattern) {
    const periodUs = pattern.periodRequests * MEAN_GAP_US
    const startUs = Math.ceil(endUs / periodUs) * periodUs - endUs
    return upTo(endUs, burstOffsets(pattern, startUs, random))
  }
  return upTo(endUs, evenOffsets('poisson-1', random))
}

function upTo(endUs: number, next: () => number): number[] {
  const offsets: number[] = []
  for (let offsetUs = next(); offsetUs <= endUs; offsetUs = next()) offsets.push(offsetUs)
  return offsets
}

/** Poisson or constant. */
function evenOffsets(generator: ScheduleHeader['generator'], random: RandomGenerator): () => number {
  let offsetUs = 0
  return () => (offsetUs += generator === 'constant-1' ? MEAN_GAP_US : exponentialGapUs(random))
}

/** The sum is kept whole, so that rounding to microseconds adds up to nothing. */
function gammaOffsets(shape: number, random: RandomGenerator): () => number {
  let sumUs = 0
  return () => Math.round((sumUs += unitGamma(shape, random) * MEAN_GAP_US))
}

function constantBackward(endUs: number): number[] {
  const rows = Math.ceil(endUs / MEAN_GAP_US)
  return Array.from({ length: rows }, (_, index) => endUs - (rows - 1 - index) * MEAN_GAP_US)
}

function gammaBackward(shape: number, endUs: number, random: RandomGenerator): number[] {
  const offsets: number[] = []
  for (let leftUs = endUs; leftUs >= 0; leftUs -= unitGamma(shape, random) * MEAN_GAP_US)
    offsets.push(Math.round(leftUs))
  return offsets.reverse()
}

/** A Poisson process on the scale of intensity passed, turned into time. */
function burstOffsets(pattern: BurstPattern, startUs: number, random: RandomGenerator): () => number {
  const periodUs = pattern.periodRequests * MEAN_GAP_US
  let passedUs = burstPassed(pattern, periodUs, startUs)
  let lastUs = 0
  return () => {
    passedUs += exponentialGapUs(random)
    // Where two pieces of the intensity meet, rounding could step back.
    lastUs = Math.max(lastUs, Math.floor(burstTime(pattern, periodUs, passedUs) - startUs))
    return lastUs
  }
}

/**
 * As many arrivals as seconds: a Poisson process with a ramp's intensity, given that number. On the scale of intensity passed those are the
 * partial sums of one gap more, over their total.
 */
function rampOffsets(pattern: RampPattern, rows: number, random: RandomGenerator): number[] {
  const sums = Array.from({ length: rows }, evenOffsets('poisson-1', random))
  const total = (sums.at(-1) ?? 0) + exponentialGapUs(random)
  return sums.map((sum) => Math.floor(rows * MEAN_GAP_US * rampTime(pattern, sum / total)))
}
