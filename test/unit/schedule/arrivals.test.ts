import { describe, expect, test } from 'vitest'
import { exponentialGapUs, MEAN_GAP_US } from '../../../src/core/schedule/arrivals.ts'
import { buildSchedule } from '../../../src/core/schedule/build-schedule.ts'
import { randomStream } from '../../../src/core/schedule/random.ts'
import { warmupOffsetUs, warmupRows } from '../../../src/core/schedule/warmup.ts'
import { tally, workedExample } from './worked-example.ts'

const mean = (values: number[]) => values.reduce((a, b) => a + b, 0) / values.length

describe('exponential gaps', () => {
  const gaps = (() => {
    const random = randomStream('arrivals test')
    return Array.from({ length: 100_000 }, () => exponentialGapUs(random))
  })()

  test('are whole microseconds of mean and deviation one second', () => {
    expect(gaps.every((gap) => Number.isSafeInteger(gap) && gap >= 1)).toBe(true)
    expect(Math.abs(mean(gaps) / MEAN_GAP_US - 1)).toBeLessThan(0.0127) // four standard errors
    const variance = mean(gaps.map((gap) => (gap / MEAN_GAP_US - 1) ** 2))
    expect(Math.abs(variance - 1)).toBeLessThan(0.036)
  })

  test('follow the exponential law (Kolmogorov–Smirnov) and forget the gap before', () => {
    const sorted = gaps.toSorted((a, b) => a - b)
    const distance = sorted.reduce((worst, gap, index) => {
      const law = 1 - Math.exp(-gap / MEAN_GAP_US)
      return Math.max(worst, Math.abs(law - index / gaps.length), Math.abs(law - (index + 1) / gaps.length))
    }, 0)
    expect(distance).toBeLessThan(1.95 / Math.sqrt(gaps.length)) // one in a thousand
    const lagged = mean(
      gaps.slice(1).map((gap, index) => (gap / MEAN_GAP_US - 1) * ((gaps[index] ?? 0) / MEAN_GAP_US - 1)),
    )
    expect(Math.abs(lagged)).toBeLessThan(0.0127)
  })
})

test('constant arrivals are exactly a second apart', () => {
  const { header, rows } = buildSchedule(workedExample({ client: { arrival_pattern: 'constant' } }), 'cold').schedule
  expect(header.generator).toBe('constant-1')
  expect(rows.every((row, index) => row.offsetUs === (index + 1) * 1_000_000)).toBe(true)
})

describe('warm-up rows', () => {
  const { schedule } = buildSchedule(workedExample(), 'warm')

  test('are as many as the rate needs, in the measured mix, and end before the cohort starts', () => {
    const rows = warmupRows(schedule, 24_000, 60)
    expect(Math.abs(rows.length - 1440)).toBeLessThan(4 * Math.sqrt(1440))
    const share = tally(rows.map((row) => row.class))
    expect(Math.abs((share['interactive'] ?? 0) - rows.length * 0.7)).toBeLessThan(1)
    expect(Math.abs((share['generation_heavy'] ?? 0) - rows.length * 0.1)).toBeLessThan(1)
    expect(rows.at(-1)?.offsetUs).toBeLessThanOrEqual(warmupOffsetUs(24_000, 60))
    expect(warmupOffsetUs(24_000, 60)).toBe(60 * 24 * 1_000_000)
    expect(rows.every((row) => /^w-\d{5}$/.test(row.id) && row.prefix !== undefined)).toBe(true)
  })

  test('are drawn from their own seed; arrivals of a lower rate are the start of a higher one', () => {
    const few = warmupRows(schedule, 16_000, 60).map((row) => row.offsetUs)
    const many = warmupRows(schedule, 24_000, 60).map((row) => row.offsetUs)
    expect(many.slice(0, few.length)).toEqual(few)
    expect(many[0]).not.toBe(schedule.rows[0]?.offsetUs)
    expect(warmupRows(schedule, 24_000, 0)).toEqual([])
  })

  test('constant ones join the cohort without a seam', () => {
    const constant = buildSchedule(workedExample({ client: { arrival_pattern: 'constant' } }), 'cold').schedule
    expect(warmupRows(constant, 16_000, 60)).toHaveLength(960)
    // Whole gaps from the cohort's start backward, whatever is left of one at the warm-up's own.
    for (const [milliRps, seconds, count] of [
      [16_000, 60, 960],
      [16_010, 60, 961],
      [300, 4.5, 2],
      [1, 60, 1],
    ] as const) {
      const times = [...warmupRows(constant, milliRps, seconds), constant.rows[0]].map((row) => row?.offsetUs ?? 0)
      times.splice(-1, 1, warmupOffsetUs(milliRps, seconds) + (times.at(-1) ?? 0))
      expect(times).toHaveLength(count + 1)
      expect(times[0]).toBeGreaterThan(0)
      expect(new Set(times.slice(1).map((time, index) => time - (times[index] ?? 0)))).toEqual(new Set([1_000_000]))
    }
  })
})
