import { describe, expect, test } from 'vitest'
import { buildSchedule } from '../../../src/core/schedule/build-schedule.ts'
import { parseSchedule } from '../../../src/core/schedule/parse-schedule.ts'
import { warmupRows } from '../../../src/core/schedule/warmup.ts'
import { codeOf, workedExample } from './worked-example.ts'

const build = (share: number, after_tokens: number) =>
  buildSchedule(workedExample({ client: { cancellation: { share, after_tokens } } }), 'cold')
const { schedule, bytes } = build(0.1, 128)

describe('planned cancellations', () => {
  test('have these bytes on every machine, and leave all else as it is', () => {
    expect(schedule.sha256).toBe('5fc4ff87ca9da47f76911f1a118470c18ebdfaed67cce9bca9f00277a30909b6')
    const plain = buildSchedule(workedExample(), 'cold').schedule.rows
    expect(schedule.rows.map((row) => ({ ...row, cancelAfterTokens: undefined }))).toEqual(plain)
    expect(parseSchedule(bytes)).toEqual(schedule)
  })

  test('are the share of those rows that are longer, and of no other', () => {
    const longer = schedule.rows.filter((row) => row.outputTokens > 128)
    const left = longer.filter((row) => row.cancelAfterTokens === 128)
    expect(Math.abs(left.length - 0.1 * longer.length)).toBeLessThan(4 * Math.sqrt(0.09 * longer.length))
    expect(schedule.rows.filter((row) => row.cancelAfterTokens !== undefined)).toHaveLength(left.length)
    expect(build(1, 8).schedule.rows.every((row) => row.cancelAfterTokens === 8)).toBe(true)
  })

  test('come in the warm-up as in the cohort', () => {
    const rows = warmupRows(schedule, 50_000, 600).filter((row) => row.outputTokens > 128)
    const left = rows.filter((row) => row.cancelAfterTokens === 128)
    expect(Math.abs(left.length - 0.1 * rows.length)).toBeLessThan(
      4 * Math.sqrt(0.09 * rows.length) + 0.01 * rows.length,
    )
  })

  test('after more tokens than there are cannot be read', () => {
    const text = new TextDecoder().decode(bytes).replace('"cancelAfterTokens":128', '"cancelAfterTokens":256')
    const broken = text.replace(
      /"outputTokens":\d+,"cancelAfterTokens":256/,
      '"outputTokens":256,"cancelAfterTokens":256',
    )
    expect(codeOf(() => parseSchedule(broken))).toBe('schedule_malformed')
  })
})
