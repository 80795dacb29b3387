import { describe, expect, test } from 'vitest'
import { unitGamma } from '../../../src/core/schedule/gamma.ts'
import { randomStream } from '../../../src/core/schedule/random.ts'

const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length

/** ln Γ(x): Stirling's series, after a step up to where it is exact. */
function lnGamma(x: number): number {
  if (x < 20) return lnGamma(x + 1) - Math.log(x)
  return (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + 1 / (12 * x) - 1 / (360 * x ** 3)
}

/** The gamma law's cumulative probability, by its series. */
function gammaLaw(shape: number, x: number): number {
  if (x <= 0) return 0
  let term = 1 / shape
  let sum = term
  for (let n = 1; n < 10_000 && term > sum * 1e-15; n++) sum += term *= x / (shape + n)
  return sum * Math.exp(shape * Math.log(x) - x - lnGamma(shape))
}

describe.each([0.01, 0.1, 0.5, 0.999, 1, 1.5, 4, 50, 1000])('gamma of shape %d', (shape) => {
  const count = 40_000
  const random = randomStream(`gamma test ${shape}`)
  const gaps = Array.from({ length: count }, () => unitGamma(shape, random))

  test('has mean 1 and a squared coefficient of variation of 1/shape', () => {
    const squared = 1 / shape
    expect(Math.abs(mean(gaps) - 1)).toBeLessThan(4.5 * Math.sqrt(squared / count))
    // The fourth central moment of a gamma of mean 1: 3/a² + 6/a³.
    const spread = Math.sqrt((2 * squared ** 2 + 6 * squared ** 3) / count)
    expect(Math.abs(mean(gaps.map((gap) => (gap - 1) ** 2)) - squared)).toBeLessThan(4.5 * spread)
  })

  test('follows the gamma law (Kolmogorov–Smirnov)', () => {
    const sorted = gaps.toSorted((a, b) => a - b)
    const distance = sorted.reduce((worst, gap, index) => {
      const law = gammaLaw(shape, gap * shape)
      return Math.max(worst, Math.abs(law - index / count), Math.abs(law - (index + 1) / count))
    }, 0)
    expect(distance).toBeLessThan(1.95 / Math.sqrt(count)) // one in a thousand
  })

  test('forgets the gap before', () => {
    const centred = gaps.map((gap) => (gap - 1) * Math.sqrt(shape))
    const lagged = mean(centred.slice(1).map((gap, index) => gap * (centred[index] ?? 0)))
    expect(Math.abs(lagged)).toBeLessThan(5 / Math.sqrt(count))
  })
})
