import { exp, ln } from './ln-exp.ts'
import type { RandomGenerator } from './random.ts'

/** Uniform in (0, 1], of 53 bits. */
function uniform(random: RandomGenerator): number {
  const high = random.next() >>> 5
  const low = random.next() >>> 6
  return (high * 0x400_0000 + low + 0.5) / 0x20_0000_0000_0000
}

/** A standard normal variate: Marsaglia's polar method, of whose two variates one is used. */
function normal(random: RandomGenerator): number {
  for (;;) {
    const x = 2 * uniform(random) - 1
    const y = 2 * uniform(random) - 1
    const square = x * x + y * y
    if (square < 1 && square > 0) return x * Math.sqrt((-2 * ln(square)) / square)
  }
}

/** A gamma variate of this shape (at least 1) and scale 1: Marsaglia and Tsang, A simple method for generating gamma variables (2000). */
function marsagliaTsang(shape: number, random: RandomGenerator): number {
  const d = shape - 1 / 3
  const c = 1 / Math.sqrt(9 * d)
  for (;;) {
    const x = normal(random)
    const root = 1 + c * x
    if (root <= 0) continue
    const v = root * root * root
    if (ln(uniform(random)) < 0.5 * x * x + d * (1 - v + ln(v))) return d * v
  }
}

/**
 * A variate of the gamma law of this shape, divided by its mean: mean 1, squared coefficient of variation 1/shape. Below a shape of 1 by
 * Marsaglia and Tsang's boost: gamma(a) is gamma(a + 1) · U^(1/a).
 */
export function unitGamma(shape: number, random: RandomGenerator): number {
  if (shape >= 1) return marsagliaTsang(shape, random) / shape
  const boosted = marsagliaTsang(shape + 1, random)
  return (boosted * exp(ln(uniform(random)) / shape)) / shape
}
