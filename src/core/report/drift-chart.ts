import type { Fall } from '../history/drift.ts'
import type { Trend } from '../history/trend.ts'
import { CHART_COLOURS } from './rate-chart.ts'

/** Days drawn, the latest: more would not be told apart on a phone. */
const DAYS_MAX = 40

/** The days' values and the level before and after the fall, as Mermaid draws them; where it is not drawn, its lines can be read. */
export function driftChart({ days }: Trend, fall: Fall): string {
  const shown = days.slice(-DAYS_MAX)
  const [first, last] = [shown[0], shown.at(-1)]
  // A line of one point is not drawn.
  if (first === undefined || last === undefined || shown.length < 2) return ''
  const level = shown.map(({ day }) => (day < fall.since ? fall.beforeMilliRps : fall.nowMilliRps))
  const values = shown.map(({ milliRps }) => milliRps)
  const [lowest, highest] = [Math.min(...values, ...level), Math.max(...values, ...level)]
  const margin = Math.max(1, (highest - lowest) / 4)
  return [
    '```mermaid',
    CHART_COLOURS,
    'xychart-beta',
    `    title "The latest ${shown.length} days with a value, and the level before and since ${fall.since}"`,
    `    x-axis "${first.day} to ${last.day}" 1 --> ${shown.length}`,
    `    y-axis "RPS" ${inRps(Math.max(0, lowest - margin))} --> ${inRps(highest + margin)}`,
    `    line [${values.map(inRps).join(', ')}]`,
    `    line [${level.map(inRps).join(', ')}]`,
    '```',
  ].join('\n')
}

function inRps(milliRps: number): string {
  return (milliRps / 1000).toFixed(3)
}
