import { expect, test } from 'vitest'
import type { CapacityRecord } from '../../../src/core/capacity/record.ts'
import { renderComment, renderSummary } from '../../../src/core/report/comment.ts'
import { curveChart } from '../../../src/core/report/rate-curves.ts'
import { point, record, result, sweep } from '../gate/record-fixture.ts'
import { HOSTILE, input } from './report-fixture.ts'

const curve = (...values: [milliRps: number, value: number][]) =>
  values.map(([milliRps, value]) => ({ milliRps, value }))
const made = { state: 'cold', title: 'P95 TTFT', unit: 'ms' }
const lines = (chart: string) =>
  chart.split('\n').flatMap((line) => /^ {4}(?:line|x-axis .*?) (\[.*\])$/.exec(line)?.[1] ?? [])

test('two runs stand over the rates of both, each line straight between its own rates', () => {
  const now = curve([20_000, 100], [22_000, 200], [24_000, 600])
  const base = curve([10_000, 50], [21_000, 160], [25_000, 200])
  expect(lines(curveChart({ ...made, now, base, limit: 500 }))).toEqual([
    '["20.0", "21.0", "22.0", "24.0"]',
    '[150.0, 160.0, 170.0, 190.0]',
    '[100.0, 150.0, 200.0, 600.0]',
    '[500.0, 500.0, 500.0, 500.0]',
  ])
})

test('a curve that overlaps the baseline at one rate or none stands alone, and one of a single rate is not drawn', () => {
  const now = curve([20_000, 100], [22_000, 200])
  expect(lines(curveChart({ ...made, now, base: curve([22_000, 1], [30_000, 2]) }))).toEqual([
    '["20.0", "22.0"]',
    '[100.0, 200.0]',
  ])
  expect(curveChart({ ...made, now: curve([20_000, 100]), base: [] })).toBe('')
  expect(curveChart({ ...made, now: [], base: now })).toBe('')
})

/** All that a chart may consist of: our own words, rates and numbers. */
const CHART = new RegExp(
  [
    '^%%\\{init: \\{"themeVariables": \\{"xyChart": \\{"plotColorPalette": "#[0-9a-f]{6}(?:, #[0-9a-f]{6})*"\\}\\}\\}\\}%%',
    'xychart-beta',
    ' {4}title "(?:cold|warm): (?:attainment of the worst class|completed|good|P95 TTFT|P95 TPOT)"',
    ' {4}x-axis "offered RPS" \\["[\\d.]+"(?:, "[\\d.]+")+\\]',
    ' {4}y-axis "(?:attained %|RPS|ms)" [\\d.]+ --> [\\d.]+',
    '(?: {4}line \\[[\\d.]+(?:, [\\d.]+)+\\]\\n){1,3}$',
  ].join('\\n'),
)
const charts = (text: string) => [...text.matchAll(/```mermaid\n([\s\S]*?)```/g)].map(([, chart]) => chart ?? '')

test('a chart holds nothing that is from outside', () => {
  const named = (from: CapacityRecord): CapacityRecord => ({
    ...from,
    capacity: from.capacity.map((each) => ({
      ...each,
      points: each.points.map((one) => {
        const own = Object.values(one.slo.classes)[0]
        const classes = Object.fromEntries(HOSTILE.map((name) => [name, own])) as typeof one.slo.classes
        return { ...one, slo: { ...one.slo, classes } }
      }),
    })),
  })
  const swept = named(record([sweep('cold', [20_000, 24_000], [24_500]), sweep('warm', [30_000], [30_600])]))
  const found = charts(renderSummary(input(swept, swept)))
  expect(found).toHaveLength(2 * (3 + 12 * 2))
  for (const chart of found) expect(chart).toMatch(CHART)
})

test('the rates nearest to where passing ends are shown of many', () => {
  const points = Array.from({ length: 60 }, (_, index) =>
    point({ cache: 'cold', milliRps: 10_000 + index * 250, outcome: index < 40 ? 'pass' : 'fail' }),
  )
  const comment = renderComment(input(record([result('sweep', points)]), null))
  const table = comment.slice(comment.indexOf('| offered RPS | good RPS |')).split('\n\n', 1)[0] ?? ''
  const rates = [...table.matchAll(/^\| ([\d.]+) \|/gm)].map(([, rate]) => rate)
  expect([rates[0], rates.at(-1), rates.length]).toEqual(['18.0', '21.75', 16])
  expect(comment).toContain('…and 44 more rates, further from where passing ends.')
})
