import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { simulateQueue } from '../../../bench/queue-simulation.ts'
import type { Engine } from '../../../bench/queue-simulation.ts'
import { queueTrend, sampledShare } from '../../../src/core/telemetry/queue-trend.ts'
import type { Gauge } from '../../../src/core/telemetry/queue-trend.ts'
import { theilSenSlope } from '../../../src/core/telemetry/theil-sen.ts'
import { walkNoise } from '../../../src/core/telemetry/walk-noise.ts'

const SECONDS = 300
const at1Hz = (value: (second: number) => number, seconds = SECONDS): Gauge[] =>
  Array.from({ length: seconds }, (_, second) => ({ atUs: second * 1e6 + 300_000, value: value(second) }))

const flat = at1Hz(() => 20)
const sound = { arrivalUs: SECONDS * 1e6, inFlight: flat, backlog: at1Hz(() => 0), waiting: [flat, flat] }

describe('the trend', () => {
  test('is flat for a level queue, also one that sways', () => {
    expect(queueTrend(sound).trend).toBe('flat')
    const swaying = at1Hz((second) => 20 + 15 * Math.sin(second / 9))
    expect(queueTrend({ ...sound, inFlight: swaying }).trend).toBe('flat')
  })

  test.each(['inFlight', 'backlog'] as const)('is growing when %s grows', (name) => {
    expect(queueTrend({ ...sound, [name]: at1Hz((second) => 20 + second / 5) }).trend).toBe('growing')
  })

  test('is growing when the engine’s waiting grows over its replicas together', () => {
    const half = at1Hz((second) => second / 20)
    expect(queueTrend({ ...sound, waiting: [half, flat] }).trend).toBe('growing')
    expect(queueTrend({ ...sound, waiting: [half, at1Hz((second) => 15 - second / 20)] }).trend).toBe('flat')
  })

  test('needs both rises: one burst at the end, or a drain, is no growth', () => {
    expect(queueTrend({ ...sound, inFlight: at1Hz((second) => (second > 285 ? 400 : 20)) }).trend).toBe('flat')
    expect(queueTrend({ ...sound, inFlight: at1Hz((second) => (second < 205 ? 20 : 40)) }).trend).toBe('flat')
    expect(queueTrend({ ...sound, inFlight: at1Hz((second) => 80 - second / 5) }).trend).toBe('flat')
  })

  test('counts a rise above max(4, 30 % of the mean in flight), not one below', () => {
    const rising = (by: number, level: number) =>
      queueTrend({ ...sound, inFlight: at1Hz((second) => level + (by * second) / SECONDS), waiting: null }).trend
    expect(rising(5, 1)).toBe('flat')
    expect(rising(7, 1)).toBe('growing')
    expect(rising(45, 100)).toBe('flat')
    expect(rising(70, 100)).toBe('growing')
  })

  test('is judged over the arrival window alone', () => {
    const drain = at1Hz((second) => (second < 150 ? 20 : 20 + 3 * (second - 150)))
    expect(queueTrend({ ...sound, arrivalUs: 150e6, inFlight: drain, waiting: null }).trend).toBe('flat')
    const before = [{ atUs: -5e6, value: 0 }, ...flat]
    expect(queueTrend({ ...sound, inFlight: before }).trend).toBe('flat')
  })
})

describe('what was not sampled', () => {
  const missing = (share: number) => flat.filter((_, second) => second % 100 >= share * 100)

  test('is unknown below nine tenths on any series', () => {
    expect(queueTrend({ ...sound, inFlight: missing(0.08) }).trend).toBe('flat')
    expect(queueTrend({ ...sound, inFlight: missing(0.13) }).trend).toBe('unknown')
    expect(queueTrend({ ...sound, waiting: [flat, missing(0.13)] }).trend).toBe('unknown')
    expect(queueTrend({ ...sound, waiting: [flat, []] }).trend).toBe('unknown')
    expect(queueTrend({ ...sound, arrivalUs: 2e6 }).trend).toBe('unknown')
  })

  test('does not hide growth that another series shows', () => {
    expect(queueTrend({ ...sound, inFlight: at1Hz((s) => s), waiting: [[], []] }).trend).toBe('growing')
  })

  test('an engine without a waiting gauge is judged by the client', () => {
    expect(queueTrend({ ...sound, waiting: null }).trend).toBe('flat')
  })

  test('a late sample is none missing, and faster sampling does no harm', () => {
    const late = flat.map(({ atUs, value }, index) => ({ atUs: atUs + (index % 7) * 100_000, value }))
    expect(sampledShare(late, SECONDS * 1e6)).toBe(1)
    const fast = Array.from({ length: SECONDS * 10 }, (_, index) => ({ atUs: index * 100_000, value: 20 }))
    expect(sampledShare(fast, SECONDS * 1e6)).toBe(1)
    expect(sampledShare([], SECONDS * 1e6)).toBe(0)
  })
})

describe('the Theil–Sen slope', () => {
  test('is the median of all pairs’ slopes', () => {
    const values = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 2, maxLength: 40 })
    fc.assert(
      fc.property(values, (given) => {
        const slopes = given.flatMap((end, j) => given.slice(0, j).map((start, i) => (end - start) / (j - i)))
        const sorted = slopes.toSorted((a, b) => a - b)
        const middle = sorted.length / 2
        const median = ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2
        expect(theilSenSlope(given)).toBeCloseTo(median, 9)
      }),
    )
  })

  test('follows a line through a quarter of outliers, thinned or not, and gaps', () => {
    const line = Array.from({ length: 2000 }, (_, x) =>
      x % 4 === 1 ? 1e6 * (x % 3) : x % 10 === 0 ? NaN : 3 + 0.5 * x,
    )
    expect(theilSenSlope(line.slice(0, 150))).toBeCloseTo(0.5, 6)
    const smooth = Array.from({ length: 2000 }, (_, x) => (x % 10 === 0 ? NaN : 3 + 0.5 * x))
    expect(theilSenSlope(smooth)).toBeCloseTo(0.5, 2)
    expect(theilSenSlope([1])).toBeNull()
    expect(theilSenSlope([1, NaN])).toBeNull()
  })
})

test('the noise of a straight line is none, and of a walk about its end’s deviation', () => {
  expect(walkNoise(Array.from({ length: 100 }, (_, x) => 3 * x))).toBeCloseTo(0, 6)
  let [level, state] = [0, 1]
  const walk = Array.from({ length: 900 }, () => {
    state = (state * 48_271) % 2_147_483_647
    level += state % 2 === 0 ? 1 : -1
    return level
  })
  expect(walkNoise(walk)).toBeGreaterThan(15)
  expect(walkNoise(walk)).toBeLessThan(60)
})

test('on a simulated engine: no false call at 90 % load, every overload of a tenth found', () => {
  const engine: Engine = {
    title: 'four replicas',
    capacityRps: 25,
    classes: [
      { workSeconds: 4.3, share: 0.9 },
      { workSeconds: 40, share: 0.1 },
    ],
    exponential: false,
    slots: 1024,
    warmupSeconds: 60,
  }
  const calls = (load: number) =>
    Array.from({ length: 15 }, (_, n) => queueTrend(simulateQueue(engine, load, 300, `${load}/${n}`)).trend)
  expect(new Set(calls(0.9))).toEqual(new Set(['flat']))
  expect(new Set(calls(1.1))).toEqual(new Set(['growing']))
})
