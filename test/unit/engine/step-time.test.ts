import { describe, expect, test } from 'vitest'
import { HEALTHY, QUIET, SMALL_ENGINE } from '../../../fixtures/engine/model/parameters.ts'
import type { StepNoise } from '../../../fixtures/engine/model/parameters.ts'
import { drawBootSpeed, SeededRandom } from '../../../fixtures/engine/model/seeded-random.ts'
import { StepTimer } from '../../../fixtures/engine/model/step-time.ts'

const work = { prefillTokens: 10, prefillPairs: 55, decodeSequences: 4, contextTokens: 100 }
const plain = 8000 + 10 * 60 + 4 * 100 + 10

function durations(noise: Partial<StepNoise>, count = 2000, faults = HEALTHY): number[] {
  const timer = new StepTimer(SMALL_ENGINE, { ...QUIET, ...noise })
  return Array.from({ length: count }, (_, index) => timer.durationUs(work, index * 10_000, faults))
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

describe('the time of a step', () => {
  test('is the declared sum without noise, and is divided by the speed', () => {
    expect(new Set(durations({}))).toEqual(new Set([plain]))
    expect(new Set(durations({ speed: 1.25 }))).toEqual(new Set([Math.round(plain / 1.25)]))
  })

  test('jitters around it with the declared deviation, the same for the same seed', () => {
    const drawn = durations({ jitter: 0.05 }, 20_000).map((us) => us / plain - 1)
    expect(Math.abs(mean(drawn))).toBeLessThan(0.002)
    expect(Math.sqrt(mean(drawn.map((value) => value ** 2)))).toBeCloseTo(0.05, 2)
    expect(durations({ jitter: 0.05 })).toEqual(durations({ jitter: 0.05 }))
    expect(durations({ jitter: 0.05 })).not.toEqual(durations({ jitter: 0.05, seed: 2 }))
  })

  test('drifts slowly between its two bounds', () => {
    const drifting = durations({ driftAmplitude: 0.1, driftPeriodSeconds: 10 })
    expect(Math.max(...drifting) / plain).toBeCloseTo(1.1, 2)
    expect(Math.min(...drifting) / plain).toBeCloseTo(0.9, 2)
    const jumps = drifting.slice(1).map((us, index) => Math.abs(us - (drifting[index] as number)))
    expect(Math.max(...jumps) / plain).toBeLessThan(0.002)
  })

  test('grows by step or by second where that fault is set, and prefill slows by its factor', () => {
    expect(durations({}, 101, { ...HEALTHY, growthPerStep: 0.01 }).at(-1)).toBe(plain * 2)
    expect(durations({}, 101, { ...HEALTHY, growthPerSecond: 0.5 }).at(-1)).toBe(plain * 1.5)
    expect(durations({}, 1, { ...HEALTHY, prefillFactor: 3 })).toEqual([plain + 1200])
  })

  test('a stall lengthens every so many steps, and no other', () => {
    const stalled = durations({}, 6, { ...HEALTHY, stallEverySteps: 3, stallUs: 50_000 })
    expect(stalled).toEqual([plain, plain, plain + 50_000, plain, plain, plain + 50_000])
  })
})

describe('the seeded numbers', () => {
  test('are these, on every machine', () => {
    const random = new SeededRandom(42)
    expect([random.nextUint32(), random.nextUint32(), random.nextUint32()]).toMatchInlineSnapshot(`
      [
        2924232881,
        1981759413,
        1495315643,
      ]
    `)
  })

  test('spread boots as declared', () => {
    const speeds = Array.from({ length: 5000 }, (_, seed) => drawBootSpeed(seed, 0.013))
    expect(mean(speeds)).toBeCloseTo(1, 3)
    expect(Math.sqrt(mean(speeds.map((speed) => (speed - 1) ** 2)))).toBeCloseTo(0.013, 3)
  })
})
