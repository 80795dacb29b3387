import { openMilliRps, pointsByRate } from '../capacity/by-rate.ts'
import type { CapacityResult, PointReport } from '../capacity/record.ts'
import { worstAttainment } from '../slo/worst-attainment.ts'
import { milliRps, percent, rps } from './numbers.ts'
import { columns, cut, table } from './table.ts'

/** More would not be told apart on a phone, nor fit under a chart. */
const RATES_MAX = 16

/** A row a rate, narrow: its last repeat. Beside it the same as a chart, for where Mermaid is drawn; elsewhere its lines can be read. */
export function rateOverview({ cache, points }: CapacityResult, attainmentMin: number | null): string[] {
  const latest = [...pointsByRate(points).values()].flatMap((repeats) => repeats.at(-1) ?? [])
  const { shown, rest } = cut(latest, RATES_MAX, 'rates')
  const rows = shown.map((point) => [
    milliRps(openMilliRps(point)),
    rps(point.ratesRps.good),
    percent(worstAttainment(point.slo)),
    point.outcome,
  ])
  if (rows.length === 0) return []
  return [
    table(columns('offered RPS:', 'good RPS:', 'worst class %:', 'outcome'), rows),
    rest,
    chart(`${cache}: attainment of the worst class`, shown, attainmentMin),
  ]
}

/** Mermaid's own first colour is all but white. */
export const CHART_COLOURS = '%%{init: {"themeVariables": {"xyChart": {"plotColorPalette": "#1f6feb, #cf222e"}}}}%%'

/** Mermaid draws no line of one point, and none with a gap in it. */
function chart(title: string, points: readonly PointReport[], attainmentMin: number | null): string {
  const known = points.flatMap((point) => {
    const value = worstAttainment(point.slo)
    return value === null ? [] : [{ rate: milliRps(openMilliRps(point)), value: value * 100 }]
  })
  if (known.length < 2) return ''
  const values = [...known.map(({ value }) => value), (attainmentMin ?? 1) * 100]
  const lowest = Math.max(0, Math.floor(Math.min(...values) / 5) * 5 - 5)
  return [
    '```mermaid',
    CHART_COLOURS,
    'xychart-beta',
    `    title "${title}"`,
    `    x-axis "offered RPS" [${known.map(({ rate }) => `"${rate}"`).join(', ')}]`,
    `    y-axis "attained %" ${lowest} --> 100`,
    `    line [${known.map(({ value }) => value.toFixed(1)).join(', ')}]`,
    // The second line is what is asked for.
    ...(attainmentMin === null ? [] : [`    line [${known.map(() => (attainmentMin * 100).toFixed(1)).join(', ')}]`]),
    '```',
  ].join('\n')
}
