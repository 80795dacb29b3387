import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bracketOf } from '../../../src/core/capacity/by-rate.ts'
import type { StepPoint } from '../../../src/core/capacity/by-rate.ts'
import { explorationConcurrencies, explorationSeconds } from '../../../src/core/capacity/exploration.ts'
import { sweptRates } from '../../../src/core/capacity/swept-rates.ts'
import type { Evidence } from '../../../src/core/kernel/evidence.ts'
import { follow, ratesOf } from './synthetic-history.ts'
import type { Engine } from './synthetic-history.ts'
import { manifestOf } from './synthetic-point.ts'

const manifestWith = (sweep: Record<string, unknown> = {}) =>
  manifestOf('worked-example', { sweep: { rates_rps: 'auto', refine_step: 0.02, repeats: 1, ...sweep } })
const manifest = manifestWith()
const RATES = sweptRates(manifest)

const sweep = (engine: Engine, over = manifest, baseline: number | null = null) =>
  follow(
    {
      plan: 'sweep',
      manifest: over,
      cache: 'cold',
      baseline: baseline === null ? null : { passMilliRps: baseline },
      anchor: null,
    },
    engine,
  )

/** In flight where an asked point is a closed loop; else null. */
const inFlight = ({ key }: Parameters<Engine>[0]) =>
  'closedConcurrency' in key.load ? key.load.closedConcurrency : null

type Closed = (concurrency: number, repeat: number) => ReturnType<Engine>

/** Carries a rate in an open loop, and answers closed loops as it is told. */
const engine =
  (carriesMilliRps: number, closed: Closed): Engine =>
  (asked) => {
    const concurrency = inFlight(asked)
    if (concurrency !== null) return closed(concurrency, asked.key.repeat)
    return (asked.rate ?? 0) <= carriesMilliRps ? 'pass' : 'fail'
  }

const completes = (completed: number, good = completed): ReturnType<Engine> => ({
  outcome: 'undersampled',
  ratesRps: { completed, good },
})

/** Rises with what is in flight to 27 RPS, of which 22 are within the cutoffs. */
const usual: Closed = (n) => (n <= 150 ? completes(n / 6.5) : completes(27, 5))
const told =
  (kind: Partial<StepPoint>, outcome: StepPoint['outcome'] = 'fail'): Closed =>
  () => ({ outcome, ...kind })
const concurrenciesOf = ({ asked }: ReturnType<typeof sweep>) => asked.flatMap((one) => inFlight(one) ?? [])
const codes = (reasons: readonly { code: string }[]) => reasons.map(({ code }) => code)

describe('the saturation test', () => {
  test('goes from half of what the lowest rate may have in flight to what the highest may, in doublings', () => {
    expect(explorationConcurrencies(manifest)).toEqual([36, 72, 144, 288, 576, 854])
    expect(explorationSeconds(manifest)).toBeCloseTo((2 * (800 + 45 * 1023)) / 1000, 6)
  })

  test('gives places that think their think time, in their number and in the time that they have', () => {
    const thinking = manifestOf('worked-example', {
      sweep: { rates_rps: 'auto', refine_step: 0.02, repeats: 1 },
      client: { closed_loop_think_seconds: 30 },
    })
    expect(explorationSeconds(thinking) - explorationSeconds(manifest)).toBeCloseTo(60, 6)
    const lowestRps = (RATES[0] ?? 0) / 1000
    const [more = 0, fewer = 0] = [thinking, manifest].map((one) => explorationConcurrencies(one)[0] ?? 0)
    expect(Math.abs(more - fewer - (30 * lowestRps) / 2)).toBeLessThanOrEqual(1)
  })

  test('ends where the highest rate was completed within the cutoffs', () => {
    const history = sweep(engine(80_000, (n) => completes(n < 100 ? n / 2 : 75)))
    expect(concurrenciesOf(history)).toEqual([36, 72, 144])
    expect(ratesOf(history)[3]).toBe(73_333)
  })

  test('never asks for more places than a quarter of the requests', () => {
    const small = manifestOf('embedded', {
      sweep: { rates_rps: 'auto' },
      client: { initial_scheduled_requests: 120, minimum_duration_seconds: 1 },
    })
    expect(Math.max(...explorationConcurrencies(small))).toBe(30)
  })

  test('ends where throughput stops rising, before any open rate', () => {
    const history = sweep(engine(20_000, (n) => completes(n < 144 ? n / 4 : 24 + (n - 144) / 120)))
    expect(concurrenciesOf(history)).toEqual([36, 72, 144, 288])
    expect(ratesOf(history).slice(3, 5)).toEqual([null, 25_000])
    expect(history.reasons[0]).toEqual({
      code: 'saturation',
      text: '25.2 RPS completed with 288 in flight: where the sweep began, never a capacity',
      value: 25.2,
    })
  })

  test('ends where the cutoffs are missed: what is beyond no open loop could carry', () => {
    const history = sweep(engine(20_000, usual))
    expect(concurrenciesOf(history)).toEqual([36, 72, 144, 288])
    // 22 RPS of closed loops were good: the highest rate below it is where the sweep begins.
    expect(ratesOf(history).slice(4, 6)).toEqual([20_000, 25_000])
  })

  test('never enters the bracket, whatever it says', () => {
    const history = sweep(engine(20_000, (n) => ({ outcome: 'pass', ratesRps: { completed: n, good: n } })))
    expect(bracketOf(history.points)).toMatchObject({ pass: 20_000, flukes: [] })
  })

  test('measures every declared concurrency, each once', () => {
    const listed = manifestWith({ saturation_concurrency: [128, 64, 64, 8] })
    expect(concurrenciesOf(sweep(engine(20_000, usual), listed))).toEqual([8, 64, 128])
  })
})

describe('a closed loop that tells nothing', () => {
  const crash: Evidence = {
    probe: 'stability.exit',
    state: 'fail',
    required: true,
    blames: 'engine',
    text: 'exited with 137',
  }
  const silent = { queue_trend: 'flat', successful: 0 } as const

  test.each([
    ['was invalid', told({}, 'invalid'), 'invalid'],
    ['was stopped early', told({ stoppedEarly: true }), 'stopped early, for its errors'],
    ['was answered nothing', told({ slo: silent }), 'no request succeeded'],
    ['cost the engine its life', told({ evidence: [crash] }), 'exited with 137'],
  ])('since it %s, is measured once more; then there are no rates, by name', (_what, closed, why) => {
    const { asked, reasons } = sweep(engine(20_000, closed))
    expect(asked.map((one) => [inFlight(one), one.key.repeat])).toEqual([
      [36, 1],
      [36, 2],
    ])
    expect(codes(reasons)).toEqual(['saturation_not_found', 'exploration_ended'])
    expect(reasons[1]?.text).toBe(`2 points at 36 in flight tell nothing: ${why}`)
  })

  test('counts no more once its repeat told something', () => {
    const once: Closed = (n, repeat) => (n === 36 && repeat === 1 ? { outcome: 'invalid' } : usual(n, repeat))
    const history = sweep(engine(20_000, once))
    expect(concurrenciesOf(history)).toEqual([36, 36, 72, 144, 288])
    expect(codes(history.reasons)).toEqual(['saturation'])
  })

  test('twice ends the test with what fewer in flight told', () => {
    const history = sweep(engine(20_000, (n) => (n > 72 ? { outcome: 'invalid' } : usual(n, 1))))
    expect(concurrenciesOf(history)).toEqual([36, 72, 144, 144])
    expect(codes(history.reasons)).toEqual(['saturation', 'exploration_ended'])
    // It began at 12 RPS of closed loops, and found the capacity all the same.
    expect(bracketOf(history.points)).toMatchObject({ pass: 20_000, fail: expect.any(Number) })
  })

  test('hides no loss: what is accepted is asked at the guard rate', () => {
    const dead: Engine = (asked) => ({
      outcome: 'fail',
      slo: { queue_trend: 'unknown', successful: 0 },
      ...(inFlight(asked) ? {} : {}),
    })
    const { asked, reasons } = sweep(dead, manifest, 25_000)
    expect(asked.map(({ rate }) => rate)).toEqual([null, null, 24_000, 24_000])
    expect(codes(reasons)).toEqual(['saturation_not_found', 'exploration_ended', 'guard_lost'])
  })
})

describe('the climb', () => {
  test('goes up in doubling strides where the closed loops told far too little', () => {
    const history = sweep(engine(50_000, told({ ratesRps: { completed: 6.4, good: 6.4 } }, 'undersampled')))
    const rates = ratesOf(history).filter((rate) => rate !== null)
    expect(rates.slice(0, 6)).toEqual([6300, 8000, 10_000, 16_000, 40_000, 73_333])
    expect(bracketOf(history.points)).toMatchObject({ pass: 50_000 })
  })

  test('goes down where the first rate fails already', () => {
    const history = sweep(engine(7000, told({ ratesRps: { completed: 51, good: 51 } }, 'undersampled')))
    const rates = ratesOf(history).filter((rate) => rate !== null)
    expect(rates.slice(0, 5)).toEqual([50_000, 40_000, 31_500, 20_000, 8000])
    expect(bracketOf(history.points).pass).toBeLessThanOrEqual(7000)
  })

  test('begins at half of the saturation where no closed loop met the cutoffs', () => {
    const history = sweep(engine(12_500, told({ ratesRps: { completed: 30, good: 1 } })))
    expect(ratesOf(history).slice(0, 4)).toEqual([null, null, 12_500, 16_000])
  })

  test('ends at the highest rate that the manifest admits, and says so', () => {
    const { points, reasons } = sweep(engine(99_000, told({ ratesRps: { completed: 90, good: 90 } }, 'undersampled')))
    expect(bracketOf(points)).toMatchObject({ pass: 73_333, fail: null })
    expect(codes(reasons)).toEqual(['saturation', 'highest_rate_passed'])
  })

  test('ends at the lowest rate that the manifest admits, and says so', () => {
    const { points, reasons } = sweep(engine(3000, told({ ratesRps: { completed: 3, good: 3 } }, 'undersampled')))
    expect(bracketOf(points)).toMatchObject({ pass: null, fail: 6112 })
    expect(codes(reasons)).toEqual(['saturation', 'lowest_rate_failed'])
  })

  test('ends between neighbours without refinement, and at once in a bracket that is narrow enough', () => {
    const coarse = sweep(engine(23_000, usual), manifestWith({ refine_step: 0 }))
    expect(bracketOf(coarse.points)).toMatchObject({ pass: 20_000, fail: 25_000 })
    const wide = sweep(engine(35_000, usual), manifestWith({ refine_step: 1 }))
    expect(bracketOf(wide.points)).toMatchObject({ pass: 31_500, fail: 50_000 })
  })

  const span = { min: RATES[0] ?? 0, max: (RATES.at(-1) ?? 0) - 1 }
  const given = fc.record({
    capacity: fc.integer(span),
    completed: fc.double({ min: 0.5, max: 200, noNaN: true }),
    other: fc.double({ min: 0.5, max: 200, noNaN: true }),
    isGood: fc.boolean(),
  })
  const answering = (completed: number, isGood: boolean) =>
    told({ ratesRps: { completed, good: isGood ? completed : 0 } }, 'undersampled')

  test('finds any capacity within the refinement, whatever the closed loops told, in few points', () => {
    fc.assert(
      fc.property(given, ({ capacity, completed, isGood }) => {
        const { points, asked } = sweep(engine(capacity, answering(completed, isGood)))
        const { pass, fail } = bracketOf(points)
        expect(pass).toBeLessThanOrEqual(capacity)
        expect(fail).toBeGreaterThan(capacity)
        expect(fail).toBeLessThanOrEqual((pass ?? 0) * 1.02 + 1)
        expect(asked.length).toBeLessThanOrEqual(16)
      }),
    )
  })

  test('comes to the same bracket from wherever it began', () => {
    fc.assert(
      fc.property(given, ({ capacity, completed, other, isGood }) => {
        const [one, two] = [completed, other].map((told) =>
          bracketOf(sweep(engine(capacity, answering(told, isGood))).points),
        )
        expect(one).toEqual(two)
      }),
    )
  })
})

test('a confirmation explores nothing', () => {
  const asked = { plan: 'confirm', manifest, cache: 'warm', baseline: { passMilliRps: 25_000 }, anchor: null } as const
  expect(ratesOf(follow(asked, engine(30_000, usual)))).toEqual([24_000])
})
