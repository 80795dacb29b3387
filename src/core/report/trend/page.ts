import type { LineFault } from '../../history/lines.ts'
import type { Trend } from '../../history/trend.ts'
import { latest } from '../../history/trend.ts'
import { capacityText } from '../drift-issue.ts'
import { htmlDocument } from '../html-document.ts'
import { htmlText } from '../html-text.ts'
import { plural } from '../numbers.ts'
import { stateText, trendSection } from './section.ts'
import { TREND_STYLE } from './style-table.ts'

/** Series that are drawn, those of the latest points. */
const SERIES_MAX = 40

/** By it a page is known for one of these, and may be drawn anew. */
export const PAGE_MARK = '<meta name="generator" content="Capacity Gate, trend page">'

export interface TrendPage {
  trends: readonly Trend[]
  /** What was passed over in the history's file. */
  faults: readonly LineFault[]
  toolVersion: string
}

/**
 * The trend page: one HTML file that loads nothing, runs nothing (its policy allows its own style by hash and no script) and shows what
 * its data block holds. The data block is JSON and reads back: `{schema, toolVersion, series: [{key, points, changes, drift}]}`.
 */
export function renderTrendPage({ trends, faults, toolVersion }: TrendPage): string {
  const shown = trends.slice(0, SERIES_MAX)
  const newest = trends.reduce((last, trend) => (latest(trend).at > last ? latest(trend).at : last), '')
  return htmlDocument({
    title: 'Capacity over time',
    head: [PAGE_MARK],
    style: TREND_STYLE,
    body: [
      '<h1>Capacity over time</h1>',
      `<p class="soft">${newest === '' ? 'No points yet.' : `Up to ${newest.slice(0, 16).replace('T', ' ')} UTC`} · Capacity Gate ${htmlText(toolVersion, 60)}</p>`,
      ...faultNote(faults),
      ...(shown.length < trends.length
        ? [`<p>${plural(trends.length - shown.length, 'older series')} not shown; the data block has them.</p>`]
        : []),
      ...(shown.length > 1 ? [overview(shown)] : []),
      ...shown.map(trendSection),
    ],
    data: { id: 'history', value: dataOf(trends, toolVersion) },
  })
}

function dataOf(trends: readonly Trend[], toolVersion: string) {
  const series = trends.map(({ key, points, changes, drift, days }) => ({
    key,
    points,
    changes: changes.map((change) => ({ ...change, day: days[change.index]?.day ?? null })),
    drift,
  }))
  return { schema: 1, toolVersion, series }
}

function faultNote(faults: readonly LineFault[]): string[] {
  if (faults.length === 0) return []
  const lines = faults.slice(0, 10).map(({ line, code }) => `${line} (${code})`)
  const more = faults.length > lines.length ? ', …' : ''
  return [`<p>${plural(faults.length, 'line')} of the history passed over: line ${lines.join(', ')}${more}.</p>`]
}

function overview(trends: readonly Trend[]): string {
  const rows = trends.map((trend) => {
    const point = latest(trend)
    const name = `<a href="#s-${trend.key}">${htmlText(point.series, 60)}, ${point.cache}</a>`
    return `<tr><td>${name}</td><td>${stateText(trend)}</td><td class="number">${htmlText(capacityText(point))}</td><td class="when">${point.at.slice(0, 10)}</td></tr>`
  })
  return [
    '<nav aria-label="All series"><table>',
    '<thead><tr><th scope="col">series</th><th scope="col">state</th><th scope="col" class="number">last RPS</th><th scope="col">on</th></tr></thead>',
    `<tbody>${rows.join('\n')}</tbody></table></nav>`,
  ].join('\n')
}
