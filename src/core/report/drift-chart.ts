import type { Fall } from '../history/drift.ts'
import type { Trend } from '../history/trend.ts'
import { mermaidChart } from './mermaid-chart.ts'

/** Days drawn, the latest: more would not be told apart on a phone. */
const DAYS_MAX = 40

/** The days' values and the level before and after the fall, as Mermaid draws them; where it is not drawn, its lines can be read. */
export function driftChart({ days }: Trend, fall: Fall): string {
  const shown = days.slice(-DAYS_MAX)
  const [first, last] = [shown[0], shown.at(-1)]
  if (first === undefined || last === undefined) return ''
  const level = shown.map(({ day }) => (day < fall.since ? fall.beforeMilliRps : fall.nowMilliRps))
  const values = shown.map(({ milliRps }) => milliRps)
  const [lowest, highest] = [Math.min(...values, ...level), Math.max(...values, ...level)]
  const margin = Math.max(1, (highest - lowest) / 4)
  return mermaidChart({
    title: `RPS of ${shown.length} days, and the level before and since ${fall.since}`,
    x: { label: `${first.day} to ${last.day}`, from: 1, to: shown.length },
    y: { label: 'RPS', from: Math.max(0, lowest - margin) / 1000, to: (highest + margin) / 1000 },
    lines: [
      { hue: 'now', values: values.map(inRps) },
      { hue: 'limit', values: level.map(inRps) },
    ],
    decimals: 3,
  })
}

function inRps(milliRps: number): number {
  return milliRps / 1000
}
