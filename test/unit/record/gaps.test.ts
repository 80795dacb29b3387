import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeGaps, encodeGaps, GapHistogram } from '../../../src/core/record/gaps.ts'

const gap = fc.oneof(
  fc.nat({ max: 200 }),
  fc.nat({ max: 100_000 }),
  fc.nat({ max: 0x7fff_ffff }),
  fc.constant(4_000_000_000),
)
const gapList = fc.array(gap, { minLength: 1, maxLength: 200 })

function histogramOf(gaps: readonly number[]): GapHistogram {
  const histogram = new GapHistogram()
  histogram.addAll(gaps)
  return histogram
}

describe('a gap histogram', () => {
  it('keeps count, sum and largest exactly, and every percentile within half a percent', () => {
    fc.assert(
      fc.property(gapList, fc.double({ min: 0, max: 1, noNaN: true }), (gaps, probability) => {
        const histogram = histogramOf(gaps)
        const ascending = gaps.toSorted((a, b) => a - b)
        const exact = ascending[Math.max(0, Math.ceil(probability * gaps.length) - 1)] ?? 0
        expect(histogram.count).toBe(gaps.length)
        expect(histogram.sumUs).toBe(gaps.reduce((sum, each) => sum + each, 0))
        expect(histogram.maxUs).toBe(ascending.at(-1))
        const off = Math.abs((histogram.percentileUs(probability) ?? Number.NaN) - exact)
        const isLong = exact >= 3_600_000_000
        expect(off).toBeLessThanOrEqual(isLong ? Number.POSITIVE_INFINITY : exact < 100 ? 0 : exact * 0.005)
      }),
      { numRuns: 500 },
    )
  })

  it('has bins of 1 % at most, and of 1 µs where that is finer', () => {
    const floors = histogramOf(Array.from({ length: 400_000 }, (_, us) => us)).bins()
    expect(floors.reduce((sum, [, count]) => sum + count, 0)).toBe(400_000)
    for (const [i, [floor, count]] of floors.slice(0, -1).entries()) {
      expect(count).toBe((floors[i + 1]?.[0] ?? 0) - floor)
      expect(count).toBeLessThanOrEqual(Math.max(1, floor / 100))
    }
  })

  it('merges as if all gaps had come to one', () => {
    fc.assert(
      fc.property(gapList, gapList, (left, right) => {
        const merged = histogramOf(left)
        merged.merge(histogramOf(right))
        expect(encodeGaps(new Map([['a', merged]]))).toBe(
          encodeGaps(new Map([['a', histogramOf([...left, ...right])]])),
        )
      }),
    )
  })

  it('has no percentile without gaps, and takes a negative gap as none', () => {
    expect(new GapHistogram().percentileUs(0.5)).toBeNull()
    expect(histogramOf([-3, 0.9]).bins()).toEqual([[0, 2]])
  })
})

describe('gaps.json', () => {
  it('gives back the histograms', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('b', 'a', '10', '9'), gapList), (lists) => {
        const histograms = new Map(Object.entries(lists).map(([name, gaps]) => [name, histogramOf(gaps)]))
        const text = encodeGaps(histograms)
        const back = decodeGaps(text)
        expect(encodeGaps(back)).toBe(text)
        for (const [name, { count, sumUs, maxUs }] of histograms)
          expect(back.get(name)).toMatchObject({ count, sumUs, maxUs })
      }),
    )
    expect(decodeGaps(encodeGaps(new Map([['empty', new GapHistogram()]]))).get('empty')?.count).toBe(0)
  })

  it.each([
    ['', 'no JSON'],
    ['[]', ''],
    ['{"schema":2,"unit":"us","classes":{}}', 'schema'],
    [
      '{"schema":1,"unit":"us","classes":{"a":{"count":1,"sumUs":1000,"maxUs":1000,"bins":[[1001,1]]}}}',
      'starts no bin',
    ],
    ['{"schema":1,"unit":"us","classes":{"a":{"count":2,"sumUs":5,"maxUs":5,"bins":[[5,1]]}}}', 'add up'],
    ['{"schema":1,"unit":"us","classes":{"a":{"count":1,"sumUs":5,"maxUs":9,"bins":[[5,1]]}}}', 'largest'],
    ['{"schema":1,"unit":"us","classes":{"a":{"count":1,"sumUs":5,"maxUs":5,"bins":[[5,-1]]}}}', 'bins'],
  ])('%s is damaged', (text, what) => {
    expect(() => decodeGaps(text)).toThrow(expect.objectContaining({ code: 'gaps_damaged', exitCode: 4 }))
    expect(() => decodeGaps(text)).toThrow(what)
  })
})
