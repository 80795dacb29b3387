import { describe, expect, test } from 'vitest'
import { floorUnder } from '../../../src/core/capacity/accepted-floor.ts'
import { estimatePlan } from '../../../src/core/capacity/estimate.ts'
import { nextStep } from '../../../src/core/capacity/step.ts'
import { answers, carries, follow, ratesOf } from './synthetic-history.ts'
import type { Engine } from './synthetic-history.ts'
import { manifestOf } from './synthetic-point.ts'

const manifest = manifestOf('worked-example', { sweep: { rates_rps: [16, 20, 24, 28] } })
const accepted = { guardMilliRps: 23_040, floorMilliRps: 21_600 }
const given = {
  manifest,
  cache: 'warm',
  baseline: { passMilliRps: 24_000 },
  anchor: null,
  acceptedFloor: accepted,
} as const
const confirm = (engine: Engine) => follow({ plan: 'confirm', ...given }, engine)

test('a floor stands in for the guard rate it was accepted against, or a lower one', () => {
  expect(floorUnder(23_040, accepted)).toBe(21_600)
  expect(floorUnder(22_000, accepted)).toBe(21_600)
  expect(floorUnder(23_041, accepted)).toBeNull()
  expect(floorUnder(21_600, accepted)).toBeNull()
  expect(floorUnder(null, accepted)).toBeNull()
  expect(floorUnder(23_040, null)).toBeNull()
})

describe('a confirmation under an accepted loss', () => {
  test('asks at the guard rate alone where that is carried', () => {
    expect(ratesOf(confirm(carries(23_040)))).toEqual([23_040])
  })

  test('asks at the floor once the guard rate is lost, and is done where that is carried', () => {
    const history = confirm(carries(21_700))
    expect(ratesOf(history)).toEqual([23_040, 23_040, 21_600])
    expect(history.reasons).toMatchObject([{ code: 'guard_lost' }, { code: 'floor_held' }])
  })

  test('lets two of three boots decide at the floor, and states a deeper loss from there down', () => {
    const history = confirm(answers('fail', 'fail', 'fail', 'pass', 'fail', 'pass', 'pass'))
    expect(ratesOf(history)).toEqual([23_040, 23_040, 21_600, 21_600, 21_600, 19_970, 20_769])
    expect(new Set(history.asked.slice(2, 5).map(({ boot }) => boot)).size).toBe(3)
    expect(history.reasons.map(({ code }) => code)).toEqual(['guard_lost', 'floor_lost', 'loss_found'])
  })

  test('ends undecided where the floor says nothing twice', () => {
    const { reasons } = confirm(answers('fail', 'fail', 'invalid', 'unknown'))
    expect(reasons.map(({ code }) => code)).toEqual(['guard_lost', 'floor_inconclusive'])
  })

  test('asks nothing more of an engine that carries nothing', () => {
    const points = confirm(answers('fail', 'fail', 'pass')).points.slice(0, 2)
    const dead = points.map((point) => ({ ...point, slo: { ...point.slo, successful: 0 } }))
    expect(nextStep({ plan: 'confirm', ...given, points: dead })).toMatchObject({
      do: 'done',
      reasons: [{ code: 'guard_lost' }, { code: 'carries_nothing' }],
    })
  })
})

describe('a sweep under an accepted loss', () => {
  const sweep = (capacity: number, floorMilliRps: number) =>
    follow({ plan: 'sweep', ...given, acceptedFloor: { guardMilliRps: 23_040, floorMilliRps } }, carries(capacity))

  test('asks nothing more where its bracket passes at the floor or above', () => {
    const history = sweep(21_700, 20_000)
    expect(ratesOf(history)).not.toContain(20_001)
    expect(history.reasons.map(({ code }) => code)).toEqual(['guard_lost'])
  })

  test('asks at a floor that its bracket does not reach, by two boots where a rate up to it failed', () => {
    const history = sweep(18_000, 19_000)
    expect(ratesOf(history).filter((rate) => rate === 19_000)).toHaveLength(2)
    expect(history.reasons.map(({ code }) => code)).toEqual(['guard_lost', 'floor_lost'])
  })
})

test('a plan’s estimate counts the floor, should less be carried', () => {
  const record = { capacity: [{ cache: 'warm' as const, passMilliRps: 24_000 }] }
  const input = { manifest, plan: 'confirm' as const, caches: ['warm'] as const, baseline: record, anchor: null }
  const plain = estimatePlan(input)
  const under = estimatePlan({ ...input, acceptedFloors: { warm: { guardMilliRps: 23_040, floorMilliRps: 21_600 } } })
  expect([under.seconds, under.points]).toEqual([plain.seconds, plain.points])
  expect(under.ifLessSeconds).not.toBe(plain.ifLessSeconds)
})
