import type { Drift } from '../history/drift.ts'
import type { DriftAction } from '../history/drift-plan.ts'
import type { Trend } from '../history/trend.ts'
import { latest } from '../history/trend.ts'
import { safeUrl } from './context.ts'
import { capacityText } from './drift-issue.ts'
import { trendText } from './drift-plan-text.ts'
import { markdownCode, markdownText, plainText } from './escape.ts'
import { milliRps, NONE, plural, signedPercent } from './numbers.ts'
import { columns, cut, table } from './table.ts'

/** A trend, what was done about its issue (null: it was refused), and where that is. */
export interface ToldDrift {
  trend: Trend
  action: DriftAction | null
  issue: { number: number; url: string } | null
}

export interface HistorySummary {
  /** Points that were added, and those that were there already. */
  added: number
  known: number
  location: string
  /** Runs and lines that were passed over, each with why. */
  passedOver: readonly string[]
  drifts: readonly ToldDrift[]
  /** Why not every issue could be written; null where all were. */
  refused: string | null
}

/** Series shown, those of the latest points. */
const SERIES_MAX = 40

/** A night's history for the job's summary. */
export function renderHistorySummary(summary: HistorySummary): string {
  const { added, known, location, passedOver, drifts, refused } = summary
  const rest = known === 0 ? '' : `; ${plural(known, 'point')} of these runs were there already`
  const { shown, rest: more } = cut(drifts, SERIES_MAX, 'series')
  return [
    `## ${headingOf(drifts)}`,
    `${plural(added, 'point')} added to ${markdownCode(location)}${rest}.`,
    ...(passedOver.length === 0
      ? []
      : [passedOver.map((text) => `- passed over: ${markdownText(text, 500)}`).join('\n')]),
    ...(shown.length === 0
      ? []
      : [table(columns('series', 'state', 'last RPS:', 'Δ %:', 'since', 'issue'), shown.map(row))]),
    ...(more === '' ? [] : [more]),
    ...(refused === null ? [] : [`_Not every issue could be written: ${markdownText(refused, 500)}._`]),
    '',
  ].join('\n\n')
}

/** No drift is said only where there was enough to see one. */
function headingOf(drifts: HistorySummary['drifts']): string {
  const isIn = (...states: Drift['state'][]) => drifts.filter(({ trend }) => states.includes(trend.drift.state)).length
  const [falls, short] = [isIn('drifting'), isIn('short')]
  const few = short === 0 ? '' : `, too few values in ${short} series`
  if (falls > 0) return `📉 Capacity history: ${plural(falls, 'drift')}${few}`
  return short === drifts.length
    ? '⏳ Capacity history: too few values to see a drift'
    : `✅ Capacity history: no drift${few}`
}

/** A trend as a line of plain text. */
export function driftLine(trend: Trend): string {
  const { series, cache } = latest(trend)
  return `${plainText(series, 80)}, ${cache}: ${trendText(trend)}`
}

/** The same as lines for a log. */
export function renderHistoryLog({ added, known, location, passedOver, drifts, refused }: HistorySummary): string {
  const lines = drifts.map(({ trend, action, issue }) => {
    const told =
      action === null || action === 'none' ? '' : `; issue ${issue === null ? '' : `#${issue.number} `}${DONE[action]}`
    return `${driftLine(trend)}${told}`
  })
  return [
    `${plural(added, 'point')} added to ${plainText(location, 300)}${known === 0 ? '' : `, ${known} there already`}`,
    ...passedOver.map((text) => `passed over: ${plainText(text, 500)}`),
    ...lines,
    ...(refused === null ? [] : [`not every issue could be written: ${plainText(refused, 500)}`]),
  ].join('\n')
}

function row({ trend, action, issue }: ToldDrift): string[] {
  const { drift } = trend
  const point = latest(trend)
  const fall = drift.state === 'drifting' ? drift.fall : null
  return [
    `${markdownCode(point.series, 60)}, ${point.cache}`,
    drift.state,
    capacityText(point).replace('<', '&lt;'),
    fall === null ? NONE : signedPercent(fall.share),
    fall?.since ?? NONE,
    issueCell(action, issue),
  ]
}

function issueCell(action: ToldDrift['action'], issue: ToldDrift['issue']): string {
  if (action === 'none' || (action === null && issue === null)) return NONE
  const url = safeUrl(issue?.url)
  const name = issue === null || url === null ? '' : `[#${issue.number}](${url}) `
  return `${name}${action === null ? '' : DONE[action]}`.trim()
}

const DONE: Readonly<Record<DriftAction, string>> = {
  open: 'opened',
  reopen: 'opened again',
  update: 'updated',
  close: 'closed',
  keep: 'open',
  leave: 'closed by hand',
  none: '',
}

/** The falls that stand, for a later step: one JSON object each. */
export function fallsOf(drifts: readonly ToldDrift[]): object[] {
  return drifts.flatMap(({ trend, issue }) => {
    if (trend.drift.state !== 'drifting') return []
    const { series, cache } = latest(trend)
    const { since, share, beforeMilliRps, nowMilliRps } = trend.drift.fall
    const url = safeUrl(issue?.url)
    return [
      {
        series: plainText(series, 200),
        cache,
        since,
        before_rps: Number(milliRps(beforeMilliRps)),
        now_rps: Number(milliRps(nowMilliRps)),
        delta_percent: Number((share * 100).toFixed(1)),
        issue_url: url,
      },
    ]
  })
}
