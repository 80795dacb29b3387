import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dueUs } from '../../../src/core/kernel/point.ts'
import { scheduleBlocks } from '../../../src/core/schedule/blocks.ts'
import { buildSchedule } from '../../../src/core/schedule/build-schedule.ts'
import { parseSchedule } from '../../../src/core/schedule/parse-schedule.ts'
import type { Schedule } from '../../../src/core/schedule/schedule.ts'
import { warmupOffsetUs, warmupRows } from '../../../src/core/schedule/warmup.ts'
import { codeOf, workedExample } from './worked-example.ts'

const SHAPES = {
  gamma: { arrival_pattern: 'gamma', gamma: { shape: 0.25 } },
  even: { arrival_pattern: 'gamma', gamma: { shape: 20 } },
  burst: { arrival_pattern: 'burst', burst: { height: 4, width_share: 0.2, period_requests: 500 } },
  silent: { arrival_pattern: 'burst', burst: { height: 4, width_share: 0.25, period_requests: 50 } },
  ramp: { arrival_pattern: 'ramp', ramp: { from: 0, to: 1 } },
  falling: { arrival_pattern: 'ramp', ramp: { from: 3, to: 1 } },
} as const
type Shape = keyof typeof SHAPES
const NAMES = Object.keys(SHAPES) as Shape[]

const build = (shape: Shape, cache: 'cold' | 'warm' = 'cold', client = {}) =>
  buildSchedule(workedExample({ client: { ...SHAPES[shape], ...client } }), cache)
const schedules = Object.fromEntries(NAMES.map((name) => [name, build(name)])) as Record<
  Shape,
  ReturnType<typeof build>
>
const offsets = (schedule: Schedule) => schedule.rows.map((row) => row.offsetUs)
const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length
const gapsOf = (times: readonly number[]) => times.map((time, index) => (time - (times[index - 1] ?? 0)) / 1e6)

describe('the frozen bytes', () => {
  test.each([
    ['gamma', 'cold', '10f0fe4c320c8ab62342bbbefee0eea3299219103226872cd5708cb9c8419b8d'],
    ['gamma', 'warm', 'e15f8bfb4584ae81e81fe470fd36308cd669b4014ceb47e265564886c86795cc'],
    ['even', 'cold', 'a33f8147e08c52862984b26d53628abcb091ec9f4c708a0e8162f8b75ec7f58c'],
    ['burst', 'cold', '3bcde39c6f1bd2ffa427e9016102e2f1683243fbf85c29522ca0ad5ef77dab60'],
    ['silent', 'cold', '71df472b86c9e66bf950493db36b178ca57530d4805bc22b5706a007c14ecdcb'],
    ['ramp', 'cold', '07230b07f8eddac431952d8a342c4dc4c0019cfddf05cdc3e6ef432362040fc6'],
    ['falling', 'cold', '422f74248666a76398a2d42b5701d475defb33cd5b1de1c2ebd7b8c02a8707c9'],
  ] as const)('of %s arrivals, %s, are these on every machine', (shape, cache, digest) => {
    expect(build(shape, cache).schedule.sha256).toBe(digest)
  })

  test('say what the generator takes, and are read back', () => {
    const headers = NAMES.map((name) => new TextDecoder().decode(schedules[name].bytes).split('\n')[0] ?? '')
    expect(headers.map((line) => /"generator":.*?,"seed"/.exec(line)?.[0])).toEqual([
      '"generator":"gamma-1","pattern":{"shape":0.25},"seed"',
      '"generator":"gamma-1","pattern":{"shape":20},"seed"',
      '"generator":"burst-1","pattern":{"height":4,"widthShare":0.2,"periodRequests":500},"seed"',
      '"generator":"burst-1","pattern":{"height":4,"widthShare":0.25,"periodRequests":50},"seed"',
      '"generator":"ramp-1","pattern":{"from":0,"to":1},"seed"',
      '"generator":"ramp-1","pattern":{"from":3,"to":1},"seed"',
    ])
    for (const name of NAMES) expect(parseSchedule(schedules[name].bytes)).toEqual(schedules[name].schedule)
  })

  test('are refused with the pattern of another generator, or none', () => {
    const text = new TextDecoder().decode(schedules.gamma.bytes)
    for (const pattern of [
      '',
      '"pattern":{"from":1,"to":2},',
      '"pattern":{"shape":0},',
      '"pattern":{"shape":1,"x":1},',
    ]) {
      expect(codeOf(() => parseSchedule(text.replace('"pattern":{"shape":0.25},', pattern)))).toBe('schedule_malformed')
    }
    expect(codeOf(() => buildSchedule(workedExample({ client: { arrival_pattern: 'gamma' } }), 'cold'))).toBe(
      'arrival_pattern',
    )
  })

  test.each(NAMES)('%s: every earlier row stays the same when blocks are added', (shape) => {
    const rows = (extension: number, blocks: number) =>
      offsets(build(shape, 'cold', { extension_requests: extension, extension_blocks: blocks }).schedule)
    expect(rows(500, 3).slice(0, 22_500)).toEqual(rows(500, 1))
    expect(rows(0, 1)).toEqual(rows(500, 1).slice(0, 22_000))
  })
})

describe.each(NAMES)('%s arrivals', (shape) => {
  const { schedule } = schedules[shape]

  test('never fall, share classes with every other pattern, and have a mean of one a second', () => {
    const times = offsets(schedule)
    expect(times.every((time, index) => Number.isSafeInteger(time) && time >= (times[index - 1] ?? 0))).toBe(true)
    expect(schedule.rows.map((row) => row.class)).toEqual(schedules.gamma.schedule.rows.map((row) => row.class))
    const seconds = (times[21_999] ?? 0) / 1e6
    const squared = shape === 'gamma' ? 4 : shape === 'even' ? 0.05 : 1
    // A burst's last period may have been cut anywhere.
    expect(Math.abs(seconds - 22_000)).toBeLessThan(4.5 * Math.sqrt(22_000 * squared) + 500)
  })

  test('warm up as they go on, in the time that there is', () => {
    const rows = warmupRows(schedule, 24_000, 60)
    const endUs = warmupOffsetUs(24_000, 60)
    const times = rows.map((row) => row.offsetUs)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(times.every((time) => time >= 0 && time <= endUs)).toBe(true)
    expect(Math.abs(rows.length - 1440)).toBeLessThan(4.5 * Math.sqrt(1440 * (shape === 'gamma' ? 4 : 1)) + 250)
    expect(warmupRows(schedule, 24_000, 0)).toEqual([])
  })
})

test('gamma gaps have the shape’s variation, and no gap is cut where the cohort starts', () => {
  for (const [name, shape] of [
    ['gamma', 0.25],
    ['even', 20],
  ] as const) {
    const gaps = gapsOf(offsets(schedules[name].schedule))
    const spread = Math.sqrt((2 / shape ** 2 + 6 / shape ** 3) / gaps.length)
    expect(Math.abs(mean(gaps.map((gap) => (gap - 1) ** 2)) - 1 / shape)).toBeLessThan(5 * spread)
    expect(warmupRows(schedules[name].schedule, 24_000, 60).at(-1)?.offsetUs).toBe(warmupOffsetUs(24_000, 60))
  }
})

describe('bursts', () => {
  test.each([
    ['burst', 500, 0.2, 4, 0.25],
    ['silent', 50, 0.25, 4, 0],
  ] as const)(
    '%s: in the middle of each period, with the height and the lull that the mean leaves',
    (name, period, width, height, lull) => {
      const inside = offsets(schedules[name].schedule).map((time) => (time / 1e6) % period)
      const inBurst = inside.filter((at) => Math.abs(at - period / 2) <= (width * period) / 2).length
      const seconds = 24_000
      expect(Math.abs(inBurst - seconds * width * height)).toBeLessThan(
        5 * Math.sqrt(seconds * width * height) + period,
      )
      const outside = inside.length - inBurst
      expect(Math.abs(outside - seconds * (1 - width) * lull)).toBeLessThan(
        lull === 0 ? 1 : 5 * Math.sqrt(seconds * (1 - width) * lull) + period,
      )
    },
  )

  test('a warm-up ends with a period: its bursts lie as the cohort’s do', () => {
    for (const milliRps of [7001, 24_000, 100_000]) {
      const endUs = warmupOffsetUs(milliRps, 60)
      const inside = warmupRows(schedules.silent.schedule, milliRps, 60).map(
        (row) => (((row.offsetUs - endUs) / 1e6) % 50) + 50,
      )
      expect(inside.length).toBeGreaterThan(200)
      expect(inside.every((at) => Math.abs(at - 25) <= 6.2501)).toBe(true)
    }
  })
})

describe('ramps', () => {
  test.each([
    ['ramp', 0, 2],
    ['falling', 1.5, 0.5],
  ] as const)(
    '%s: each segment takes as many seconds as it has rows, and goes from end to end',
    (name, first, last) => {
      let before = 0
      for (const block of scheduleBlocks(schedules[name].schedule)) {
        const times = block.map((row) => row.offsetUs / 1e6 - before)
        const rows = block.length
        expect(times[0]).toBeGreaterThanOrEqual(0)
        expect(times.at(-1)).toBeLessThanOrEqual(rows)
        for (const [from, to] of [
          [0, 0.25],
          [0.25, 0.75],
          [0.75, 1],
        ] as const) {
          const rate = first + ((last - first) * (from + to)) / 2
          const expected = rows * (to - from) * rate
          const found = times.filter((time) => time >= from * rows && time < to * rows).length
          expect(Math.abs(found - expected)).toBeLessThan(5 * Math.sqrt(expected) + 1)
        }
        before += rows
      }
    },
  )
})

describe('due times', () => {
  const cohorts = NAMES.map((name) => offsets(schedules[name].schedule))

  test('of any rate from 0.001 to 5,000 a second keep every row in its order, and the mean to the microsecond', () => {
    const rate = fc.oneof(fc.integer({ min: 1, max: 999 }), fc.integer({ min: 1000, max: 5_000_000 }))
    fc.assert(
      fc.property(rate, fc.constantFrom(...cohorts), fc.nat(23_000), (milliRps, cohort, start) => {
        const times = cohort.slice(start, start + 200)
        const due = times.map((offsetUs) => dueUs(offsetUs, milliRps))
        due.forEach((time, index) => {
          expect(time).toBeGreaterThanOrEqual(due[index - 1] ?? 0)
          // floor: less than a microsecond early, whatever the rate.
          const left = BigInt(times[index] ?? 0) * 1000n - BigInt(time) * BigInt(milliRps)
          expect(left >= 0n && left < BigInt(milliRps)).toBe(true)
        })
      }),
      { numRuns: 200 },
    )
  })
})
