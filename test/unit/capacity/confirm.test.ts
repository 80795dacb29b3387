import { describe, expect, test } from 'vitest'
import { guardMilliRps } from '../../../src/core/capacity/guard-rate.ts'
import { nextStep } from '../../../src/core/capacity/step.ts'
import { randomStream } from '../../../src/core/schedule/random.ts'
import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { answers, carries, follow, ratesOf } from './synthetic-history.ts'
import type { Engine } from './synthetic-history.ts'
import { manifestOf } from './synthetic-point.ts'

const manifest = manifestOf('worked-example', { sweep: { rates_rps: [16, 20, 24, 28] } })
const confirm = (engine: Engine, baseline: number | null = 24_000, over = manifest) =>
  follow(
    {
      plan: 'confirm',
      manifest: over,
      cache: 'warm',
      baseline: baseline === null ? null : { passMilliRps: baseline },
      anchor: null,
    },
    engine,
  )

describe('the guard rate', () => {
  const acceptance = { capacity_tolerance: 0.04 }

  test('is the highest of the baseline and the anchor less the tolerance, and the minimum', () => {
    const of = (baselineMilliRps: number | null, anchorMilliRps: number | null, min_capacity_rps?: number) =>
      guardMilliRps({
        baselineMilliRps,
        anchorMilliRps,
        acceptance: min_capacity_rps === undefined ? acceptance : { ...acceptance, min_capacity_rps },
      })
    expect(of(24_000, null)).toBe(23_040)
    expect(of(24_000, 25_000)).toBe(24_000)
    expect(of(24_000, 25_000, 24.5)).toBe(24_500)
    expect(of(null, null, 20)).toBe(20_000)
    expect(of(null, null)).toBeNull()
    expect(of(10_001, null)).toBe(9601)
  })
})

describe('at the guard rate', () => {
  test('a first repeat that passes holds', () => {
    const history = confirm(carries(23_040))
    expect(history.asked).toMatchObject([{ rate: 23_040, boot: 'boot-1', key: { cache: 'warm', repeat: 1 } }])
    expect(history.reasons).toMatchObject([{ code: 'guard_held' }])
  })

  test('a fail is repeated on fresh boots, and two of three decide', () => {
    const held = confirm(answers('fail', 'pass', 'pass'))
    expect(held.asked.map(({ boot }) => boot)).toEqual(['boot-1', 'boot-2', 'boot-3'])
    expect(held.reasons).toMatchObject([{ code: 'guard_held' }])
    const lost = confirm(answers('fail', 'pass', 'fail', 'pass', 'pass'))
    expect(lost.reasons[0]).toMatchObject({ code: 'guard_lost' })
    expect(ratesOf(lost).slice(0, 3)).toEqual([23_040, 23_040, 23_040])
  })

  test('two fails decide without a third', () => {
    expect(ratesOf(confirm(answers('fail', 'fail', 'pass', 'pass')))).toEqual([23_040, 23_040, 21_302, 22_154])
  })

  test.each(['invalid', 'unknown', 'undersampled'] as const)('%s is run once more', (outcome) => {
    expect(confirm(answers(outcome, 'pass')).reasons).toMatchObject([{ code: 'guard_held' }])
    expect(confirm(answers('fail', outcome, 'pass', outcome, 'pass')).reasons).toMatchObject([{ code: 'guard_held' }])
    expect(confirm(answers(outcome, outcome)).reasons).toMatchObject([{ code: 'guard_inconclusive' }])
    expect(confirm(answers('fail', outcome, outcome)).reasons).toMatchObject([{ code: 'guard_inconclusive' }])
  })

  test('without baseline, anchor and minimum there is nothing to confirm', () => {
    expect(confirm(answers(), null).reasons).toMatchObject([{ code: 'nothing_to_confirm' }])
  })

  test('the declared minimum is confirmed without a baseline', () => {
    const least = manifestOf('worked-example', { acceptance: { min_capacity_rps: 20 } })
    expect(ratesOf(confirm(carries(20_000), null, least))).toEqual([20_000])
  })
})

describe('the size of a loss', () => {
  test.each([
    [0.97, 2],
    [0.95, 2],
    [0.9, 3],
    [0.7, 7],
  ])('at %d of the guard rate: within one tolerance after %i points', (share, points) => {
    const history = confirm(carries(23_040 * share))
    expect(history.asked.length - 2).toBe(points)
    const { code, value = 0, limit = 0 } = history.reasons.at(-1) ?? {}
    expect(code).toBe('loss_found')
    expect(value * 1000).toBeLessThanOrEqual(23_040 * share)
    expect(limit * 1000).toBeGreaterThan(23_040 * share)
    expect(limit / value).toBeLessThan(1.0401)
  })

  test('is not searched below the rate at which the schedule fits, nor of an engine that carries nothing', () => {
    const short = { ...manifest, client: { ...manifest.client, maximum_duration_seconds: 1500 } }
    const history = confirm(carries(1000), 24_000, short)
    expect(history.reasons.at(-1)).toMatchObject({ code: 'loss_unbounded', limit: 16.835 })
    expect(ratesOf(history)).toEqual([23_040, 23_040, 21_302, 19_695, 16_835])
    const points = confirm(answers('fail', 'fail', 'pass', 'pass')).points.slice(0, 2)
    const dead = points.map((point) => ({ ...point, slo: { ...point.slo, successful: 0 } }))
    const baseline = { passMilliRps: 24_000 }
    const step = nextStep({ plan: 'confirm', manifest, cache: 'warm', baseline, anchor: null, points: dead })
    expect(step).toMatchObject({ do: 'done', reasons: [{ code: 'guard_lost' }, { code: 'carries_nothing' }] })
  })

  test('ends the search, not the verdict, where a rate says nothing twice', () => {
    const { reasons } = confirm(answers('fail', 'fail', 'invalid', 'invalid'))
    expect(reasons).toMatchObject([{ code: 'guard_lost' }, { code: 'loss_not_stated' }])
  })
})

/** Boots differ by `spread`, repeats on one boot by a third of it; a point passes where its boot's capacity reaches the rate. */
function wavering(capacity: number, spread: number, seed: string): Engine {
  const normal = (label: string) => {
    const random = randomStream(`${seed}/${label}`)
    return Array.from({ length: 12 }, () => uniformInt(random, 0, 0xffff) / 0xffff).reduce((sum, u) => sum + u, -6)
  }
  return ({ rate, boot, key }) => {
    const carried = capacity * (1 + spread * normal(boot)) * (1 + (spread / 3) * normal(`${boot}/${key.repeat}`))
    return (rate ?? 0) <= carried ? 'pass' : 'fail'
  }
}

test('on a synthetic engine whose boots spread by 1.5 %: under 1 % false alarms and missed losses of a tenth', () => {
  const trials = 2000
  const regressed = (capacity: number) =>
    Array.from({ length: trials }, (_, trial) => confirm(wavering(capacity, 0.015, `${capacity}/${trial}`))).filter(
      ({ reasons }) => reasons[0]?.code === 'guard_lost',
    ).length / trials
  expect(regressed(24_000)).toBeLessThan(0.01)
  expect(1 - regressed(24_000 * 0.9)).toBeLessThan(0.01)
  const repeats = Array.from({ length: trials }, (_, n) => confirm(wavering(24_000, 0.015, `r/${n}`)).asked.length)
  expect(repeats.reduce((sum, count) => sum + count, 0) / trials).toBeLessThan(1.1)
})
