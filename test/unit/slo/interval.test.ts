import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { blockBootstrap95, blockLength, wilson95 } from '../../../src/core/slo/interval.ts'
import { distributionOf, nearestRank } from '../../../src/core/slo/percentile.ts'

describe('Wilson’s interval', () => {
  // The textbook's: 81 of 263 (Newcombe 1998, table I: 0.2553 to 0.3662), and its one-sided ends.
  it.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
    [29, 29, 0.883, 1],
  ])('%d of %d', (passing, trials, low, high) => {
    const [from, to] = wilson95(passing, trials) ?? []
    expect(from).toBeCloseTo(low, 4)
    expect(to).toBeCloseTo(high, 4)
  })

  it('has none without trials', () => expect(wilson95(0, 0)).toBeNull())
})

describe('the block bootstrap’s interval', () => {
  const independent = Uint8Array.from({ length: 4000 }, (_, i) => ((i * 7919) % 4000 < 3800 ? 1 : 0))
  const clustered = independent.toSorted()

  it('is the same every time', () => {
    expect(blockBootstrap95(independent, 16)).toEqual(blockBootstrap95(independent, 16))
  })

  it('is Wilson’s where requests are independent, and wider where misses come together', () => {
    const [wilsonLow = 0, wilsonHigh = 1] = wilson95(3800, 4000) ?? []
    const [low = 0, high = 1] = blockBootstrap95(independent, 1) ?? []
    expect(high - low).toBeCloseTo(wilsonHigh - wilsonLow, 2)
    const [clusteredLow = 0, clusteredHigh = 1] = blockBootstrap95(clustered, 100) ?? []
    expect(clusteredHigh - clusteredLow).toBeGreaterThan(4 * (high - low))
  })

  it('holds the share itself, and stays inside 0 and 1', () => {
    const list = fc.array(fc.constantFrom(0, 1), { minLength: 1, maxLength: 300 })
    fc.assert(
      fc.property(list, fc.integer({ min: 1, max: 40 }), (passes, length) => {
        const share = passes.reduce<number>((sum, each) => sum + each, 0) / passes.length
        const [low = 2, high = -1] = blockBootstrap95(Uint8Array.from(passes), length) ?? []
        expect(low).toBeGreaterThanOrEqual(0)
        expect(high).toBeLessThanOrEqual(1)
        expect(low).toBeLessThanOrEqual(share)
        expect(high).toBeGreaterThanOrEqual(share)
      }),
      { numRuns: 60, seed: 3 },
    )
  })

  it('draws blocks from everywhere alike', () => {
    for (const missed of [0, 1, 2, 3]) {
      const passes = Uint8Array.from({ length: 4000 }, (_, i) => (Math.floor(i / 1000) === missed ? 0 : 1))
      const [low = 0, high = 1] = blockBootstrap95(passes, 1) ?? []
      expect((low + high) / 2).toBeCloseTo(0.75, 2)
    }
  })

  it('has none without requests, and is a point where all are alike', () => {
    expect(blockBootstrap95(new Uint8Array(), 1)).toBeNull()
    expect(blockBootstrap95(new Uint8Array(7).fill(1), 3)).toEqual([1, 1])
  })

  it('keeps together what was in flight at once, n^(1/3) at least, a tenth at most', () => {
    expect(blockLength(8000, 0)).toBe(20)
    expect(blockLength(8001, 0)).toBe(21)
    expect(blockLength(8000, 64.2)).toBe(65)
    expect(blockLength(8000, 5000)).toBe(800)
    expect(blockLength(5, 3)).toBe(1)
  })
})

describe('nearest rank', () => {
  it('is the smallest value that a share of all does not exceed', () => {
    expect(nearestRank([], 0.5)).toBeNull()
    expect([0, 0.2, 0.21, 0.5, 0.95, 1].map((p) => nearestRank([1, 2, 3, 4, 5], p))).toEqual([1, 1, 2, 3, 5, 5])
  })

  it('sorts by value', () => {
    const descending = Float64Array.from({ length: 10_000 }, (_, i) => 10_000 - i)
    expect(distributionOf(descending)).toEqual({ n: 10_000, p50: 5000, p90: 9000, p95: 9500, p99: 9900 })
  })
})
