import type { Drift, Fall } from '../../history/drift.ts'
import type { HistoryPoint } from '../../history/point.ts'
import type { Trend } from '../../history/trend.ts'
import { latest } from '../../history/trend.ts'
import { safeUrl } from '../context.ts'
import { capacityText, foundBy } from '../drift-issue.ts'
import { htmlText } from '../html-text.ts'
import { METRIC_NAMES } from '../headline.ts'
import { milliRps, NONE, percent, plural, rps, signedPercent } from '../numbers.ts'
import { trendChart } from './chart.ts'

/** Points of a series that are drawn and listed, the latest. */
const POINTS_MAX = 500

/** One series: what it does, its picture, and the same as tables. */
export function trendSection(trend: Trend): string {
  const point = latest(trend)
  const points = trend.points.slice(-POINTS_MAX)
  const name = `${htmlText(point.series, 80)}, ${point.cache}`
  return [
    `<section id="s-${trend.key}" aria-labelledby="h-${trend.key}">`,
    `<h2 id="h-${trend.key}">${name}</h2>`,
    `<p><span class="state state-${trend.drift.state}">${STATES[trend.drift.state]}</span> ${driftSentence(trend.drift)}</p>`,
    ...(point.kind === 'simulated' ? ['<p class="soft">Simulated: no capacities of any hardware.</p>'] : []),
    '<figure>',
    trendChart(trend, points, chartDescription(trend, points)),
    `<figcaption>Offered requests a second that every class carried, a point a run. Dashed: medians between changes. × does not count (undecided, invalid, or only a lower bound). Hollow: below the lowest tested rate.${cutText(trend, points)}</figcaption>`,
    '</figure>',
    changesTable(trend),
    pointsTable(points, trend.key),
    `<p class="soft">${htmlText(point.machine, 300)} · experiment ${point.experiment.slice(0, 12)} · hardware ${point.hardware.slice(0, 12)} · series ${trend.key} · tolerance ${percent(point.toleranceShare)} %</p>`,
    '</section>',
  ].join('\n')
}

const STATES: Readonly<Record<Drift['state'], string>> = {
  drifting: '▼ Drifting',
  recovered: 'Recovered',
  accepted: 'Accepted',
  abandoned: 'No longer measured',
  steady: 'Steady',
  short: 'Too few values',
}

/** The state of a series, for the table at the top. */
export function stateText(trend: Trend): string {
  return `<span class="state state-${trend.drift.state}">${STATES[trend.drift.state]}</span>`
}

function driftSentence(drift: Drift): string {
  switch (drift.state) {
    case 'short':
      return `${plural(drift.values, 'day')} with a value; from ${drift.needed} on there is something to say.`
    case 'steady':
      return 'No fall was found.'
    case 'drifting':
    case 'recovered':
    case 'accepted':
    case 'abandoned':
      return fallSentence(drift.fall)
  }
}

function fallSentence(fall: Fall): string {
  const [was, is] = [htmlText(fall.from.version, 80), htmlText(fall.to.version, 80)]
  const versions = fall.from.sha256 === fall.to.sha256 ? `the same engine, ${is}` : `${was} → ${is}`
  return `Fell on ${fall.since} from ${milliRps(fall.beforeMilliRps)} RPS, now ${milliRps(fall.nowMilliRps)} RPS (${signedPercent(fall.share)} %); ${versions}; found by ${foundBy(fall)}.`
}

function chartDescription(trend: Trend, points: readonly HistoryPoint[]): string {
  const point = latest(trend)
  const span = `${points[0]?.at.slice(0, 10) ?? ''} to ${point.at.slice(0, 10)}`
  return `Capacity of ${point.series}, ${point.cache}, ${span}: ${plural(points.length, 'run')}, ${plural(trend.changes.length, 'change')} of the level, last ${capacityText(point)} RPS. The tables below have the same.`
}

function cutText(trend: Trend, points: readonly HistoryPoint[]): string {
  const left = trend.points.length - points.length
  return left === 0 ? '' : ` ${plural(left, 'older point')} not shown.`
}

function changesTable({ changes, days }: Trend): string {
  if (changes.length === 0) return ''
  const rows = changes.toReversed().map((change) => {
    const day = days[change.index]
    const version = htmlText(day?.point.subject.version ?? '', 80)
    const numbers = [rps(change.before / 1000), rps(change.after / 1000), signedPercent(change.share)]
    const cells = numbers.map((number) => `<td class="number">${number}</td>`).join('')
    return `<tr><td class="when">${day?.day ?? ''}</td>${cells}<td>${version}</td><td>${foundBy(change)}</td></tr>`
  })
  return [
    '<div class="wide" tabindex="0" role="region" aria-label="Changes of the level"><table>',
    '<thead><tr><th scope="col">changed on</th><th scope="col" class="number">before RPS</th><th scope="col" class="number">after RPS</th><th scope="col" class="number">Δ %</th><th scope="col">first version</th><th scope="col">found by</th></tr></thead>',
    `<tbody>${rows.join('\n')}</tbody></table></div>`,
  ].join('\n')
}

function pointsTable(points: readonly HistoryPoint[], key: string): string {
  const heads = [
    'run',
    'version',
    'RPS:',
    'a replica:',
    'attained at guard %:',
    'boot spread %:',
    'limited by',
    'outcome',
  ]
  const head = heads.map((title) =>
    title.endsWith(':') ? `<th scope="col" class="number">${title.slice(0, -1)}</th>` : `<th scope="col">${title}</th>`,
  )
  return [
    `<details><summary>All ${plural(points.length, 'point')} as a table</summary>`,
    `<div class="wide" tabindex="0" role="region" aria-label="Points of series ${key}"><table>`,
    `<thead><tr>${head.join('')}</tr></thead>`,
    `<tbody>${points.toReversed().map(pointRow).join('\n')}</tbody></table></div></details>`,
  ].join('\n')
}

function pointRow(point: HistoryPoint): string {
  const numbers = [
    htmlText(capacityText(point)),
    rps(point.perReplicaRps),
    percent(point.attainmentAtGuard),
    percent(point.bootSpread),
  ].map((number) => `<td class="number">${number}</td>`)
  const merged = point.merged === null ? '' : ` (${mergedText(point.merged)})`
  const outcome = `${point.outcome}${point.reason === null ? '' : `: ${htmlText(point.reason, 60)}`}${merged}`
  const version = htmlText(point.subject.version, 80)
  return `<tr><td class="when">${runText(point)}</td><td>${version}</td>${numbers.join('')}<td>${limitingText(point)}</td><td>${outcome}</td></tr>`
}

function mergedText({ points, notCounted }: { points: number; notCounted: number }): string {
  const counted = `the median of ${plural(points, 'run')}`
  if (notCounted === 0) return counted
  return points === 0 ? `the last of ${notCounted} that did not count` : `${counted}, ${notCounted} did not count`
}

function runText(point: HistoryPoint): string {
  const when = point.at.slice(0, 16).replace('T', ' ')
  const url = safeUrl(point.runUrl ?? undefined)
  return url === null ? when : `<a href="${htmlText(url, 800)}" rel="noreferrer">${when}</a>`
}

function limitingText({ limiting }: HistoryPoint): string {
  if (limiting === null) return NONE
  return `${htmlText(limiting.class, 80)} (${METRIC_NAMES.get(limiting.metric) ?? htmlText(limiting.metric)})`
}
