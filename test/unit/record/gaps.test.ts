import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { ChunkHistograms, decodeGaps, encodeGaps, encodeRawGaps, GapHistogram } from '../../../src/core/record/gaps.ts'

const gap = fc.oneof(
  fc.nat({ max: 200 }),
  fc.nat({ max: 100_000 }),
  fc.nat({ max: 0x7fff_ffff }),
  fc.constant(4_000_000_000),
)
const tokenList = fc.array(fc.oneof(fc.nat({ max: 40 }), fc.nat({ max: 3000 }), fc.constant(2 ** 31 - 1)), {
  maxLength: 40,
})
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
        const all = histogramOf([...left, ...right])
        const { count, sumUs, maxUs } = merged
        expect([count, sumUs, maxUs, merged.bins()]).toEqual([all.count, all.sumUs, all.maxUs, all.bins()])
      }),
    )
  })

  it('has no percentile without gaps, and takes a negative gap as none', () => {
    expect(new GapHistogram().percentileUs(0.5)).toBeNull()
    expect(histogramOf([-3, 0.9]).bins()).toEqual([[0, 2]])
  })
})

const noTokens = { unknown: 0, tokens: 0, max: 0, bins: [] }
const withClass = (stored: object) =>
  JSON.stringify({ schema: 1, unit: 'us', classes: { a: { ...stored, tokensPerChunk: noTokens } } })
const withTokens = (tokensPerChunk: object) =>
  JSON.stringify({ schema: 1, unit: 'us', classes: { a: { count: 0, sumUs: 0, maxUs: 0, bins: [], tokensPerChunk } } })

describe('gaps.json', () => {
  it('gives back the histograms', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('b', 'a', '10', '9'), fc.tuple(gapList, tokenList)), (lists) => {
        const histograms = new Map(
          Object.entries(lists).map(([name, [gapsUs, tokensPerChunk]]) => {
            const chunks = new ChunkHistograms()
            chunks.add({ gapsUs, tokensPerChunk })
            return [name, chunks]
          }),
        )
        const text = encodeGaps(histograms)
        const back = decodeGaps(text)
        expect(encodeGaps(back)).toBe(text)
        for (const [name, { gaps, tokens }] of histograms) {
          const { count, sumUs, maxUs } = gaps
          expect(back.get(name)?.gaps).toMatchObject({ count, sumUs, maxUs })
          const { unknown, known, max } = tokens
          expect(back.get(name)?.tokens).toMatchObject({ unknown, known, max, tokens: tokens.tokens })
        }
      }),
    )
    expect(decodeGaps(encodeGaps(new Map([['empty', new ChunkHistograms()]]))).get('empty')?.gaps.count).toBe(0)
  })

  it('keeps chunks of unknown tokens apart from those of one', () => {
    const chunks = new ChunkHistograms()
    chunks.add({ gapsUs: [10, 20, 30], tokensPerChunk: [0, 1, 1, 4] })
    const stored = JSON.parse(encodeGaps(new Map([['a', chunks]]))) as { classes: Record<string, object> }
    const tokensPerChunk = {
      unknown: 1,
      tokens: 6,
      max: 4,
      bins: [
        [1, 2],
        [4, 1],
      ],
    }
    expect(stored.classes['a']).toMatchObject({ count: 3, sumUs: 60, tokensPerChunk })
  })

  it.each([
    ['', 'no JSON'],
    ['[]', ''],
    ['{"schema":2,"unit":"us","classes":{}}', 'schema'],
    ['{"schema":1,"unit":"us","classes":{"a":{"count":0,"sumUs":0,"maxUs":0,"bins":[]}}}', 'tokensPerChunk'],
    [withClass({ count: 1, sumUs: 1000, maxUs: 1000, bins: [[1001, 1]] }), 'starts no bin'],
    [withClass({ count: 2, sumUs: 5, maxUs: 5, bins: [[5, 1]] }), 'add up'],
    [withClass({ count: 1, sumUs: 5, maxUs: 9, bins: [[5, 1]] }), 'largest'],
    [withClass({ count: 1, sumUs: 5, maxUs: 5, bins: [[5, -1]] }), 'bins'],
    [withTokens({ unknown: 0, tokens: 2, max: 1, bins: [[1, 3]] }), 'add up'],
    [withTokens({ unknown: 0, tokens: 3, max: 2, bins: [[1, 3]] }), 'add up'],
    [withTokens({ unknown: 0, tokens: 0, max: 0, bins: [[0, 3]] }), 'add up'],
    [withTokens({ unknown: 0, tokens: 1025, max: 1025, bins: [[1025, 1]] }), 'add up'],
    [withTokens({ unknown: 0, tokens: 1023, max: 1024, bins: [[1024, 1]] }), 'add up'],
    [withTokens({ unknown: -1, tokens: 0, max: 0, bins: [] }), 'unknown'],
  ])('%s is damaged', (text, what) => {
    expect(() => decodeGaps(text)).toThrow(expect.objectContaining({ code: 'gaps_damaged', exitCode: 4 }))
    expect(() => decodeGaps(text)).toThrow(what)
  })
})

test('a line of gaps.jsonl.gz has every gap and the tokens of every chunk, as they were', () => {
  const line = encodeRawGaps('r-1', { gapsUs: [5, 0, 70_000], tokensPerChunk: [1, 0, 4, 1] })
  expect(line).toBe('{"id":"r-1","gapsUs":[5,0,70000],"tokensPerChunk":[1,0,4,1]}')
})
