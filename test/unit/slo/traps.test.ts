import { describe, expect, it } from 'vitest'
import { cohortOf, judge, judgeTable, tableOf } from './cohort-builder.ts'
import { workedExample } from './worked-example.ts'

const literal = workedExample()

describe('the traps of the declared gate', () => {
  it('a class starved at 28 requests/s: 1,980 of 2,200 are too few, and 2,160 of 2,400 are enough', async () => {
    const counts = { interactive: { good: 13_860, errors: 1540 }, long_context: { good: 3960, errors: 440 } }
    const first = await judge(literal, cohortOf(literal, { ...counts, generation_heavy: { good: 1980, errors: 220 } }))
    expect(first).toMatchObject({
      attempted: 22_000,
      error_rate: 0.1,
      overall_attainment: 1,
      capacity_gate_pass: false,
    })
    expect(first.classes.generation_heavy).toMatchObject({
      successful_count: 1980,
      attainment: 1,
      sample_adequate: false,
      class_slo_pass: false,
    })
    const more = { interactive: { good: 15_120, errors: 1680 }, long_context: { good: 4320, errors: 480 } }
    const second = await judge(literal, cohortOf(literal, { ...more, generation_heavy: { good: 2160, errors: 240 } }))
    expect(second.classes.generation_heavy).toMatchObject({ sample_adequate: true, class_slo_pass: true })
    expect(second).toMatchObject({ attempted: 24_000, all_class_slos_pass: true, capacity_gate_pass: false })
    expect(second.limiting).toEqual({ class: 'generation_heavy', metric: 'errors' })
  })

  it('one percent of errors, all of them a tenth of the smallest class, passes the gate and fails the class’s own', async () => {
    const counts = {
      interactive: { good: 16_800 },
      long_context: { good: 4800 },
      generation_heavy: { good: 2160, errors: 240 },
    }
    const table = await tableOf(cohortOf(literal, counts))
    const blind = judgeTable(table, literal)
    expect(blind).toMatchObject({
      error_rate: 0.01,
      capacity_gate_pass: true,
      class_error_rate_pass: null,
      limiting: null,
    })
    expect(blind.classes.generation_heavy).toMatchObject({ error_rate: 0.1, attempted_attainment: 0.9 })
    expect(judgeTable(table, workedExample({ class_error_rate_max: 0.01 }))).toMatchObject({
      all_class_slos_pass: true,
      capacity_gate_pass: false,
      class_error_rate_pass: false,
      limiting: { class: 'generation_heavy', metric: 'errors' },
    })
    expect(judgeTable(table, workedExample({ attempted_attainment_min: 0.94 }))).toMatchObject({
      capacity_gate_pass: false,
      attempted_attainment_pass: false,
      limiting: { class: 'generation_heavy', metric: 'errors' },
    })
  })

  it('a class without rows, however good the others', async () => {
    const report = await judge(
      literal,
      cohortOf(literal, { interactive: { good: 2000 }, long_context: { good: 2000 } }),
    )
    expect(report).toMatchObject({ error_rate: 0, all_class_slos_pass: false, capacity_gate_pass: false })
    expect(report.classes.generation_heavy).toMatchObject({ attainment: null, error_rate: null, class_slo_pass: false })
    expect(report.limiting).toEqual({ class: 'generation_heavy', metric: 'samples' })
  })

  it('an attainment on the limit passes, one request under it does not', async () => {
    const at = (good: number) => ({
      interactive: { good: 2000 },
      long_context: { good, slow: 2000 - good },
      generation_heavy: { good: 2000 },
    })
    const on = await judge(literal, cohortOf(literal, at(1900)))
    expect(on).toMatchObject({ capacity_gate_pass: true, limiting: { class: 'long_context', metric: 'ttft' } })
    const under = await judge(literal, cohortOf(literal, at(1899)))
    expect(under).toMatchObject({ capacity_gate_pass: false, limiting: { class: 'long_context', metric: 'ttft' } })
  })

  it('a queue that grows, and one that nobody watched', async () => {
    const counts = {
      interactive: { good: 2000 },
      long_context: { good: 2000 },
      generation_heavy: { good: 1999, slow: 1 },
    }
    const table = await tableOf(cohortOf(literal, counts))
    expect(judgeTable(table, literal)).toMatchObject({ capacity_gate_pass: true })
    expect(judgeTable(table, literal, { queueTrend: 'unknown' })).toMatchObject({
      all_class_slos_pass: true,
      capacity_gate_pass: false,
      queue_trend: 'unknown',
      limiting: { class: 'generation_heavy', metric: 'ttft' },
    })
    expect(judgeTable(table, literal, { queueTrend: 'growing' })).toMatchObject({
      capacity_gate_pass: false,
      limiting: { class: 'generation_heavy', metric: 'queue' },
    })
  })
})
