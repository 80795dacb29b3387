import { describe, expect, test } from 'vitest'
import { promote } from '../../../src/app/promote.ts'
import { bootSpreadOf } from '../../../src/core/capacity/boot-spread.ts'
import type { CapacityRecord, CapacityResult } from '../../../src/core/capacity/record.ts'
import { spreadFindings } from '../../../src/core/gate/pooled-spread.ts'
import { acceptance } from '../../fakes/promotion.ts'
import { fakeStore } from '../../fakes/store.ts'
import { baseline, experimentValue, point, record, result, withExperiment } from './record-fixture.ts'

/** A sweep whose pass rate was measured on a boot for each attainment. */
function swept(cache: 'cold' | 'warm', ...attainments: number[]): CapacityResult {
  const points = attainments.map((attainment, index) =>
    point({ cache, milliRps: 24_000, repeat: index + 1, deployId: `${cache}-boot-${index + 1}`, attainment }),
  )
  const deployId = `${cache}-boot-${attainments.length}`
  const fail = point({ cache, milliRps: 24_500, outcome: 'fail', deployId, attainment: 0.93 })
  return result('sweep', [...points, fail])
}

const STEADY = [0.966, 0.964, 0.965]
const UNSTEADY = [0.99, 0.96, 0.965]
const steady = (day = 20): CapacityRecord => record([swept('cold', ...STEADY)], at(day))
const unsteady = (day = 20): CapacityRecord => record([swept('cold', ...UNSTEADY)], at(day))
const at = (day: number) => ({ createdAt: `2026-11-${String(day).padStart(2, '0')}T08:00:00.000Z` })
const shareOf = ({ capacity: [first] }: CapacityRecord): number =>
  bootSpreadOf(first?.points ?? [], first?.passMilliRps ?? null).share ?? Number.NaN
const codes = (found: ReturnType<typeof spreadFindings>) => ({
  warnings: found.warnings.map(({ code }) => code),
  obstacles: found.obstacles.map(({ code }) => code),
})

describe('the pooled spread', () => {
  test('alone is the record’s own', () => {
    const { spreads } = spreadFindings(steady(), [])
    expect(spreads).toEqual([{ cache: 'cold', share: expect.closeTo(shareOf(steady()), 12) as number, boots: 3 }])
  })

  test('weighs variances by their degrees of freedom', () => {
    const five = record([swept('cold', ...UNSTEADY, 0.97, 0.962)], at(1))
    const { spreads } = spreadFindings(steady(), [five])
    const expected = Math.sqrt((2 * shareOf(steady()) ** 2 + 4 * shareOf(five) ** 2) / 6)
    expect(spreads).toEqual([{ cache: 'cold', share: expect.closeTo(expected, 12) as number, boots: 8 }])
  })

  test('is one for each cache state', () => {
    const both = record([swept('cold', ...STEADY), swept('warm', ...UNSTEADY)])
    const found = spreadFindings(both, [])
    expect(found.spreads.map(({ cache, boots }) => [cache, boots])).toEqual([
      ['cold', 3],
      ['warm', 3],
    ])
    expect(found.warnings.map(({ code, text }) => [code, text.slice(0, 4)])).toEqual([
      ['tolerance_below_spread', 'warm'],
    ])
  })

  test('counts a record once, also when it was accepted before', () => {
    expect(spreadFindings(steady(), [steady(), steady()]).spreads).toMatchObject([{ boots: 3 }])
  })

  test.each([
    ['another experiment', withExperiment(experimentValue({ capacity_tolerance: 0.05 }))],
    ['other hardware', { hardware: { mustEqual: { gpu: 'NVIDIA H200' }, recorded: {} } }],
    ['unknown hardware', { hardware: { mustEqual: {}, recorded: {} } }],
    ['another kind', { kind: 'simulated' as const }],
  ])('leaves out records of %s', (_, change) => {
    expect(spreadFindings(steady(), [{ ...unsteady(1), ...change }]).spreads).toMatchObject([{ boots: 3 }])
  })

  test('is taken from the points, whatever a record says of itself', () => {
    const lying = record([{ ...swept('cold', ...UNSTEADY), bootSpread: 0 }], at(1))
    expect(spreadFindings(steady(), [lying]).spreads[0]?.share).toBeGreaterThan(shareOf(steady()) * 2)
  })
})

describe('a tolerance', () => {
  test('of three spreads and more says nothing', () => {
    expect(codes(spreadFindings(steady(), [steady(1)]))).toEqual({ warnings: [], obstacles: [] })
  })

  test('of less warns below ten boots, and is refused from ten on', () => {
    const few = spreadFindings(unsteady(), [unsteady(1), unsteady(2)])
    expect(few.spreads).toMatchObject([{ boots: 9 }])
    expect(codes(few)).toEqual({ warnings: ['tolerance_below_spread'], obstacles: [] })
    const ten = spreadFindings(record([swept('cold', ...UNSTEADY, 0.97)]), [unsteady(1), unsteady(2)])
    expect(ten.spreads).toMatchObject([{ boots: 10 }])
    expect(codes(ten)).toEqual({ warnings: [], obstacles: ['tolerance_below_spread'] })
  })

  test('is named with a number that is enough', () => {
    const [warning] = spreadFindings(unsteady(), []).warnings
    const advised = Number(/raise capacity_tolerance to ([\d.]+) /.exec(warning?.text ?? '')?.[1])
    expect(advised).toBeGreaterThanOrEqual(3 * shareOf(unsteady()))
    expect(advised).toBeLessThan(3 * shareOf(unsteady()) + 0.001)
    const mended = withExperiment(experimentValue({ capacity_tolerance: advised }))
    expect(codes(spreadFindings({ ...unsteady(), ...mended }, []))).toEqual({ warnings: [], obstacles: [] })
  })

  test('is held to the history where the record itself measured none, and that is said', () => {
    const once = record([swept('cold', 0.965)])
    expect(codes(spreadFindings(once, []))).toEqual({ warnings: ['spread_not_measured'], obstacles: [] })
    expect(spreadFindings(once, []).warnings[0]?.text).toMatch(/1 of 3 boots; .*repeats: 3/)
    const held = spreadFindings(once, [unsteady(1)])
    expect(codes(held).warnings).toEqual(['spread_not_measured', 'tolerance_below_spread'])
  })
})

describe('promoting', () => {
  const asked = (candidate: CapacityRecord) => ({
    file: 'capacity.json',
    record: candidate,
    anchor: false,
    newExperiment: false,
    acceptance: acceptance(),
    verdict: null,
  })

  test('says the spreads and warns', async () => {
    const promoted = await promote(fakeStore(), asked(unsteady()))
    expect(promoted.bootSpreads).toMatchObject([{ cache: 'cold', boots: 3 }])
    expect(promoted.warnings).toMatchObject([{ code: 'tolerance_below_spread' }])
    const unmeasured = await promote(fakeStore(), asked(baseline()))
    expect(unmeasured.warnings.map(({ code }) => code)).toEqual(['spread_not_measured', 'spread_not_measured'])
  })

  test('is refused from ten boots of the store’s history on, and then nothing is accepted', async () => {
    const store = fakeStore()
    for (const day of [1, 2, 3]) await promote(store, asked(unsteady(day)))
    const refused = promote(store, asked(unsteady(4)))
    await expect(refused).rejects.toMatchObject({ code: 'tolerance_below_spread', exitCode: 4 })
    await expect(refused).rejects.toThrow(/12 boots.*raise capacity_tolerance to 0\.\d+ or steady the machine/)
    expect(await store.history(unsteady())).toHaveLength(3)
  })

  test('says first what a sweep lacks', async () => {
    const store = fakeStore()
    await expect(promote(store, asked(record([])))).rejects.toMatchObject({ code: 'not_promotable', exitCode: 4 })
  })
})
