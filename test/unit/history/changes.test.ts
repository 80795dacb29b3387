import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findChanges, VALUES_MIN } from '../../../src/core/history/changes.ts'
import { eDivisive, SEGMENT_MIN, SIGNIFICANCE } from '../../../src/core/history/e-divisive.ts'
import { twoInARow } from '../../../src/core/history/two-in-a-row.ts'
import { wavering } from './point-fixture.ts'

const TOLERANCE = 0.04
const indices = (values: readonly number[]) => findChanges(values, TOLERANCE).map(({ index }) => index)

describe('two in a row', () => {
  it('need two, on the same side of the level', () => {
    expect(twoInARow([100, 101, 99, 100, 100, 95, 95], TOLERANCE)).toEqual([5])
    expect(twoInARow([100, 101, 99, 100, 100, 95, 100, 95, 100], TOLERANCE)).toEqual([])
    expect(twoInARow([100, 101, 99, 100, 100, 95, 105, 100], TOLERANCE)).toEqual([])
    expect(twoInARow([100, 101, 99, 100, 100, 105, 106], TOLERANCE)).toEqual([5])
  })

  it('lie beyond the tolerance, not on it', () => {
    expect(twoInARow([100, 100, 100, 100, 100, 96, 96], TOLERANCE)).toEqual([])
    expect(twoInARow([100, 100, 100, 100, 100, 95.9, 95.9], TOLERANCE)).toEqual([5])
  })

  it('make a new level, from which the way back is seen as soon', () => {
    expect(twoInARow([100, 100, 100, 100, 100, 90, 90, 100, 100, 100], TOLERANCE)).toEqual([5, 7])
  })
})

describe('E-divisive', () => {
  it('splits where the energy distance is the greatest', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 900, max: 1100 }), { minLength: 5, maxLength: 12 }), (former) => {
        const values = [...former, ...former.map((value) => value + 5000)]
        expect(eDivisive(values).map(({ index }) => index)).toContain(former.length)
        expect(widestByHand(values)).toBe(former.length)
      }),
      { numRuns: 50 },
    )
  })

  it('agrees with the formula written out', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 900, max: 1100 }), { minLength: 10, maxLength: 16 }),
        fc.integer({ min: 60, max: 400 }),
        (values, step) => {
          const stepped = values.map((value, index) => value + (index >= 6 ? step : 0))
          const splits = eDivisive(stepped)
          fc.pre(splits.length === 1)
          expect(splits[0]?.index).toBe(widestByHand(stepped))
        },
      ),
      { numRuns: 100 },
    )
  })

  it('finds several, and says how sure it is', () => {
    const values = [...wavering(12), ...wavering(12, 22_000), ...wavering(12, 25_000)]
    const splits = eDivisive(values)
    expect(splits.map(({ index }) => index)).toEqual([12, 24])
    expect(splits.every(({ p }) => p > 0 && p <= SIGNIFICANCE)).toBe(true)
  })

  it('says the same each time, and nothing of fewer than two segments', () => {
    const values = [...wavering(15), ...wavering(15, 23_000)]
    expect(eDivisive(values)).toEqual(eDivisive([...values]))
    expect(eDivisive([...wavering(SEGMENT_MIN), ...wavering(SEGMENT_MIN - 1, 12_000)])).toEqual([])
    expect(eDivisive(Array<number>(50).fill(24_000))).toEqual([])
  })
})

describe('the changes of a series', () => {
  it('are none while it is short, whatever it does', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 100_000 }), { maxLength: VALUES_MIN - 1 }), (values) => {
        expect(findChanges(values, TOLERANCE)).toEqual([])
      }),
    )
  })

  it('are none for a single spike, wherever and however high', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: VALUES_MIN, max: 60 }),
        fc.nat(),
        fc.constantFrom(0.01, 0.5, 0.8, 1.2, 20),
        (length, where, height) => {
          const values = wavering(length, 24_000, 0.008)
          values[where % length] = 24_000 * height
          expect(findChanges(values, TOLERANCE)).toEqual([])
        },
      ),
      { numRuns: 200 },
    )
  })

  it('show a loss beyond the tolerance on its second night', () => {
    const former = wavering(20)
    expect(indices([...former, 22_000])).toEqual([])
    expect(findChanges([...former, 22_000, 22_100], TOLERANCE)).toMatchObject([
      { index: 20, by: 'two-in-a-row', p: null, after: 22_050 },
    ])
  })

  it('show it then whatever the nights before were like', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -100, max: 100 }), { minLength: 8, maxLength: 35 }),
        fc.constantFrom(0.6, 0.9, 1.2),
        (noise, height) => {
          const former = noise.map((each) => 24_000 + each)
          const changes = findChanges([...former, 24_000 * height, 24_010 * height], TOLERANCE)
          expect(changes.map(({ index }) => index)).toEqual([former.length])
        },
      ),
      { numRuns: 200 },
    )
  })

  it('show a loss inside the tolerance once there are enough nights, and how large it is', () => {
    const [change, ...others] = findChanges([...wavering(20), ...wavering(10, 23_280)], TOLERANCE)
    expect(others).toEqual([])
    expect(change).toMatchObject({ index: 20, by: 'e-divisive' })
    expect(change?.share).toBeCloseTo(-0.03, 2)
  })

  it('are none where the level moves by less than half the tolerance, however sure that is', () => {
    const values = [...wavering(30, 24_000, 0.001), ...wavering(30, 23_760, 0.001)]
    expect(eDivisive(values)).toMatchObject([{ index: 30 }])
    expect(findChanges(values, TOLERANCE)).toEqual([])
  })

  it('show a fall and the way back, each once', () => {
    const values = [...wavering(20), ...wavering(12, 21_600), ...wavering(12)]
    expect(findChanges(values, TOLERANCE).map(({ index, share }) => [index, Math.sign(share)])).toEqual([
      [20, -1],
      [32, 1],
    ])
  })

  it('do not depend on the unit', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 22_000, max: 26_000 }), { minLength: 8, maxLength: 30 }),
        fc.constantFrom(2, 4, 0.5),
        (values, factor) => {
          expect(indices(values.map((value) => value * factor))).toEqual(indices(values))
        },
      ),
      { numRuns: 60 },
    )
  })
})

/** The first split by the definition: every pair of every candidate summed anew. */
function widestByHand(values: readonly number[]): number {
  const distance = (ones: readonly number[], others: readonly number[]) =>
    ones.flatMap((one) => others.map((other) => Math.abs(one - other))).reduce((sum, each) => sum + each, 0)
  let best = { at: 0, statistic: 0 }
  for (let at = SEGMENT_MIN; at <= values.length - SEGMENT_MIN; at += 1) {
    for (let end = at + SEGMENT_MIN; end <= values.length; end += 1) {
      const [x, y] = [values.slice(0, at), values.slice(at, end)]
      const [m, n] = [x.length, y.length]
      const energy =
        (2 / (m * n)) * distance(x, y) -
        distance(x, x) / 2 / ((m * (m - 1)) / 2) -
        distance(y, y) / 2 / ((n * (n - 1)) / 2)
      const statistic = ((m * n) / (m + n)) * energy
      if (statistic > best.statistic + 1e-9) best = { at, statistic }
    }
  }
  return best.at
}
