import type { Change } from '../../history/changes.ts'
import { pointValue } from '../../history/point.ts'
import type { HistoryPoint } from '../../history/point.ts'
import type { Trend } from '../../history/trend.ts'
import { capacityText } from '../drift-issue.ts'
import { htmlText } from '../html-text.ts'
import { rps, signedPercent } from '../numbers.ts'
import type { Scale } from './scale.ts'
import { LABEL_HEIGHT, LABEL_ROWS, PLOT_HEIGHT, scaleOf, STRIP_HEIGHT } from './scale.ts'

const AXIS_HEIGHT = 22

/**
 * A trend's picture. Widths are in percent, so that text and marks keep their size on a phone; what is outside the plot stands in the
 * figure's padding. `points` are those of the trend that are drawn.
 */
export function trendChart(trend: Trend, points: readonly HistoryPoint[], description: string): string {
  const scale = scaleOf(points)
  return [
    `<svg role="img" aria-label="${htmlText(description, 600)}" width="100%" height="${PLOT_HEIGHT + AXIS_HEIGHT}">`,
    ...grid(scale),
    ...changeMarks(trend, points, scale),
    ...levels(trend, points, scale),
    ...line(points, scale),
    ...points.map((point) => mark(point, scale)),
    ...dates(points),
    '</svg>',
  ].join('\n')
}

function grid(scale: Scale): string[] {
  const rates = scale.ticks.flatMap((tick) => {
    const y = scale.y(tick)
    return [
      `<line class="grid" x1="0%" y1="${y}" x2="100%" y2="${y}"/>`,
      `<text class="tick" x="0" dx="-8" y="${y}" dy="4" text-anchor="end">${rps(tick / 1000)}</text>`,
    ]
  })
  const strip = PLOT_HEIGHT - STRIP_HEIGHT + 4
  return [...rates, `<line class="axis" x1="0%" y1="${strip}" x2="100%" y2="${strip}"/>`]
}

/** From each counted run to the next. */
function line(points: readonly HistoryPoint[], scale: Scale): string[] {
  const places = points.flatMap((point) => {
    const value = pointValue(point)
    return value === null ? [] : [{ x: scale.x(point.at), y: scale.y(value.milliRps) }]
  })
  return places.slice(1).map((to, index) => {
    const from = places[index] ?? to
    return `<line class="run" x1="${from.x}%" y1="${from.y}" x2="${to.x}%" y2="${to.y}"/>`
  })
}

function mark(point: HistoryPoint, scale: Scale): string {
  const value = pointValue(point)
  const x = scale.x(point.at)
  const title = `<title>${htmlText(pointText(point), 300)}</title>`
  if (value === null) {
    const y = PLOT_HEIGHT - STRIP_HEIGHT / 2 + 3
    return `<text class="uncounted" x="${x}%" y="${y}" dy="4" text-anchor="middle">×${title}</text>`
  }
  const kind = value.isBound ? 'bound' : 'point'
  return `<circle class="${kind}" cx="${x}%" cy="${scale.y(value.milliRps)}" r="3.5">${title}</circle>`
}

function pointText(point: HistoryPoint): string {
  const merged = point.merged === null ? '' : `, median of ${point.merged.points} runs`
  return `${point.at.slice(0, 16).replace('T', ' ')}: ${capacityText(point)} RPS, ${point.outcome}, ${point.subject.version}${merged}`
}

function changeMarks({ changes, days }: Trend, points: readonly HistoryPoint[], scale: Scale): string[] {
  return changes.flatMap((change, which) => {
    const at = days[change.index]?.point.at
    return at === undefined || at < (points[0]?.at ?? '') ? [] : changeMark(change, scale.x(at), which % LABEL_ROWS)
  })
}

/** Neighbours' words stand in different rows: on a phone they would lie over each other. */
function changeMark(change: Change, x: number, row: number): string[] {
  const y = 12 + row * LABEL_HEIGHT
  const kind = change.share < 0 ? 'fall' : 'rise'
  const anchor = x > 80 ? 'end' : 'start'
  const text = `${change.share < 0 ? '▼' : '▲'} ${signedPercent(change.share)} %`
  return [
    `<line class="${kind}" x1="${x}%" y1="${y - 10}" x2="${x}%" y2="${PLOT_HEIGHT - STRIP_HEIGHT + 4}"/>`,
    `<text class="${kind}-text" x="${x}%" dx="${anchor === 'end' ? -6 : 6}" y="${y}" text-anchor="${anchor}">${text}</text>`,
  ]
}

/** The median of each stretch between two changes. */
function levels(trend: Trend, points: readonly HistoryPoint[], scale: Scale): string[] {
  const { changes, days } = trend
  const [from, to] = [points[0]?.at ?? '', points.at(-1)?.at ?? '']
  return changes.flatMap((change, which) => {
    const start = days[change.index]?.point.at ?? from
    const end = days[changes[which + 1]?.index ?? -1]?.point.at ?? to
    const former = which === 0 && start > from ? [level(from, start, change.before, scale)] : []
    return start < from ? [] : [...former, level(start, end, change.after, scale)]
  })
}

function level(from: string, to: string, milliRps: number, scale: Scale): string {
  const y = scale.y(milliRps)
  return `<line class="level" x1="${scale.x(from)}%" y1="${y}" x2="${scale.x(to)}%" y2="${y}"/>`
}

function dates(points: readonly HistoryPoint[]): string[] {
  const days = [points[0], points.at(-1)].map((point) => point?.at.slice(0, 10) ?? '')
  const y = PLOT_HEIGHT + 16
  const [first = '', last = ''] = days
  const start = `<text class="tick" x="0%" y="${y}" text-anchor="start">${first}</text>`
  return first === last ? [start] : [start, `<text class="tick" x="100%" y="${y}" text-anchor="end">${last}</text>`]
}
