import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeImportedCsv } from '../../../../src/core/record/import/imported-csv.ts'
import type { ImportTool } from '../../../../src/core/record/import/tool.ts'
import { readRequestsCsv } from '../../../../src/core/record/read.ts'
import { statusAt } from '../../../../src/core/record/table.ts'
import { importText } from './import-value.ts'
import { asAiperf, asBench, asGuidellm, asInferencePerf, endUs } from './tool-shapes.ts'
import type { Told } from './tool-shapes.ts'

const micros = fc.integer({ min: 1, max: 5_000_000 })

/** Requests of both classes, sent one after the other, each a little late, the first of them a success. */
const cohort = fc
  .array(
    fc.record({
      gap: micros,
      lag: fc.nat({ max: 100_000 }),
      ttftUs: micros,
      decode: fc.tuple(micros, micros, micros),
      isChat: fc.boolean(),
      cachedTokens: fc.nat({ max: 64 }),
      failure: fc.constantFrom('' as const, '' as const, 'Too Many Requests' as const, 'Service Unavailable' as const),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((rows) => {
    let dueUs = 0
    return rows.map((row, i): Told => {
      dueUs += i === 0 ? 0 : row.gap + 100_000
      const outputTokens = row.isChat ? 4 : 3
      return {
        id: `r-${i}`,
        dueUs,
        sentUs: dueUs + row.lag,
        ttftUs: row.ttftUs,
        gapsUs: row.decode.slice(0, outputTokens - 1),
        inputTokens: row.isChat ? 64 : 256,
        outputTokens,
        cachedTokens: row.cachedTokens,
        failure: i === 0 ? '' : row.failure,
      }
    })
  })

interface Holds {
  tool: ImportTool
  write: (cohort: readonly Told[]) => string
  /** What the tool's file can hold. */
  sent?: true
  due?: true
  ids?: true
  cached?: true
  /** Whether gaps between chunks can be had back. */
  gaps?: true
  /** How far a span may be off, in microseconds: a double of epoch seconds has no more digits. */
  span: number
}

const tools: Holds[] = [
  { tool: 'aiperf', write: asAiperf, sent: true, ids: true, gaps: true, span: 0 },
  { tool: 'vllm', write: (rows) => asBench(rows, 'vllm'), sent: true, gaps: true, span: 0 },
  { tool: 'sglang', write: (rows) => asBench(rows, 'sglang'), cached: true, span: 0 },
  { tool: 'guidellm', write: asGuidellm, sent: true, due: true, ids: true, cached: true, span: 1 },
  { tool: 'inference-perf', write: asInferencePerf, sent: true, cached: true, gaps: true, span: 1 },
]

/** Within so many microseconds; NaN, an empty cell, is near to itself alone. */
const near = (actual = Number.POSITIVE_INFINITY, expected: number, by: number) => {
  const isNear = Object.is(actual, expected) || Math.abs(actual - expected) <= by
  expect([actual, expected, isNear]).toEqual([actual, expected, true])
}

describe.each(tools)('$tool', (holds) => {
  it('gives back what its shape can hold, and nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(cohort, async (told) => {
        const imported = await importText(holds.tool, holds.write(told))
        const table = await readRequestsCsv(encodeImportedCsv(imported))
        const startUs = holds.due ? 0 : (told[0]?.sentUs ?? 0)
        expect(table.rows).toBe(told.length)
        for (const [row, each] of told.entries()) {
          const isOk = each.failure === ''
          expect(statusAt(table, row)).toBe(isOk ? 'ok' : 'rejected')
          expect(table.ids[row]).toBe(holds.ids ? each.id : `i-${String(row + 1).padStart(5, '0')}`)
          expect(table.inputTokens[row]).toBe(each.inputTokens)
          near(table.sentUs[row], holds.sent === undefined ? Number.NaN : each.sentUs - startUs, 1)
          near(table.dueUs[row], holds.due ? each.dueUs : Number.NaN, 1)
          if (!isOk) continue
          near((table.ttftMs[row] ?? 0) * 1000, each.ttftUs, holds.span + 0.01)
          near((table.e2eMs[row] ?? 0) * 1000, endUs(each) - each.sentUs, holds.span + 0.01)
          expect(table.outputTokens[row]).toBe(each.outputTokens)
          expect(table.cachedTokens[row]).toBe(holds.cached ? each.cachedTokens : -1)
          near(table.gapMaxUs[row], holds.gaps ? Math.max(...each.gapsUs) : Number.NaN, holds.span)
        }
      }),
      { numRuns: 60 },
    )
  })
})
