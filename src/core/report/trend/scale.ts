import { pointValue } from '../../history/point.ts'
import type { HistoryPoint } from '../../history/point.ts'

/** Where a chart puts times and rates: shares of the plot's width in percent, pixels of its height. */
export interface Scale {
  x(at: string): number
  y(milliRps: number): number
  ticks: readonly number[]
}

/** Pixels of the plot's height: above it rows for what is said of changes, at its bottom a strip for points without a value. */
export const LABEL_ROWS = 3
export const LABEL_HEIGHT = 15
export const PLOT_HEIGHT = 220 + LABEL_ROWS * LABEL_HEIGHT
export const STRIP_HEIGHT = 24
const TICKS = 5

/** Spans all values, with room above and below; the rate axis does not start at zero, since a twentieth part is what it is to show. */
export function scaleOf(points: readonly HistoryPoint[]): Scale {
  const times = points.map(({ at }) => Date.parse(at))
  const [first, last] = [Math.min(...times), Math.max(...times)]
  const values = points.map(pointValue).filter((value) => value !== null)
  const rates = values.map(({ milliRps }) => milliRps)
  const ticks = ticksOver(rates.length === 0 ? [0, 1000] : [Math.min(...rates), Math.max(...rates)])
  const [low, high] = [ticks[0] as number, ticks.at(-1) as number]
  const top = LABEL_ROWS * LABEL_HEIGHT + 6
  const bottom = PLOT_HEIGHT - STRIP_HEIGHT - 6
  return {
    x: (at) => round(first === last ? 50 : 1 + (98 * (Date.parse(at) - first)) / (last - first)),
    y: (milliRps) => round(bottom - ((bottom - top) * (milliRps - low)) / (high - low)),
    ticks,
  }
}

/** Round steps of 1, 2 or 5 times a power of ten, that reach from below the least value to above the greatest. */
function ticksOver([least, greatest]: readonly [number, number]): number[] {
  const span = Math.max(greatest - least, greatest * 0.08, 1)
  const middle = (least + greatest) / 2
  const step = roundStep(span / (TICKS - 1))
  const from = Math.max(0, Math.floor((middle - span / 2) / step))
  const to = Math.max(from + 1, Math.ceil((middle + span / 2) / step))
  return Array.from({ length: to - from + 1 }, (_, index) => (from + index) * step)
}

function roundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step))
  return Math.max(1, ([1, 2, 5].find((factor) => factor * power >= step) ?? 10) * power)
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
