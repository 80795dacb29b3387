import { describe, expect, test } from 'vitest'
import { buildSchedule } from '../../../src/core/schedule/build-schedule.ts'
import { parseSchedule } from '../../../src/core/schedule/parse-schedule.ts'
import { randomStream } from '../../../src/core/schedule/random.ts'
import type { TraceRow } from '../../../src/core/schedule/trace/trace-row.ts'
import { warmupOffsetUs, warmupRows } from '../../../src/core/schedule/warmup.ts'
import { codeOf, workedExample } from './worked-example.ts'

const SHA = 'cd'.repeat(32)
const cutoffs = { request_ttft_cutoff_ms: 500, request_tpot_cutoff_ms: 40 }
const workload = [
  { name: 'short', mix: 0.5, input_tokens: 512, output_tokens: 128, ...cutoffs },
  { name: 'long', mix: 0.5, input_tokens: 4096, output_tokens: 1024, ...cutoffs },
]
const row = (index: number, part: Partial<TraceRow> = {}): TraceRow => ({
  atUs: index * 250_000,
  inputTokens: index % 2 === 0 ? 300 : 1000,
  outputTokens: 50,
  class: null,
  session: null,
  blocks: null,
  line: index + 1,
  ...part,
})
const random = randomStream('trace test')
const trace = Array.from({ length: 700 }, (_, index) =>
  row(index, { atUs: index === 0 ? 0 : index * 200_000 + ((random.next() >>> 0) % 200_000) }),
)
const counts = (short: number, long: number) => ({
  initial_scheduled_requests: short + long,
  extension_requests: 100,
  class_schedule_counts: { short, long },
})
const manifest = (client = {}) =>
  workedExample({
    client: {
      arrival_pattern: 'trace',
      trace: { file: 'a.jsonl', sha256: SHA, format: 'mooncake' },
      ...counts(300, 300),
      ...client,
    },
    workload,
  })
const built = buildSchedule(manifest(), 'cold', { trace })
const refusal = (rows: readonly TraceRow[], client = {}) => {
  try {
    buildSchedule(manifest(client), 'cold', { trace: rows })
  } catch (error) {
    return error as { code: string; message: string; hint: string }
  }
  return null
}

describe('a schedule of a trace', () => {
  test('has these bytes on every machine, and is read back', () => {
    expect(built.schedule.sha256).toBe('e2aafdf0bf4e38efaca4af9700966f53dc4aaa73f1f6aed03dd8b52657855eeb')
    expect(parseSchedule(built.bytes)).toEqual(built.schedule)
    expect(built.schedule.header).toMatchObject({ generator: 'trace-1', pattern: { sha256: SHA, format: 'mooncake' } })
  })

  test('takes arrivals and lengths as they are, scaled to one request a second over the initial rows', () => {
    const { rows } = built.schedule
    expect(rows).toHaveLength(700)
    expect(rows.map((each) => [each.inputTokens, each.outputTokens])).toEqual(
      trace.map((each) => [each.inputTokens, each.outputTokens]),
    )
    expect([rows[0]?.offsetUs, rows[599]?.offsetUs]).toEqual([1_000_000, 600_000_000])
    const scale = 599e6 / (trace[599]?.atUs ?? 1)
    rows.forEach((each, index) =>
      expect(Math.abs(each.offsetUs - 1e6 - (trace[index]?.atUs ?? 0) * scale)).toBeLessThanOrEqual(1),
    )
  })

  test('finds each row the first class that takes it, or the one that it names', () => {
    expect(built.schedule.rows.slice(0, 4).map((each) => each.class)).toEqual(['short', 'long', 'short', 'long'])
    const named = trace.map((each) => ({ ...each, class: 'long' }))
    const { schedule } = buildSchedule(manifest(counts(0, 600)), 'cold', { trace: named })
    expect(schedule.rows.every((each) => each.class === 'long')).toBe(true)
  })

  test('carries prefixes when warm, drawn as for any other pattern', () => {
    const { schedule } = buildSchedule(manifest(), 'warm', { trace })
    expect(schedule.rows.map((each) => ({ ...each, prefix: undefined }))).toEqual(built.schedule.rows)
    expect(new Set(schedule.rows.map((each) => each.prefix)).size).toBeGreaterThan(40)
    const few = trace.map((each, index) => (index === 3 ? { ...each, inputTokens: 256 } : each))
    expect(codeOf(() => buildSchedule(manifest(counts(301, 299)), 'warm', { trace: few }))).toBe('prompt_too_short')
  })

  test('of fewer requests takes the first ones, whatever their classes', () => {
    const { schedule } = buildSchedule(manifest(), 'cold', { trace, requests: 7 })
    expect(schedule.rows.map((each) => each.class)).toEqual([
      'short',
      'long',
      'short',
      'long',
      'short',
      'long',
      'short',
    ])
    expect(schedule.rows.at(-1)?.offsetUs).toBe(7_000_000)
  })
})

describe('a trace is refused', () => {
  test('that is too short for the initial rows and the extension', () => {
    expect(refusal(trace.slice(0, 699))).toMatchObject({
      code: 'trace_too_short',
      message: 'a.jsonl has 699 requests; the schedule needs 700',
    })
  })

  test.each([
    [{ inputTokens: 4097 }, /a\.jsonl, row 41: no class takes 4,097 input and 50 output tokens/],
    [{ class: 'other' }, /row 41: the workload has no class "other"/],
    [{ class: 'short', outputTokens: 129 }, /row 41: the class "short" does not take 300 input and 129 output tokens/],
  ])('with a row that fits no class: %j', (part, message) => {
    const found = refusal(trace.map((each, index) => (index === 40 ? { ...each, ...part } : each)))
    expect(found).toMatchObject({ code: 'trace_class' })
    expect(found?.message).toMatch(message)
  })

  test('of other class counts than the manifest’s, with the ones to write', () => {
    const found = refusal(trace, counts(299, 301))
    expect(found?.code).toBe('trace_counts')
    expect(found?.hint).toContain('class_schedule_counts: {short: 300, long: 300}')
  })
})

test('its warm-up are its own rows with their gaps, cyclic, up to the cohort’s start', () => {
  const { schedule } = built
  const endUs = warmupOffsetUs(24_000, 60)
  const rows = warmupRows(schedule, 24_000, 60)
  expect(rows.at(-1)?.offsetUs).toBe(endUs)
  expect(rows.length).toBeGreaterThan(1300)
  const initial = schedule.rows.slice(0, 600)
  const lengths = initial.map((each) => each.inputTokens)
  const gaps = initial.map((each, index) => each.offsetUs - (initial[index - 1]?.offsetUs ?? 0))
  const warmGaps = rows.slice(1).map((each, index) => each.offsetUs - (rows[index]?.offsetUs ?? 0))
  const start = gaps.findIndex((_, index) =>
    warmGaps.slice(0, 600).every((gap, at) => gap === gaps[(index + at) % 600]),
  )
  expect(start).toBeGreaterThanOrEqual(0)
  expect(rows.slice(1, 601).map((each) => each.inputTokens)).toEqual(
    Array.from({ length: 600 }, (_, at) => lengths[(start + at) % 600]),
  )
})
