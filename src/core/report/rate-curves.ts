import type { ChartLine } from './mermaid-chart.ts'
import { mermaidChart } from './mermaid-chart.ts'
import { milliRps } from './numbers.ts'

/** A value at each of some rates, lowest rate first. */
export type Curve = readonly { milliRps: number; value: number }[]

export interface CurveChart {
  state: string
  title: string
  unit: string
  now: Curve
  base: Curve
  limit?: number | null
  /** The greatest value there can be. */
  to?: number
}

/** More names would lie over each other. */
const NAMES_MAX = 24
/** An axis of shares begins at a whole step under the lowest. */
const STEP = 5

/**
 * Two runs over one axis of rates. Mermaid has no gaps in a line: where only one run has a rate, the other's line is read between its own
 * rates, as it would be drawn there, and rates outside either's range are left out. Of curves that do not overlap this run's stands alone.
 * Empty for fewer than two rates.
 */
export function curveChart({ state, title, unit, now, base, limit = null, to }: CurveChart): string {
  const shared = common(now, base)
  const isCompared = shared.length > 1
  const rates = isCompared ? shared : now.map((point) => point.milliRps)
  if (rates.length < 2) return ''
  const lines: ChartLine[] = [
    ...(isCompared ? [{ hue: 'base' as const, values: rates.map((rate) => at(base, rate)) }] : []),
    { hue: 'now', values: rates.map((rate) => at(now, rate)) },
    ...(limit === null ? [] : [{ hue: 'limit' as const, values: rates.map(() => limit) }]),
  ]
  const values = lines.flatMap((line) => line.values)
  const lowest = Math.floor(Math.min(...values) / STEP) * STEP - STEP
  return mermaidChart({
    title: `${state}: ${title}`,
    x: { label: 'offered RPS', names: rates.map((rate) => milliRps(rate)) },
    y: { label: unit, from: to === undefined ? 0 : Math.max(0, lowest), to: to ?? (Math.max(...values) || 1) * 1.05 },
    lines,
    decimals: unit === 'RPS' ? 3 : 1,
  })
}

/** The rates of either within the range of both. */
function common(now: Curve, base: Curve): number[] {
  const [nowFrom, baseFrom] = [now[0], base[0]]
  const [nowTo, baseTo] = [now.at(-1), base.at(-1)]
  if (!nowFrom || !baseFrom || !nowTo || !baseTo) return []
  const from = Math.max(nowFrom.milliRps, baseFrom.milliRps)
  const to = Math.min(nowTo.milliRps, baseTo.milliRps)
  const rates = new Set([...now, ...base].map((point) => point.milliRps))
  const inside = [...rates].filter((rate) => rate >= from && rate <= to).toSorted((a, b) => a - b)
  return inside.length > NAMES_MAX
    ? now.map(({ milliRps: rate }) => rate).filter((rate) => inside.includes(rate))
    : inside
}

/** A curve's value at a rate inside its range, on the straight line between its neighbours. */
function at(curve: Curve, rate: number): number {
  const right = curve.findIndex((point) => point.milliRps >= rate)
  const [before, after] = [curve[Math.max(0, right - 1)], curve[right]]
  if (before === undefined || after === undefined) return curve.at(-1)?.value ?? 0
  const span = after.milliRps - before.milliRps
  return span === 0 ? after.value : before.value + ((after.value - before.value) * (rate - before.milliRps)) / span
}
