import type { Fall } from '../history/drift.ts'
import type { PlannedDrift } from '../history/drift-plan.ts'
import { pointValue } from '../history/point.ts'
import type { HistoryPoint } from '../history/point.ts'
import type { Trend } from '../history/trend.ts'
import { latest } from '../history/trend.ts'
import { safeUrl } from './context.ts'
import { markdownCode, markdownInk, plainText } from './escape.ts'
import { METRIC_NAMES } from './headline.ts'
import { milliRps, NONE, percent, signedPercent } from './numbers.ts'
import { columns, table } from './table.ts'

/** Runs shown, the latest first. */
const RUNS_MAX = 14

/** What an issue, or a comment that closes one, says. */
export interface DriftText {
  title: string
  body: string
}

/** The issue's hidden first line: of which series it is, and which facts it shows. */
export function driftMarker(key: string, facts: string): string {
  return `<!-- capacity-gate-drift:${key}:${facts} -->`
}

/** The text of the issue that is opened or updated, or of the comment that closes it; null where there is nothing to say. */
export function driftText({ action, key, facts, trend }: PlannedDrift): DriftText | null {
  switch (action) {
    case 'open':
    case 'update':
      return 'fall' in trend.drift && facts !== null
        ? { title: driftTitle(trend, trend.drift.fall), body: issueBody(key, facts, trend, trend.drift.fall) }
        : null
    case 'close':
      return { title: '', body: `${closingText(trend)}\n` }
    case 'keep':
    case 'none':
      return null
  }
}

function driftTitle(trend: Trend, fall: Fall): string {
  const { series, cache } = latest(trend)
  return `Capacity drift: ${plainText(series, 80)}, ${cache}: ${signedPercent(fall.share)} % since ${fall.since}`
}

function issueBody(key: string, facts: string, trend: Trend, fall: Fall): string {
  const point = latest(trend)
  return [
    driftMarker(key, facts),
    fallSentence(trend, fall),
    '',
    ...(point.kind === 'simulated' ? ['Simulated: these are no capacities of any hardware.', ''] : []),
    '**What to do**',
    '',
    ...steps(fall).map((step) => `- ${step}`),
    '',
    levels(fall),
    '',
    `Found by ${foundBy(fall)}.${limitedBy(point)}`,
    '',
    '**The latest runs**',
    '',
    runs(trend.points),
    '',
    `Machine: ${markdownInk.text(point.machine, 300)}. Experiment \`${point.experiment.slice(0, 12)}\`, hardware \`${point.hardware.slice(0, 12)}\`.`,
    '',
    'This issue is updated as the history grows, and closed when the level is back or a lower baseline was accepted and holds.',
    '',
  ].join('\n')
}

function fallSentence(trend: Trend, fall: Fall): string {
  const { series, cache } = latest(trend)
  const rates = `${milliRps(fall.beforeMilliRps)} → ${milliRps(fall.nowMilliRps)} RPS (${signedPercent(fall.share)} %)`
  return `**Capacity of ${markdownCode(series, 80)}, ${cache}: ${rates}** since ${fall.since}, and not back.`
}

function steps(fall: Fall): string[] {
  const revisions = `${markdownCode(fall.from.version, 80)} and ${markdownCode(fall.to.version, 80)}`
  const cause =
    fall.from.sha256 === fall.to.sha256
      ? 'The engine is the same before and after: look at the machine first (driver, clocks, power, cooling, neighbours), with the two nights’ packs side by side.'
      : `The engine changed with the fall: compare ${revisions}, and bisect between them.`
  return [
    cause,
    'Repeat the sweep of the revision from before the fall on the same machine: if it is low as well, the machine has changed.',
    'If the loss is meant, promote a sweep of the new level in a reviewed change.',
  ]
}

function levels(fall: Fall): string {
  const row = (when: string, version: string, rate: number) => [when, markdownCode(version, 80), milliRps(rate)]
  return table(columns('level', 'version', 'RPS:'), [
    row(`before ${fall.since}`, fall.from.version, fall.beforeMilliRps),
    row('now', fall.to.version, fall.nowMilliRps),
  ])
}

/** How a fall was found, for people. */
export function foundBy({ by, p }: Pick<Fall, 'by' | 'p'>): string {
  return by === 'two-in-a-row'
    ? 'two days in a row beyond the tolerance'
    : `E-divisive (permutation test, p = ${p === null ? NONE : p.toFixed(3)})`
}

function limitedBy({ limiting }: HistoryPoint): string {
  if (limiting === null) return ''
  const metric = METRIC_NAMES.get(limiting.metric) ?? markdownInk.text(limiting.metric)
  return ` The latest run is limited by ${markdownInk.name(limiting.class)} (${metric}).`
}

function runs(points: readonly HistoryPoint[]): string {
  const rows = points
    .slice(-RUNS_MAX)
    .toReversed()
    .map((point) => [
      runLink(point),
      markdownCode(point.subject.version, 60),
      capacityText(point).replace('<', '&lt;'),
      percent(point.attainmentAtGuard),
      point.outcome,
    ])
  return table(columns('run', 'version', 'RPS:', 'attained at guard %:', 'outcome'), rows)
}

function runLink(point: HistoryPoint): string {
  const when = point.at.slice(0, 16).replace('T', ' ')
  const url = safeUrl(point.runUrl ?? undefined)
  return url === null ? when : `[${when}](${url})`
}

/** A capacity as it was found: below the lowest tested rate, at least the highest, or not counted. */
export function capacityText(point: HistoryPoint): string {
  const value = pointValue(point)
  if (value !== null) return `${value.isBound ? '< ' : ''}${milliRps(value.milliRps)}`
  if (point.capacityMilliRps === null) return NONE
  const isLowerBound = point.outcome !== 'invalid' && point.outcome !== 'inconclusive'
  return `${isLowerBound ? '≥ ' : ''}${milliRps(point.capacityMilliRps)} (not counted)`
}

function closingText(trend: Trend): string {
  const { drift } = trend
  const { series, cache } = latest(trend)
  const name = `${markdownCode(series, 80)}, ${cache}`
  switch (drift.state) {
    case 'recovered':
      return `Recovered: ${name} carries ${milliRps(drift.fall.nowMilliRps)} RPS again; before the fall of ${drift.fall.since} it was ${milliRps(drift.fall.beforeMilliRps)}.`
    case 'accepted':
      return `Accepted: ${name} holds against a baseline that was accepted since the fall of ${drift.fall.since}, at ${milliRps(latest(trend).baselineMilliRps)} RPS.`
    case 'steady':
    case 'short':
    case 'drifting':
      return `No longer seen: with what was measured since, the capacity of ${name} shows no fall.`
  }
}
