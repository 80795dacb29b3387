import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dueUs, pointEpoch, pointName, type PointKey } from '../../../src/core/kernel/point.ts'

const cold: PointKey = { cache: 'cold', load: { openMilliRps: 24_000 }, repeat: 1 }

describe('a point', () => {
  it('is named by cache, load and repeat', () => {
    expect(pointName(cold)).toBe('cold-open-24000-r1')
    expect(pointName({ cache: 'warm', load: { closedConcurrency: 64 }, repeat: 2 })).toBe('warm-closed-64-r2')
  })

  it('has an epoch of 32 bits, the same in every run and another for each point', () => {
    expect(pointEpoch(cold)).toBe(pointEpoch({ ...cold }))
    const others: PointKey[] = [
      { ...cold, repeat: 2 },
      { ...cold, cache: 'warm' },
      { ...cold, load: { openMilliRps: 23_999 } },
      { ...cold, load: { closedConcurrency: 24_000 } },
    ]
    const epochs = [cold, ...others].map(pointEpoch)
    expect(new Set(epochs).size).toBe(epochs.length)
    expect(epochs.every((epoch) => Number.isInteger(epoch) && epoch >= 0 && epoch < 2 ** 32)).toBe(true)
  })
})

describe('dueUs', () => {
  it('is the offset at the rate, rounded down', () => {
    expect(dueUs(1_000_000, 1000)).toBe(1_000_000)
    expect(dueUs(1_000_000, 24_000)).toBe(41_666)
    expect(dueUs(0, 1)).toBe(0)
  })

  it('is exact where floating point is not, and keeps the order', () => {
    // Due within 2^53 µs, 285 years, at every rate: beyond that no number of microseconds is exact.
    const offset = fc.integer({ min: 0, max: Math.floor(Number.MAX_SAFE_INTEGER / 1000) })
    fc.assert(
      fc.property(offset, offset, fc.integer({ min: 1, max: 10_000_000 }), (a, b, rate) => {
        expect(BigInt(dueUs(a, rate))).toBe((BigInt(a) * 1000n) / BigInt(rate))
        expect(dueUs(Math.min(a, b), rate)).toBeLessThanOrEqual(dueUs(Math.max(a, b), rate))
      }),
    )
  })
})
