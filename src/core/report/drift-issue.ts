import type { Fall, FallSide } from '../history/drift.ts'
import { DUPLICATE, OVER } from '../history/drift-plan.ts'
import type { PlannedDrift } from '../history/drift-plan.ts'
import { pointValue } from '../history/point.ts'
import type { HistoryPoint } from '../history/point.ts'
import type { Trend } from '../history/trend.ts'
import { ABANDONED_DAYS, latest } from '../history/trend.ts'
import { commitLink, repositoryUrl, safeUrl, shortSha } from './context.ts'
import { driftChart } from './drift-chart.ts'
import { markdownCode, markdownInk, plainText } from './escape.ts'
import { METRIC_NAMES } from './headline.ts'
import { milliRps, NONE, percent, signedPercent } from './numbers.ts'
import { columns, table } from './table.ts'

/** Runs shown, the latest first. */
const RUNS_MAX = 14

/** What an issue says. */
export interface DriftText {
  /** Null: the one that it has. */
  title: string | null
  body: string
}

const MARKER = /^<!-- capacity-gate-drift:([0-9a-f]{16}):([0-9a-f]{16}|over|duplicate) -->$/

/** The issue's hidden first line: of which series it is, and which facts it shows, or how the gate ended it. */
function driftMarker(key: string, facts: string): string {
  return `<!-- capacity-gate-drift:${key}:${facts} -->`
}

/** What the marker says that a body begins with; null for a body without one. */
export function readDriftMarker(body: string): { key: string; facts: string } | null {
  const [, key, facts] = MARKER.exec(body.split(/\r?\n/, 1)[0] ?? '') ?? []
  return key === undefined || facts === undefined ? null : { key, facts }
}

/** The text of an issue that is opened, updated or closed; null where it is to stay as it is. */
export function driftText({ action, key, facts, trend }: PlannedDrift): DriftText | null {
  const { drift } = trend
  switch (action) {
    case 'open':
    case 'reopen':
    case 'update':
      return 'fall' in drift && facts !== null
        ? { title: driftTitle(trend, drift.fall), body: issueBody(key, facts, trend, drift.fall) }
        : null
    case 'close':
      return { title: null, body: closedBody(key, trend) }
    case 'keep':
    case 'leave':
    case 'none':
      return null
  }
}

/** The text of an issue that another job opened at the same time as the one that counts. */
export function duplicateText(key: string, number: number): DriftText {
  return {
    title: null,
    body: `${driftMarker(key, DUPLICATE)}\nTwo jobs opened an issue for this drift: it is told in #${number}.\n`,
  }
}

function driftTitle(trend: Trend, fall: Fall): string {
  const { series, cache } = latest(trend)
  return `Capacity drift: ${plainText(series, 80)}, ${cache}: ${signedPercent(fall.share)} % since ${fall.since}`
}

function issueBody(key: string, facts: string, trend: Trend, fall: Fall): string {
  const point = latest(trend)
  return lines([
    driftMarker(key, facts),
    fallSentence(trend, fall),
    ...simulatedNote(point),
    '**What to do**',
    steps(fall)
      .map((step) => `- ${step}`)
      .join('\n'),
    levels(fall),
    `Found by ${foundBy(fall)}.${limitedBy(point)}${changesLink(fall)}`,
    driftChart(trend, fall),
    ...latestRuns(trend),
    'This issue is updated as the history grows, and closed when the level is back or a lower baseline was accepted and holds. Close it by hand, and it stays closed until the capacity falls further.',
  ])
}

function closedBody(key: string, trend: Trend): string {
  const { drift } = trend
  return lines([
    driftMarker(key, OVER),
    closingText(trend),
    ...simulatedNote(latest(trend)),
    ...('fall' in drift ? [levels(drift.fall)] : []),
    ...latestRuns(trend),
  ])
}

/** The marker is a line of its own at the very top; a blank line parts all else. */
function lines([marker = '', first = '', ...parts]: readonly string[]): string {
  return `${[`${marker}\n${first}`, ...parts.filter((part) => part !== '')].join('\n\n')}\n`
}

function simulatedNote({ kind }: HistoryPoint): string[] {
  return kind === 'simulated' ? ['Simulated: these are no capacities of any hardware.'] : []
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

/** The two sides of the fall, each with its run and the commit that it was started at. */
function levels(fall: Fall): string {
  const row = (when: string, side: FallSide, rate: number) => [
    when,
    markdownCode(side.version, 80),
    milliRps(rate),
    linked(side.day, side.runUrl),
    `\`${side.sha256.slice(0, 12)}\``,
    commitLink({ runUrl: side.runUrl ?? '' }, side.commit) || NONE,
  ]
  return table(columns('level', 'version', 'RPS:', 'run', 'subject', 'commit'), [
    row(`before ${fall.since}`, fall.from, fall.beforeMilliRps),
    row('since', fall.to, fall.nowMilliRps),
  ])
}

/** What was changed in the repository between the two nights, where both know their commit. */
function changesLink({ from, to }: Fall): string {
  const page = repositoryUrl({ runUrl: to.runUrl ?? '' })
  if (page === null || shortSha(from.commit) === null || shortSha(to.commit) === null || from.commit === to.commit)
    return ''
  return ` [All changes between the two nights](${page}/compare/${from.commit}...${to.commit}).`
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

function latestRuns({ points }: Trend): string[] {
  const rows = points
    .slice(-RUNS_MAX)
    .toReversed()
    .map((point) => [
      linked(point.at.slice(0, 16).replace('T', ' '), point.runUrl),
      markdownCode(point.subject.version, 60),
      capacityText(point).replace('<', '&lt;'),
      percent(point.attainmentAtGuard),
      point.outcome,
    ])
  const [{ machine, experiment, hardware }] = points.slice(-1) as [HistoryPoint]
  return [
    '**The latest runs**',
    table(columns('run', 'version', 'RPS:', 'attained at guard %:', 'outcome'), rows),
    `Machine: ${markdownInk.text(machine, 300)}. Experiment \`${experiment.slice(0, 12)}\`, hardware \`${hardware.slice(0, 12)}\`.`,
  ]
}

function linked(text: string, address: string | null): string {
  const url = safeUrl(address ?? undefined)
  return url === null ? text : `[${text}](${url})`
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
      return `**Recovered:** ${name} carries ${milliRps(drift.fall.nowMilliRps)} RPS again; before the fall of ${drift.fall.since} it was ${milliRps(drift.fall.beforeMilliRps)}.`
    case 'accepted':
      return `**Accepted:** ${name} holds against a baseline that was accepted since the fall of ${drift.fall.since}, at ${milliRps(latest(trend).baselineMilliRps)} RPS.`
    case 'abandoned':
      return `**No longer measured:** ${name} has had no run since ${latest(trend).at.slice(0, 10)}, more than ${ABANDONED_DAYS} days before the latest one of this history. The fall of ${drift.fall.since} stood then. If it is measured again and still fallen, this issue is opened again.`
    case 'steady':
    case 'short':
    case 'drifting':
      return `**No longer seen:** with what was measured since, the capacity of ${name} shows no fall.`
  }
}
