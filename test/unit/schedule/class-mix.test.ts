import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { largestRemainder } from '../../../src/core/schedule/class-mix.ts'
import { zipfWeights } from '../../../src/core/schedule/popularity.ts'
import { randomStream, shuffle } from '../../../src/core/schedule/random.ts'
import { codeOf } from './worked-example.ts'

test('largest remainder sums exactly and is within one of the proportion', () => {
  const weights = fc.array(fc.nat(1e6), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(weights, fc.nat(1e6), (parts, total) => {
      const sum = parts.reduce((a, b) => a + b, 0)
      fc.pre(sum > 0)
      const counts = largestRemainder(parts, total)
      expect(counts.reduce((a, b) => a + b, 0)).toBe(total)
      counts.forEach((count, index) => expect(Math.abs(count - ((parts[index] ?? 0) / sum) * total)).toBeLessThan(1))
    }),
  )
  expect(largestRemainder([1, 1, 1], 2)).toEqual([1, 1, 0])
  expect(largestRemainder([0, 0], 2)).toEqual([0, 0])
})

test('a shuffle is fair: each of six orders of three comes as often', () => {
  const random = randomStream('fair')
  const seen = new Map<string, number>()
  for (let draw = 0; draw < 6000; draw++) {
    const order = shuffle(['a', 'b', 'c'], random).join('')
    seen.set(order, (seen.get(order) ?? 0) + 1)
  }
  expect(seen.size).toBe(6)
  for (const count of seen.values()) expect(Math.abs(count - 1000)).toBeLessThan(120)
})

describe('Zipf weights', () => {
  test('are integers by division at exponent 1', () => {
    expect(zipfWeights(5, 1)).toEqual([100_000_000, 50_000_000, 33_333_333, 25_000_000, 20_000_000])
    expect(zipfWeights(3, 0)).toEqual([100_000_000, 100_000_000, 100_000_000])
    expect(zipfWeights(4, 0.5)).toEqual([100_000_000, 70_710_678, 57_735_026, 50_000_000])
    expect(zipfWeights(3, 10)).toEqual([100_000_000, 97_656, 1693])
  })

  test('are the floor of the law for any two decimals', () => {
    for (const exponent of [0.01, 0.8, 0.99, 1.07, 1.2, 2.25]) {
      zipfWeights(200, exponent).forEach((weight, index) => {
        expect(Math.abs(weight - 1e8 * (index + 1) ** -exponent)).toBeLessThan(1.001)
      })
    }
  })

  test.each([0.999, 1 / 3, -1, 11, Number.NaN])('the exponent %d is refused', (exponent) => {
    expect(codeOf(() => zipfWeights(4, exponent))).toBe('zipf_exponent')
  })
})
