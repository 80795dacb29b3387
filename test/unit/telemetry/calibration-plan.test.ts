import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { NULL_STEP_MS } from '../../../src/core/telemetry/calibration.ts'
import { parseCalibration } from '../../../src/core/telemetry/calibration-file.ts'
import type { CalibrationNeed } from '../../../src/core/telemetry/calibration-need.ts'
import { calibrationNeed, neededEventsPerSecond } from '../../../src/core/telemetry/calibration-need.ts'
import { calibrationPlan } from '../../../src/core/telemetry/calibration-plan.ts'
import { ID_PATTERN } from '../../../src/core/schedule/schedule.ts'
import { calibrationOf } from '../../fakes/calibrator.ts'
import { workedExample } from '../../virtual/virtual-manifest.ts'

const needs: fc.Arbitrary<CalibrationNeed> = fc.record({
  dialect: fc.constant('vllm'),
  endpoint: fc.constantFrom('completions', 'chat'),
  prompt: fc.constant('token_ids'),
  tokenRange: fc.constant([1000, 30_000] as const),
  milliRps: fc.integer({ min: 100, max: 2_000_000 }),
  classes: fc.uniqueArray(
    fc.record({
      name: fc.stringMatching(/^[a-z]{1,8}$/),
      weight: fc.integer({ min: 1, max: 10_000 }),
      inputTokens: fc.integer({ min: 20, max: 130_000 }),
      outputTokens: fc.integer({ min: 1, max: 4000 }),
    }),
    { minLength: 1, maxLength: 4, selector: ({ name }) => name },
  ),
})

describe('the plan of a calibration', () => {
  test('sends the needed events a second at least, in 15 seconds with its drains, whatever is needed', () => {
    fc.assert(
      fc.property(needs, (need) => {
        const { paced, heavy } = calibrationPlan(need)
        const mean = paced.rows.reduce((sum, { outputTokens }) => sum + outputTokens, 0) / paced.rows.length
        // A few rows' mix cannot be exact, and what no client could do is not sent.
        const isExact = paced.rows.length > 300 && paced.milliRps < 10_000_000
        const events = isExact ? Math.min(100_000, neededEventsPerSecond(need)) : 0
        expect((paced.milliRps / 1000) * mean).toBeGreaterThan(0.9 * events)
        const longest = paced.rows.reduce((most, { outputTokens }) => Math.max(most, outputTokens), 0)
        expect(paced.rows.length).toBeLessThanOrEqual(30_000)
        const streamUs = (longest + 2) * NULL_STEP_MS * 1000
        const pacedUs = ((paced.rows.at(-1)?.offsetUs ?? 0) * 1000) / paced.milliRps
        expect(paced.warmupUs + pacedUs + heavy.durationUs + 2 * streamUs).toBeLessThan(14_000_000)
        // However few arrivals there are, they come at the rate.
        expect(Math.abs(pacedUs - (paced.rows.length / paced.milliRps) * 1e9)).toBeLessThan(2)
        expect(heavy.concurrency).toBeLessThanOrEqual(200)
      }),
      { numRuns: 30 },
    )
  })

  test('has rows of the manifest’s own classes and prompts, under ids of which none stands twice', () => {
    const need = calibrationNeed(workedExample(), 28_000)
    const { paced, heavy } = calibrationPlan(need)
    const rows = [...paced.warmup, ...paced.rows, ...heavy.rows]
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
    expect(rows.every(({ id }) => ID_PATTERN.test(id))).toBe(true)
    const share = (name: string) => paced.rows.filter((row) => row.class === name).length / paced.rows.length
    expect(share('interactive')).toBeCloseTo(0.7, 2)
    expect(new Set(paced.rows.map(({ inputTokens }) => inputTokens))).toEqual(new Set([1024, 8192, 512]))
    expect(Math.max(...paced.rows.map(({ outputTokens }) => outputTokens))).toBeLessThanOrEqual(150)
    expect(calibrationPlan(need)).toEqual({ paced, heavy })
  })
})

describe('calibration.json', () => {
  const need = calibrationNeed(workedExample(), 28_000)
  const made = calibrationOf(need)

  test('reads back as it was written, made or not', () => {
    const unmade = { schema: 1, made: false, need: made.need, measuredAt: made.measuredAt, cause: 'why' } as const
    for (const file of [made, unmade]) expect(parseCalibration(JSON.stringify(file))).toEqual(file)
  })

  test.each<[what: string, text: string, said: RegExp]>([
    ['is cut', JSON.stringify(made).slice(0, 99), /is no JSON/],
    ['is of a later schema', JSON.stringify({ ...made, schema: 2 }), /schema/],
    ['has a field too many', JSON.stringify({ ...made, more: 1 }), /calibration\.json: /],
    ['counts less than nothing', JSON.stringify({ ...made, seconds: -1 }), /seconds/],
    ['does not say whether it was made', JSON.stringify({ ...made, made: undefined }), /made/],
  ])('is refused where it %s', (_, text, said) => {
    expect(() => parseCalibration(text)).toThrow(expect.objectContaining({ code: 'calibration_damaged', exitCode: 4 }))
    expect(() => parseCalibration(text)).toThrow(said)
  })
})
