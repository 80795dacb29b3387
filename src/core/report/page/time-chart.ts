import { line } from 'd3-shape'
import { htmlText } from '../html-text.ts'
import { plainNumber } from '../numbers.ts'
import type { Lane, PointPicture } from './facts.ts'

const WIDTH = 340
const LANE = 46
const HEAD = 14
const FOOT = 30
const LEFT = 4
/** Up to so many stretches whole pixels are enough. */
const COARSE_MAX = 50

/** A point's time: a lane for each metric, one below the other, with warm-up, arrivals and drain as grounds of their own. */
export function timeChart(name: string, picture: PointPicture): string {
  const lanes = picture.lanes.filter(({ values }) => values.some((value) => value !== null))
  if (lanes.length === 0) return '<p>Nothing was sampled over time.</p>'
  const missing = picture.lanes.filter((lane) => !lanes.includes(lane)).map(({ title }) => title)
  const height = lanes.length * LANE + FOOT
  const svg = [
    `<svg role="img" aria-label="${htmlText(`${name} over time. ${lanes.map(laneText).join(' ')}`, 900)}" viewBox="0 0 ${WIDTH} ${height}">`,
    `<path class="g" d="${lanes.map((_, index) => `M0 ${(index + 1) * LANE - 4}H${WIDTH}`).join('')}"/>`,
    ...grounds(picture, lanes.length * LANE),
    ...lanes.map((lane, index) => laneTexts(lane, index * LANE)),
    // One path for all lanes: a large pack has hundreds of these pictures.
    `<path class="c now lane" d="${lanes.map((lane, index) => lanePath(lane, index * LANE)).join('')}"/>`,
    ...timeAxis(picture, height),
    '</svg>',
  ].join('')
  return `${svg}${missing.length === 0 ? '' : `<p class="soft">Not seen: ${missing.join(', ')}.</p>`}`
}

function laneText({ title, unit, values }: Lane): string {
  const known = values.filter((value) => value !== null)
  return `${title}: ${plainNumber(Math.min(...known))} to ${plainNumber(Math.max(...known))} ${unit}.`
}

function place({ fromUs, cohortUs }: PointPicture, atUs: number): number {
  const share = (atUs - fromUs) / Math.max(1, cohortUs - fromUs)
  return digit(LEFT + Math.min(1, Math.max(0, share)) * (WIDTH - 2 * LEFT))
}

function grounds(picture: PointPicture, height: number): string[] {
  const [start, zero, end, over] = [picture.fromUs, 0, picture.arrivalUs, picture.cohortUs].map((at) =>
    place(picture, at),
  ) as [number, number, number, number]
  const ground = (kind: string, from: number, to: number) =>
    to <= from ? '' : `<rect class="${kind}" x="${from}" y="0" width="${digit(to - from)}" height="${height}"/>`
  return [ground('warmup', start, zero), ground('drain', end, over)]
}

function laneTexts({ title, unit, values }: Lane, top: number): string {
  const high = Math.max(...values.filter((value) => value !== null))
  const y = top + HEAD - 3
  return `<text class="l" x="${LEFT}" y="${y}">${htmlText(title, 60)}</text><text class="e" x="${WIDTH - LEFT}" y="${y}">≤ ${plainNumber(high)} ${unit}</text>`
}

function lanePath({ values }: Lane, top: number): string {
  const known = values.filter((value) => value !== null)
  const [from, high] = [Math.min(0, ...known), Math.max(...known)]
  const y = (value: number) => top + LANE - 4 - ((value - from) / (high - from || 1)) * (LANE - HEAD - 6)
  const step = (WIDTH - 2 * LEFT) / values.length
  const path = line<number | null>(
    (_, index) => LEFT + (index + 0.5) * step,
    (value) => y(value ?? 0),
  )
    .defined((value) => value !== null)
    .digits(values.length > COARSE_MAX ? 1 : 0)
  return path(values) ?? ''
}

function timeAxis(picture: PointPicture, height: number): string[] {
  const { fromUs, arrivalUs, cohortUs } = picture
  const seconds = (us: number) => `${plainNumber(us / 1e6).replace('-', '−')} s`
  const y = height - FOOT + 14
  const start = fromUs < 0 ? `<text class="l" x="${LEFT}" y="${y}">warm-up from ${seconds(fromUs)}</text>` : ''
  return [
    start,
    `<text class="e" x="${WIDTH - LEFT}" y="${y}">drained at ${seconds(cohortUs)}</text>`,
    `<text class="l" x="${LEFT}" y="${y + 13}">window 0 to ${seconds(arrivalUs)}</text>`,
  ]
}

function digit(value: number): number {
  return Math.round(value * 10) / 10
}
