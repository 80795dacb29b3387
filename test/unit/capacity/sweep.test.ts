import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bracketOf } from '../../../src/core/capacity/by-rate.ts'
import { nextStep } from '../../../src/core/capacity/step.ts'
import { answers, carries, follow, ratesOf } from './synthetic-history.ts'
import type { Engine } from './synthetic-history.ts'
import { manifestOf } from './synthetic-point.ts'

const grid = { rates_rps: [16, 20, 24, 28], refine_step: 0, repeats: 1 }
const sweep = (engine: Engine, change: Record<string, unknown> = {}, baseline: number | null = null) =>
  follow(
    {
      plan: 'sweep',
      manifest: manifestOf('worked-example', { sweep: { ...grid, ...change } }),
      cache: 'cold',
      baseline: baseline === null ? null : { passMilliRps: baseline },
      anchor: null,
    },
    engine,
  )

describe('the declared rates', () => {
  test('are measured upward, each once; the bracket is the highest pass below the lowest fail', () => {
    const history = sweep(carries(24_000))
    expect(ratesOf(history)).toEqual([16_000, 20_000, 24_000, 28_000])
    expect(bracketOf(history.points)).toEqual({ pass: 24_000, fail: 28_000, flukes: [] })
  })

  test('are not measured above the first that fails', () => {
    expect(ratesOf(sweep(carries(18_000)))).toEqual([16_000, 20_000])
  })

  test('may come in any order, twice, and with fractions', () => {
    expect(ratesOf(sweep(carries(99_000), { rates_rps: [20.5, 16, 20.5, 0.0004] }))).toEqual([1, 16_000, 20_500])
  })

  test('the first point has a fresh engine, later ones share it until one ends overloaded', () => {
    const { asked } = sweep(carries(24_000), { repeats: 2 })
    expect(asked.map(({ boot }) => boot)).toEqual(['boot-1', 'boot-1', 'boot-1', 'boot-1', 'boot-2'])
    expect(asked.at(-1)?.key).toEqual({ cache: 'cold', load: { openMilliRps: 24_000 }, repeat: 2 })
  })

  test('closed-loop exploration comes first and never enters the bracket', () => {
    const history = sweep(({ rate }) => (rate === null || rate > 24_000 ? 'fail' : 'pass'), {
      saturation_concurrency: [64, 128],
    })
    expect(ratesOf(history)).toEqual([null, null, 16_000, 20_000, 24_000, 28_000])
    expect(bracketOf(history.points)).toMatchObject({ pass: 24_000, fail: 28_000 })
  })

  test('a manifest without a sweep has nothing to measure', () => {
    const { sweep: _, ...manifest } = manifestOf('worked-example', { sweep: grid })
    const step = nextStep({ plan: 'sweep', manifest, cache: 'cold', baseline: null, anchor: null, points: [] })
    expect(step).toMatchObject({ do: 'done', reasons: [{ code: 'no_rates_declared' }] })
  })
})

describe('refinement', () => {
  test('halves the bracket until it is no wider than the step', () => {
    const history = sweep(carries(25_300), { refine_step: 0.02 })
    expect(ratesOf(history).slice(4)).toEqual([26_000, 25_000, 25_500])
    expect(bracketOf(history.points)).toMatchObject({ pass: 25_000, fail: 25_500 })
  })

  test('ends for any capacity, at a bracket no wider than the step that holds the capacity', () => {
    const given = fc.record({
      capacity: fc.integer({ min: 16_000, max: 27_999 }),
      step: fc.double({ min: 0.001, max: 0.5, noNaN: true }),
    })
    fc.assert(
      fc.property(given, ({ capacity, step }) => {
        const { points } = sweep(carries(capacity), { refine_step: step })
        const { pass, fail } = bracketOf(points)
        expect(pass).toBeLessThanOrEqual(capacity)
        expect(fail).toBeGreaterThan(capacity)
        expect(fail).toBeLessThanOrEqual(Math.max((pass ?? 0) + 1, (pass ?? 0) * (1 + step) + 1e-3))
      }),
    )
  })
})

describe('repeats of the two ends', () => {
  const ends = { rates_rps: [20, 24], repeats: 3 }

  test('of the passing one are each on another boot, the first being the one that found it', () => {
    const { asked } = sweep(carries(20_000), ends)
    expect(asked.map(({ rate, boot }) => [rate, boot])).toEqual([
      [20_000, 'boot-1'],
      [24_000, 'boot-1'],
      [20_000, 'boot-2'],
      [20_000, 'boot-3'],
      [24_000, 'boot-3'],
    ])
    const steady = sweep(({ rate }) => (rate === 24_000 ? 'fail' : 'pass'), { ...ends, repeats: 5 })
    expect(new Set(steady.asked.filter(({ rate }) => rate === 20_000).map(({ boot }) => boot)).size).toBe(5)
  })

  test('of the passing one that say nothing are run once more, on yet another boot', () => {
    const { asked } = sweep(answers('pass', 'fail', 'invalid', 'pass', 'pass', 'fail'), ends)
    expect(asked.filter(({ rate }) => rate === 20_000).map(({ boot }) => boot)).toEqual([
      'boot-1',
      'boot-2',
      'boot-3',
      'boot-4',
    ])
  })

  test('that stand even are decided by another boot before anything else is measured', () => {
    const holds = sweep(answers('pass', 'pass', 'fail', 'fail', 'pass', 'fail'), {
      rates_rps: [16, 20, 24],
      repeats: 3,
    })
    expect(ratesOf(holds)).toEqual([16_000, 20_000, 24_000, 20_000, 20_000, 24_000])
    expect(bracketOf(holds.points)).toMatchObject({ pass: 20_000, fail: 24_000 })
    const falls = sweep(answers('pass', 'pass', 'fail', 'fail', 'fail', 'pass', 'pass'), {
      rates_rps: [16, 20, 24],
      repeats: 3,
    })
    expect(ratesOf(falls)).toEqual([16_000, 20_000, 24_000, 20_000, 20_000, 16_000, 16_000])
    expect(bracketOf(falls.points)).toMatchObject({ pass: 16_000, fail: 20_000 })
  })

  test('a tie fails', () => {
    const { points } = sweep(answers('pass', 'fail', 'fail'), { ...ends, repeats: 2 })
    expect(bracketOf(points)).toMatchObject({ pass: null, fail: 20_000, flukes: [] })
  })

  test('an end that turns moves the bracket, and the next rates are measured', () => {
    const passing = Array.from({ length: 7 }, () => 'pass' as const)
    const history = sweep(answers('pass', 'fail', ...passing), { rates_rps: [20, 24, 28], repeats: 3 })
    expect(ratesOf(history).map((rate) => (rate ?? 0) / 1000)).toEqual([20, 24, 20, 20, 24, 24, 28, 28, 28])
    expect(bracketOf(history.points)).toMatchObject({ pass: 28_000, fail: null })
  })
})

describe('points that say nothing', () => {
  test.each(['invalid', 'unknown', 'undersampled'] as const)('%s is run once more', (outcome) => {
    const history = sweep(answers('pass', outcome, 'pass', 'pass', 'fail'))
    expect(ratesOf(history)).toEqual([16_000, 20_000, 20_000, 24_000, 28_000])
  })

  test('two in a row leave the state inconclusive', () => {
    const history = sweep(answers('pass', 'invalid', 'undersampled'))
    expect(history.reasons).toMatchObject([{ code: 'rate_inconclusive', value: 20 }])
  })
})

describe('against a baseline', () => {
  test('a bracket at or above the guard rate needs no more', () => {
    expect(ratesOf(sweep(carries(24_000), {}, 25_000))).toHaveLength(4)
  })

  test('a drop is confirmed at the guard rate on two boots', () => {
    const history = sweep(carries(20_000), {}, 25_000)
    expect(ratesOf(history)).toEqual([16_000, 20_000, 24_000, 24_000])
    expect(history.reasons).toMatchObject([{ code: 'guard_lost' }])
    expect(new Set(history.asked.slice(2).map(({ boot }) => boot)).size).toBe(2)
  })

  test('a drop that the guard rate does not confirm is none, and needs two passing boots', () => {
    const history = sweep(answers('pass', 'fail', 'pass', 'pass'), { rates_rps: [16, 20] }, 25_000)
    expect(ratesOf(history)).toEqual([16_000, 20_000, 24_000, 24_000])
    expect(history.reasons).toMatchObject([{ code: 'guard_held' }])
  })

  test('a sweep that ends below the baseline without a fail asks at the guard rate', () => {
    const held = sweep(carries(40_000), {}, 35_000)
    expect(ratesOf(held)).toEqual([16_000, 20_000, 24_000, 28_000, 33_600])
    expect(bracketOf(held.points)).toMatchObject({ pass: 33_600, fail: null })
    const lost = sweep(carries(30_000), {}, 35_000)
    expect(ratesOf(lost).slice(4)).toEqual([33_600, 33_600])
    expect(lost.reasons).toMatchObject([{ code: 'guard_lost' }])
  })
})

test('is a function of the history alone: resumed anywhere it asks the same', () => {
  const input = {
    plan: 'sweep' as const,
    manifest: manifestOf('worked-example', { sweep: { ...grid, refine_step: 0.02, repeats: 3 } }),
    cache: 'cold' as const,
    baseline: { passMilliRps: 27_000 },
    anchor: null,
  }
  const { points, asked } = follow(input, carries(23_456))
  for (const [index, ask] of asked.entries()) {
    expect(nextStep({ ...input, points: points.slice(0, index) })).toMatchObject({ do: 'measure', key: ask.key })
  }
})
