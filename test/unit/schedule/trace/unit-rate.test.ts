import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { traceToUnitRate } from '../../../../src/core/schedule/trace/unit-rate.ts'
import { rowsOf, sample } from './trace-bytes.ts'

const at = (...times: number[]) => times.map((atUs) => ({ atUs }))

/** Rows at times that never go back, the last later than the first. */
const trace = fc
  .array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 10 ** 11 })), {
    minLength: 1,
    maxLength: 60,
  })
  .map((gaps) =>
    [0, ...gaps].map(
      (
        (sum) => (gap: number) =>
          (sum += gap)
      )(0),
    ),
  )
  .filter((times) => (times.at(-1) ?? 0) > 0)
  .map((times) => at(...times))

describe('a trace at one request a second', () => {
  test('the first comes one mean gap after the start, the last of n at exactly n seconds', () => {
    fc.assert(
      fc.property(trace, (rows) => {
        const offsets = traceToUnitRate(rows)
        expect([offsets[0], offsets.at(-1)]).toEqual([1_000_000, rows.length * 1_000_000])
        expect(
          offsets.every((offset, index) => Number.isSafeInteger(offset) && offset >= (offsets[index - 1] ?? 0)),
        ).toBe(true)
      }),
    )
  })

  test('every offset is the exact ratio rounded down: gaps keep their ratios to the microsecond', () => {
    fc.assert(
      fc.property(trace, (rows) => {
        const span = BigInt(rows.at(-1)?.atUs ?? 0)
        const factor = BigInt(rows.length - 1) * 1_000_000n
        for (const [index, offset] of traceToUnitRate(rows).entries()) {
          const rest = BigInt(rows[index]?.atUs ?? 0) * factor - BigInt(offset - 1_000_000) * span
          expect(rest >= 0n && rest < span).toBe(true)
        }
      }),
    )
  })

  test('rows beyond those that are counted go on by the same factor and change none before', () => {
    fc.assert(
      fc.property(trace, fc.integer({ min: 2, max: 60 }), (rows, count) => {
        const over = Math.min(count, rows.length)
        fc.pre((rows[over - 1]?.atUs ?? 0) > 0)
        expect(traceToUnitRate(rows, over).slice(0, over)).toEqual(traceToUnitRate(rows.slice(0, over)))
      }),
    )
    expect(traceToUnitRate(at(0, 5, 10, 30), 3)).toEqual([1_000_000, 2_000_000, 3_000_000, 7_000_000])
  })

  test('a trace already at one request a second is a constant schedule', () => {
    expect(traceToUnitRate(at(0, 1_000_000, 2_000_000))).toEqual([1_000_000, 2_000_000, 3_000_000])
  })

  test('requests that come together stay together', () => {
    const rows = rowsOf([sample('mooncake.jsonl')])
    const offsets = traceToUnitRate(rows)
    const together = (times: readonly number[]) => times.map((time, index) => time === times[index - 1])
    expect(together(offsets)).toEqual(together(rows.map((row) => row.atUs)))
  })

  test('one request has no gap; many at the same time have no rate', () => {
    expect(traceToUnitRate(at(0))).toEqual([1_000_000])
    expect(traceToUnitRate([])).toEqual([])
    expect(() => traceToUnitRate(at(0, 0, 0))).toThrow(expect.objectContaining({ code: 'trace_no_span', exitCode: 4 }))
    expect(() => traceToUnitRate(at(0, 0, 7), 2)).toThrow(/first 2 requests/)
    expect(traceToUnitRate(at(0, 7), 1)).toEqual([1_000_000, 2_000_000])
  })
})
