import { scaleLinear } from 'd3-scale'
import { line } from 'd3-shape'
import { htmlText } from '../html-text.ts'
import { plainNumber } from '../numbers.ts'

/** How a point came out: each has a mark of its own shape, so that no one needs colours. */
export type MarkKind = 'pass' | 'fail' | 'fluke' | 'open' | 'none'

export interface PlotPoint {
  x: number
  y: number | null
  mark: MarkKind
  /** The interval's ends. */
  low?: number | null
  high?: number | null
}

/** A curve: every repeat is a mark, and the line goes through the last one of each `x`. */
export interface Curve {
  whose: 'now' | 'base'
  points: readonly PlotPoint[]
  /** Marks without a line through them: percentiles of a record whose requests are not at hand. */
  isLoose?: boolean
  /** A second curve of the same record is told apart by its dashes. */
  isSecond?: boolean
}

export interface Plot {
  title: string
  /** In words, for who does not see the picture. */
  description: string
  xLabel: string
  curves: readonly Curve[]
  /** Limits: a share to be reached, a cutoff. */
  limits?: readonly { value: number; on: 'x' | 'y' }[]
  /** The axes' ends, where they are not those of the values. */
  xMax?: number
  yDomain?: readonly [number, number]
}

const WIDTH = 340
const HEIGHT = 190
const EDGE = { left: 44, right: 12, top: 22, bottom: 34 }
const TICKS = 4
const CROSS = 3.2
/** A curve of more points has no marks where it passed, and the baseline's has no intervals: they would lie over each other. Whole pixels are enough for it. */
const MARKED_MAX = 30

interface Scales {
  x(value: number): number
  y(value: number): number
  xTicks: readonly number[]
  yTicks: readonly number[]
  yMin: number
  yMax: number
}

/** A small chart with its axes; null where there is nothing to draw. Text keeps its size, since the picture is no wider than a phone. */
export function plotSvg(plot: Plot): string | null {
  const scales = scalesOf(plot)
  if (scales === null) return null
  return [
    `<svg role="img" aria-label="${htmlText(`${plot.title}. ${plot.description}`, 600)}" viewBox="0 0 ${WIDTH} ${HEIGHT}">`,
    `<text class="t" x="0" y="12">${htmlText(plot.title, 52)}</text>`,
    ...axes(plot, scales),
    ...(plot.limits ?? []).map((limit) => limitLine(limit, scales)),
    ...plot.curves.flatMap((curve) => curveMarks(curve, scales)),
    '</svg>',
  ].join('')
}

function scalesOf({ curves, limits = [], xMax, yDomain }: Plot): Scales | null {
  const drawn = curves.flatMap(({ points }) => points.filter(({ y }) => y !== null))
  if (drawn.length === 0) return null
  const xs = [...drawn.map(({ x }) => x), ...limits.flatMap(({ on, value }) => (on === 'x' ? [value] : []))]
  const ys = [...drawn.map(({ y }) => y ?? 0), ...limits.flatMap(({ on, value }) => (on === 'y' ? [value] : []))]
  const [yLow, yHigh] = yDomain ?? [0, greatest(ys) || 1]
  const isFromZero = xMax !== undefined
  const spread = greatest(xs) - least(xs)
  const edge = spread === 0 ? Math.max(greatest(xs) * 0.1, 0.5) : spread * 0.04
  const xDomain = isFromZero ? [0, xMax] : [Math.max(0, least(xs) - edge), greatest(xs) + edge]
  const x = scaleLinear(xDomain, [EDGE.left, WIDTH - EDGE.right]).clamp(true)
  const y = scaleLinear([yLow, yHigh], [HEIGHT - EDGE.bottom, EDGE.top]).clamp(true)
  if (yDomain === undefined) y.nice(TICKS)
  const [yMin = 0, yMax = 1] = y.domain()
  return { x: (value) => x(value), y: (value) => y(value), xTicks: x.ticks(TICKS), yTicks: y.ticks(TICKS), yMin, yMax }
}

function axes({ xLabel }: Plot, { x, y, xTicks, yTicks }: Scales): string[] {
  const [left, right, bottom] = [EDGE.left, WIDTH - EDGE.right, HEIGHT - EDGE.bottom]
  const grid = yTicks.map((tick) => `M${left} ${digit(y(tick))}H${right}`).join('')
  return [
    `<path class="g" d="${grid}"/>`,
    ...yTicks.map((tick) => `<text class="e" x="${left - 5}" y="${digit(y(tick) + 4)}">${plainNumber(tick)}</text>`),
    ...xTicks.map((tick) => `<text class="m" x="${digit(x(tick))}" y="${bottom + 14}">${plainNumber(tick)}</text>`),
    `<text class="m" x="${(left + right) / 2}" y="${HEIGHT - 5}">${htmlText(xLabel, 60)}</text>`,
  ]
}

function limitLine({ value, on }: { value: number; on: 'x' | 'y' }, { x, y }: Scales): string {
  const d =
    on === 'y'
      ? `M${EDGE.left} ${digit(y(value))}H${WIDTH - EDGE.right}`
      : `M${digit(x(value))} ${EDGE.top}V${HEIGHT - EDGE.bottom}`
  return `<path class="limit" d="${d}"/>`
}

function curveMarks({ whose, points, isLoose = false, isSecond = false }: Curve, scales: Scales): string[] {
  const known = points.filter((point): point is PlotPoint & { y: number } => point.y !== null)
  const isDense = known.length > MARKED_MAX
  const last = new Map(known.map((point) => [point.x, point]))
  const path = line<PlotPoint & { y: number }>(
    (point) => scales.x(point.x),
    (point) => scales.y(point.y),
  ).digits(isDense ? 0 : 1)
  const through = isLoose ? null : path([...last.values()].toSorted((a, b) => a.x - b.x))
  const second = isSecond ? ' second' : ''
  return [
    isDense && whose === 'base' ? '' : intervals(known, whose, scales),
    through === null ? '' : `<path class="c ${whose}${second}" d="${through}"/>`,
    ...KINDS.map((kind) => (isDense && kind === 'pass' ? '' : marks(known, kind, { whose, scales }))),
  ]
}

function intervals(points: readonly PlotPoint[], whose: string, { x, y }: Scales): string {
  const round = points.length > MARKED_MAX ? Math.round : digit
  const d = points.flatMap(({ x: at, low, high }) =>
    typeof low === 'number' && typeof high === 'number' ? [`M${round(x(at))} ${round(y(low))}V${round(y(high))}`] : [],
  )
  return d.length === 0 ? '' : `<path class="i ${whose}" d="${d.join('')}"/>`
}

/** All marks of a kind are one path: a dot is a line of no length with round ends. */
function marks(
  points: readonly (PlotPoint & { y: number })[],
  kind: Exclude<MarkKind, 'none'>,
  { whose, scales }: { whose: string; scales: Scales },
): string {
  const own = points.filter(({ mark }) => mark === kind)
  if (own.length === 0) return ''
  const d = own.map((point) => SHAPES[kind](digit(scales.x(point.x)), digit(scales.y(point.y)))).join('')
  return `<path class="p ${kind} ${whose}" d="${d}"/>`
}

const KINDS = ['pass', 'fail', 'fluke', 'open'] as const

const SHAPES: Readonly<Record<Exclude<MarkKind, 'none'>, (x: number, y: number) => string>> = {
  pass: (x, y) => `M${x} ${y}h0`,
  fail: (x, y) => `M${digit(x - CROSS)} ${digit(y - CROSS)}l6.4 6.4m0-6.4l-6.4 6.4`,
  fluke: (x, y) => `M${x} ${digit(y - 4)}l4 4-4 4-4-4z`,
  open: (x, y) => `M${digit(x - 3)} ${digit(y - 3)}h6v6h-6z`,
}

function digit(value: number): number {
  return Math.round(value * 10) / 10
}

function least(values: readonly number[]): number {
  return values.reduce((low, value) => Math.min(low, value), Number.POSITIVE_INFINITY)
}

function greatest(values: readonly number[]): number {
  return values.reduce((high, value) => Math.max(high, value), Number.NEGATIVE_INFINITY)
}
