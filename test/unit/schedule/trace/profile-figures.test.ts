import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { randomStream } from '../../../../src/core/schedule/random.ts'
import { exponentialGapUs } from '../../../../src/core/schedule/arrivals.ts'
import { ArrivalStatistics } from '../../../../src/core/schedule/trace/profile/arrival-statistics.ts'
import { JointLengths } from '../../../../src/core/schedule/trace/profile/joint-lengths.ts'
import { binFloor, logBin, LogHistogram } from '../../../../src/core/schedule/trace/profile/log-bins.ts'
import { ReuseDistance } from '../../../../src/core/schedule/trace/profile/reuse-distance.ts'
import { SessionStatistics } from '../../../../src/core/schedule/trace/profile/session-statistics.ts'
import { mixNumber, SpatialSample, textKey } from '../../../../src/core/schedule/trace/profile/spatial-sample.ts'
import { profileText } from '../../../../src/core/schedule/trace/profile/profile-text.ts'
import { TraceProfiler } from '../../../../src/core/schedule/trace/profile/trace-profile.ts'

const ROW = { class: null, session: null, blocks: null }

const length = fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 100_000_000 }))
const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0)
const mean = (values: readonly number[]) => sum(values) / values.length

describe('log bins', () => {
  test('each number lies in its bin, bins rise, and are as narrow as said', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 31 - 1 }), fc.constantFrom(3, 7), (value, bits) => {
        const bin = logBin(value, bits)
        const [from, next] = [binFloor(bin, bits), binFloor(bin + 1, bits)]
        expect(from <= value && value < next).toBe(true)
        expect(next - from === 1 || (next - from) / from <= 1 / 2 ** bits).toBe(true)
      }),
    )
    expect(logBin(2 ** 53, 7)).toBe(logBin(2 ** 31 - 1, 7))
  })

  test('quantiles are nearest rank to 1 %, mean and ends exact', () => {
    fc.assert(
      fc.property(
        fc.array(length, { minLength: 1, maxLength: 80 }),
        fc.double({ min: 0.001, max: 1, noNaN: true }),
        (values, p) => {
          const histogram = new LogHistogram(7)
          for (const value of values) histogram.add(value)
          const sorted = values.toSorted((a, b) => a - b)
          const exact = sorted[Math.max(1, Math.ceil(p * values.length - 1e-9)) - 1] ?? 0
          const found = histogram.quantile(p) ?? -1
          expect(Math.abs(found - exact) / exact).toBeLessThanOrEqual(exact < 256 ? 0 : 1 / 128)
          expect(histogram.mean).toBeCloseTo(mean(values), 3)
          expect([histogram.least, histogram.largest]).toEqual([sorted[0], sorted.at(-1)])
        },
      ),
    )
    expect(new LogHistogram(7).quantile(0.5)).toBeNull()
  })
})

describe('the lengths together', () => {
  /** Pearson's correlation of the middle ranks of the bins, straight from the definition. */
  function spearman(pairs: readonly (readonly [number, number])[]): number | null {
    const ranks = (values: number[]) =>
      values.map(
        (value) =>
          values.filter((other) => other < value).length + (values.filter((other) => other === value).length + 1) / 2,
      )
    const [x, y] = [
      ranks(pairs.map(([input]) => logBin(input, 3))),
      ranks(pairs.map(([, output]) => logBin(output, 3))),
    ]
    const [mx, my] = [mean(x), mean(y)]
    const [sx, sy] = [sum(x.map((rank) => (rank - mx) ** 2)), sum(y.map((rank) => (rank - my) ** 2))]
    return sx === 0 || sy === 0
      ? null
      : sum(x.map((rank, index) => (rank - mx) * ((y[index] ?? 0) - my))) / Math.sqrt(sx * sy)
  }

  test('Spearman’s correlation is that of the definition', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(length, length), { minLength: 1, maxLength: 40 }), (pairs) => {
        const joint = new JointLengths()
        for (const [input, output] of pairs) joint.add(input, output)
        const expected = spearman(pairs)
        const found = joint.spearman()
        expect(found === null).toBe(expected === null)
        expect(found ?? 0).toBeCloseTo(expected ?? 0, 9)
      }),
    )
  })
})

test('lengths that vary within one bin have no correlation, and are not said to be one length', () => {
  const profiler = new TraceProfiler()
  for (let i = 0; i < 40; i++) {
    const inputTokens = 1025 + 3 * i
    profiler.add({ ...ROW, atUs: i * 1000, inputTokens, outputTokens: inputTokens, line: i + 1 })
  }
  const profile = profiler.profile({ format: 'mooncake', failed: 0 }, 3)
  expect(profile.lengthCorrelation).toBeNull()
  expect(profileText(profile)).toContain('one of them varies by less than a bin of 12 %: there is no correlation')
})

describe('arrivals', () => {
  const statistics = (times: readonly number[]) => {
    const arrivals = new ArrivalStatistics()
    for (const time of times) arrivals.add(time)
    return arrivals.profile()
  }
  const accumulate = (gaps: readonly number[]) =>
    gaps.map(
      (
        (total) => (gap: number) =>
          (total += gap)
      )(0),
    )

  test('every figure is that of its definition', () => {
    const gaps = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 3_000_000 })), {
      minLength: 1,
      maxLength: 80,
    })
    fc.assert(
      fc.property(
        gaps.filter((found) => sum(found) > 0),
        (found) => {
          const times = [0, ...accumulate(found)]
          const profile = statistics(times)
          const deviation = Math.sqrt(mean(found.map((gap) => (gap - mean(found)) ** 2)))
          expect(profile.meanRps).toBeCloseTo(1e6 / mean(found), 9)
          expect(profile.gapCv).toBeCloseTo(deviation / mean(found), 6)
          expect(profile.burstiness).toBeCloseTo((deviation - mean(found)) / (deviation + mean(found)), 6)
          expect(profile.simultaneousShare).toBeCloseTo(found.filter((gap) => gap === 0).length / times.length, 12)
          for (const { seconds, windows, meanRequests, indexOfDispersion, peakOverMean } of profile.windows) {
            const counts = Array.from(
              { length: windows },
              (_, index) => times.filter((time) => Math.floor(time / 1e6 / seconds) === index).length,
            )
            expect(windows).toBe(Math.floor((times.at(-1) ?? 0) / 1e6 / seconds))
            expect(meanRequests).toBeCloseTo(mean(counts), 9)
            expect(indexOfDispersion).toBeCloseTo(
              mean(counts.map((count) => (count - mean(counts)) ** 2)) / mean(counts),
              6,
            )
            expect(peakOverMean).toBeCloseTo(Math.max(...counts) / mean(counts), 9)
          }
        },
      ),
    )
  })

  test('a Poisson process has dispersion 1 at every width, and no burstiness', () => {
    const random = randomStream('profile of a Poisson process')
    const { gapCv, burstiness, gammaShape, windows } = statistics(
      accumulate(Array.from({ length: 60_000 }, () => exponentialGapUs(random))),
    )
    expect(gapCv).toBeCloseTo(1, 1)
    expect(Math.abs(burstiness ?? 1)).toBeLessThan(0.02)
    expect(gammaShape).toBeCloseTo(1, 1)
    expect(windows.map(({ seconds }) => seconds)).toEqual([0.1, 1, 10, 60, 600, 3600])
    for (const { indexOfDispersion, windows: count } of windows) {
      // Five standard errors of a variance.
      expect(Math.abs(indexOfDispersion - 1)).toBeLessThan(5 * Math.sqrt(2 / count))
    }
  })

  test('even arrivals and arrivals all at once are told as what they are', () => {
    expect(statistics(accumulate(Array.from({ length: 50 }, () => 1_000_000)))).toMatchObject({
      gapCv: 0,
      burstiness: -1,
      gammaShape: null,
    })
    expect(statistics([0, 0, 0])).toMatchObject({
      meanRps: null,
      gapCv: null,
      burstiness: null,
      windows: [],
      requests: 3,
    })
    expect(statistics([0])).toMatchObject({ meanRps: null, requests: 1 })
  })
})

describe('reuse of blocks', () => {
  const prompts = fc.array(fc.uniqueArray(fc.integer({ min: 0, max: 25 }), { minLength: 1, maxLength: 6 }), {
    minLength: 1,
    maxLength: 30,
  })

  /** How many blocks an LRU cache that is asked first, then touched from the last block to the first, would have hit. */
  function hits(requests: readonly (readonly number[])[], size: number): number {
    let cache: number[] = []
    let found = 0
    for (const blocks of requests) {
      found += blocks.filter((block) => cache.includes(block)).length
      for (const block of blocks.toReversed()) cache = [block, ...cache.filter((other) => other !== block)]
      cache = cache.slice(0, size)
    }
    return found
  }

  test('hits of every cache size are those of that cache', () => {
    fc.assert(
      fc.property(prompts, (requests) => {
        const reuse = new ReuseDistance(64)
        for (const blocks of requests) reuse.add(blocks, blocks.length * 16)
        const profile = reuse.profile()
        const all = requests.flat().length
        expect(profile).toMatchObject({
          blocks: all,
          distinctBlocks: new Set(requests.flat()).size,
          sampledOneIn: 1,
          meanTokensPerBlock: 16,
        })
        expect(profile?.unlimitedHitShare).toBeCloseTo(hits(requests, Infinity) / all, 12)
      }),
    )
  })

  test('a trace longer than its places is renumbered without a trace', () => {
    const random = randomStream('reuse')
    const requests = Array.from({ length: 600 }, () => Array.from({ length: 5 }, () => (random.next() >>> 0) % 300))
    const [small, large] = [new ReuseDistance(300), new ReuseDistance(100_000)]
    for (const blocks of requests) {
      small.add(blocks, 80)
      large.add(blocks, 80)
    }
    expect(small.profile()).toEqual(large.profile())
    for (const { blocks, hitShare } of large.profile()?.cacheSizes ?? []) {
      expect(hitShare).toBeCloseTo(hits(requests, blocks) / 3000, 12)
    }
    expect(large.profile()?.cacheSizes.map(({ blocks }) => blocks)).toEqual([64, 256])
  })

  test('a block that one prompt names twice is one block', () => {
    const reuse = new ReuseDistance(64)
    reuse.add([1, 1, 2], 48)
    reuse.add([1, 3], 32)
    expect(reuse.profile()).toMatchObject({ blocks: 5, distinctBlocks: 3, unlimitedHitShare: 1 / 5 })
  })

  test('a sample of the blocks comes near the whole, and keeps no more than its bound', () => {
    const random = randomStream('sampled reuse')
    const [sampled, exact] = [new ReuseDistance(500), new ReuseDistance(100_000)]
    for (let request = 0; request < 20_000; request++) {
      // Prompts share block 0; popular conversations come again.
      const first = Math.floor(20_000 / (1 + ((random.next() >>> 0) % 400)))
      const blocks = [0, ...Array.from({ length: 8 }, (_, index) => 1 + first * 8 + index)]
      sampled.add(blocks, 144)
      exact.add(blocks, 144)
      expect(sampled.watched).toBeLessThanOrEqual(500)
    }
    const [estimate, truth] = [sampled.profile(), exact.profile()]
    expect(estimate?.sampledOneIn).toBeGreaterThan(1)
    expect(truth?.sampledOneIn).toBe(1)
    expect(Math.abs((estimate?.unlimitedHitShare ?? 0) - (truth?.unlimitedHitShare ?? 1))).toBeLessThan(0.02)
    const exactly = new Map(truth?.cacheSizes.map(({ blocks, hitShare }) => [blocks, hitShare]))
    expect(estimate?.cacheSizes.length).toBeGreaterThan(1)
    for (const { blocks, hitShare } of estimate?.cacheSizes ?? []) {
      expect(Math.abs(hitShare - (exactly.get(blocks) ?? 9))).toBeLessThan(0.05)
    }
  })
})

describe('sessions', () => {
  test('turns and the gaps between them', () => {
    const sessions = new SessionStatistics()
    for (const [session, seconds] of [
      ['a', 0],
      ['b', 1],
      ['a', 10],
      ['a', 40],
      ['c', 50],
    ] as const)
      sessions.add(session, seconds * 1e6)
    expect(sessions.profile()).toEqual({
      requests: 5,
      sessions: 3,
      turns: { mean: 5 / 3, p50: 1, p90: 3, p99: 3, max: 3 },
      gapSeconds: { p50: 10.015, p90: 30, p99: 30 },
      sampledOneIn: 1,
    })
    expect(new SessionStatistics().profile()).toBeNull()
  })

  test('a sample of them keeps whole sessions, and no more than its bound', () => {
    const sessions = new SessionStatistics(100)
    for (let turn = 0; turn < 3; turn++) {
      for (let session = 0; session < 2000; session++) {
        sessions.add(`session-${session}`, (turn * 2000 + session) * 1e6)
        expect(sessions.watched).toBeLessThanOrEqual(100)
      }
    }
    const profile = sessions.profile()
    expect(profile?.turns).toMatchObject({ mean: 3, p50: 3, max: 3 })
    expect(Math.abs((profile?.sessions ?? 0) / 2000 - 1)).toBeLessThan(0.5)
    expect(profile?.requests).toBe(6000)
  })
})

describe('the sample', () => {
  test('hashes are spread evenly and the same everywhere', () => {
    expect([0, 1, 2 ** 40, 2 ** 53 - 1].map(mixNumber)).toMatchInlineSnapshot(`
      [
        4234177709,
        3366359439,
        1789402866,
        1186238025,
      ]
    `)
    expect(['', 'a', 'session-1'].map(textKey)).toMatchInlineSnapshot(`
      [
        5682820131224587,
        5842835299414451,
        2156336174865291,
      ]
    `)
    const ones = Array.from({ length: 4096 }, (_, key) => mixNumber(key) >>> 28)
    for (let bucket = 0; bucket < 16; bucket++)
      expect(Math.abs(ones.filter((one) => one === bucket).length - 256)).toBeLessThan(80)
  })

  test('what is watched after a halving was watched before', () => {
    const sample = new SpatialSample()
    const shares: number[] = []
    let keys = Array.from({ length: 5000 }, (_, key) => key)
    for (let halvings = 1; halvings <= 40; halvings++) {
      sample.halve()
      const kept = keys.filter((key) => sample.has(key))
      expect(keys).toEqual(expect.arrayContaining(kept))
      shares.push(kept.length / keys.length)
      keys = kept
    }
    expect(keys).toEqual([])
    for (const share of shares.slice(0, 5)) expect(Math.abs(share - 0.5)).toBeLessThan(0.15)
  })
})
