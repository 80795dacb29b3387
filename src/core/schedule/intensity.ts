import type { BurstPattern, RampPattern } from './schedule.ts'

/**
 * When a burst pattern's cumulative intensity reaches `passed`: both in the same unit, the mean rate being one. Each period is a lull's
 * first half, the burst, the lull's second half, so that a period begins and ends in a lull; over a whole period intensity and time are the same.
 */
export function burstTime(pattern: BurstPattern, period: number, passed: number): number {
  const { burstRate, lullRate, burst, halfLull } = parts(pattern, period)
  const whole = Math.floor(passed / period)
  const rest = Math.max(0, passed - whole * period)
  const beforeBurst = lullRate * halfLull
  const beforeLull = beforeBurst + burstRate * burst
  const start = whole * period
  if (rest < beforeBurst) return start + rest / lullRate
  if (rest <= beforeLull || lullRate === 0) return start + halfLull + Math.min(burst, (rest - beforeBurst) / burstRate)
  // The last bit of what has passed, over a rate of next to nothing, is any time at all.
  return start + halfLull + burst + Math.min(halfLull, (rest - beforeLull) / lullRate)
}

/** The inverse of `burstTime`: the intensity that has passed at a time. */
export function burstPassed(pattern: BurstPattern, period: number, time: number): number {
  const { burstRate, lullRate, burst, halfLull } = parts(pattern, period)
  const whole = Math.floor(time / period)
  const rest = time - whole * period
  const inBurst = Math.min(burst, Math.max(0, rest - halfLull))
  return whole * period + inBurst * burstRate + (rest - inBurst) * lullRate
}

function parts({ height, widthShare }: BurstPattern, period: number) {
  const burst = widthShare * period
  // Rounding may leave less than nothing where height × share is 1.
  const lullRate = Math.max(0, (1 - height * widthShare) / (1 - widthShare))
  return { burstRate: height, lullRate, burst, halfLull: (period - burst) / 2 }
}

/**
 * Where on a ramp its cumulative intensity reaches the share `passed`, as a share of its length: the root of f·y + (g − f)/2·y² = passed for
 * the rates f and g at its ends, scaled so that their mean is one.
 */
export function rampTime({ from, to }: RampPattern, passed: number): number {
  if (passed <= 0) return 0
  const first = (2 * from) / (from + to)
  const last = (2 * to) / (from + to)
  const rateThen = Math.sqrt(Math.max(0, first * first + 2 * (last - first) * passed))
  return Math.min(1, (2 * passed) / (first + rateThen))
}
