import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { burstPassed, burstTime, rampTime } from '../../../src/core/schedule/intensity.ts'

const share = fc.double({ min: 0.001, max: 0.999, noNaN: true })
const pattern = fc
  .tuple(share, fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0.5, max: 5000, noNaN: true }))
  .map(([widthShare, part, periodRequests]) => ({
    widthShare,
    periodRequests,
    height: 1 + part * (1 / widthShare - 1),
  }))
const part = fc.double({ min: 0, max: 1, noNaN: true })

describe('a burst’s time', () => {
  test('is the inverse of the intensity passed, and whole periods take what they offer', () => {
    fc.assert(
      fc.property(pattern, part, fc.nat(100), (burst, inside, whole) => {
        const period = burst.periodRequests * 1e6
        const passed = (whole + inside) * period
        const time = burstTime(burst, period, passed)
        expect(Math.abs(burstPassed(burst, period, time) - passed)).toBeLessThan(1e-6 * period + 1)
        // Rounding may make the sum another whole.
        const begun = Math.floor(passed / period)
        expect(time).toBeGreaterThanOrEqual(begun * period - 1)
        expect(time).toBeLessThanOrEqual((begun + 1) * period + 1)
      }),
    )
  })

  test('stays in its period where all but nothing comes between bursts', () => {
    const burst = { height: 3, widthShare: 0.333333333333333, periodRequests: 157.15706347466562 }
    const period = burst.periodRequests * 1e6
    const time = burstTime(burst, period, 141598514190.6737)
    expect(time).toBeGreaterThan(900.999 * period)
    expect(time).toBeLessThanOrEqual(901 * period + 1)
  })

  test('never goes back, also where nothing comes between bursts', () => {
    const burst = { height: 4, widthShare: 0.25, periodRequests: 10 }
    let last = 0
    for (let passed = 0; passed <= 40; passed += 0.01) {
      const time = burstTime(burst, 10, passed)
      expect(time).toBeGreaterThanOrEqual(last)
      const inside = time % 10
      expect(inside === 0 || (inside >= 3.75 - 1e-9 && inside <= 6.25 + 1e-9)).toBe(true)
      last = time
    }
  })
})

describe('a ramp’s time', () => {
  test('is the root of its cumulative intensity, from 0 to 1', () => {
    const rate = fc.double({ min: 0, max: 100, noNaN: true })
    fc.assert(
      fc.property(rate, rate, part, (from, to, passed) => {
        fc.pre(from + to > 1e-3)
        const y = rampTime({ from, to }, passed)
        const [f, g] = [(2 * from) / (from + to), (2 * to) / (from + to)]
        expect(Math.abs(f * y + ((g - f) / 2) * y * y - passed)).toBeLessThan(1e-9)
        expect(y >= 0 && y <= 1).toBe(true)
      }),
    )
  })

  test('of equal ends is the share itself; from 0 it is its root', () => {
    expect(rampTime({ from: 3, to: 3 }, 0.3)).toBeCloseTo(0.3, 15)
    expect(rampTime({ from: 0, to: 3 }, 0.25)).toBe(0.5)
    expect(rampTime({ from: 3, to: 0 }, 1)).toBe(1)
    expect(rampTime({ from: 0, to: 1 }, 0)).toBe(0)
  })
})
