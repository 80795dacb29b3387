import type { CapacityRecord, CapacityResult } from '../../capacity/record.ts'
import { pointName } from '../../kernel/point.ts'
import type { ReportContext } from '../context.ts'
import { STATES_MAX, verdictWord } from '../headline.ts'
import { htmlDocument } from '../html-document.ts'
import { htmlText } from '../html-text.ts'
import { curvesSection } from './curves.ts'
import { DATA_ID, reportData } from './data.ts'
import { evidenceSection } from './evidence-section.ts'
import type { PageInput } from './facts.ts'
import { footLine, headSection } from './head-section.ts'
import { identitySection } from './identity-section.ts'
import { latencySection } from './latency-section.ts'
import { methodSection } from './method-section.ts'
import { ownErrors } from './own-error.ts'
import type { PointsOf } from './points-section.ts'
import { pointsSection } from './points-section.ts'
import { REPORT_STYLE } from './style-table.ts'
import { whySection } from './why-section.ts'

/** By it a page is known for one of these. */
const REPORT_MARK = '<meta name="generator" content="Capacity Gate, report">'

/**
 * report.html: one file that loads nothing and runs nothing, with every number of the pack's records, their pictures as SVG, and
 * capacity.json itself as data.
 */
export function renderReportPage(given: PageInput): string {
  const input = { ...given, context: withoutPath(given.context) }
  const { verdict, record } = input
  const results = record.capacity.slice(0, STATES_MAX)
  const isLarge = classRows(record) > TABLE_ROWS_MAX
  const ownError = ownErrors(input.calibration)
  const groups = pointGroups(record, { ownError, isLarge })
  return htmlDocument({
    title: `${verdictWord(verdict)}: ${record.subject.name} ${record.subject.version}`,
    head: [REPORT_MARK],
    style: REPORT_STYLE,
    body: [
      ...(isLarge ? [] : ['<div class="printed">']),
      headSection(input),
      contents(results, groups),
      whySection(input, ownError),
      ...results.flatMap((result) => [curvesSection(input, result, ownError), latencySection(input, result, ownError)]),
      ...groups.map((of) => pointsSection(input, of)),
      evidenceSection(record),
      identitySection(input),
      methodSection(input),
      footLine(input),
      `<p class="soft">This file loads nothing and runs nothing. ${isLarge ? 'Folded parts of so large a pack are printed as they stand: open what you want on paper.' : 'Browsers of 2025 and later print folded parts open.'}</p>`,
      ...(isLarge ? [] : ['</div>']),
    ],
    data: { id: DATA_ID, value: reportData(record, verdict) },
  })
}

/** The page is sent on: where its pack lay on this machine is nobody’s business, and its commands say `PACK`. */
function withoutPath(context: ReportContext): ReportContext {
  const sent = { ...context }
  delete sent.packPath
  return sent
}

/** The points of each state, and those by which the machine was proven. */
function pointGroups(record: CapacityRecord, shared: Pick<PointsOf, 'ownError' | 'isLarge'>): PointsOf[] {
  return [
    ...record.capacity
      .slice(0, STATES_MAX)
      .map((result) => ({ id: result.cache, title: capitalised(result.cache), result, ...shared })),
    ...(record.hostProof?.capacity ?? []).slice(0, STATES_MAX).map((result) => ({
      id: `proof-${result.cache}`,
      title: `The baseline’s revision on this machine, ${result.cache}`,
      result,
      ...shared,
    })),
  ]
}

/** More rows of classes than this, all points together, are text and no tables: a browser would take seconds for a million cells. */
const TABLE_ROWS_MAX = 1500

function classRows({ capacity }: CapacityRecord): number {
  return capacity.flatMap(({ points }) => points).reduce((sum, { slo }) => sum + Object.keys(slo.classes).length, 0)
}

function contents(results: readonly CapacityResult[], groups: readonly PointsOf[]): string {
  const links: [string, string][] = [
    ['why', 'Why'],
    ...results.flatMap(({ cache }): [string, string][] => [
      [`curves-${cache}`, `Curves, ${cache}`],
      [`latency-${cache}`, `Latencies, ${cache}`],
    ]),
    ...groups.map(({ id, title }): [string, string] => [`points-${id}`, `Points: ${title}`]),
    ['evidence', 'Evidence'],
    ['identity', 'Subject and machine'],
    ['method', 'How it is computed'],
  ]
  const items = links.map(([id, title]) => `<li><a href="#${id}">${htmlText(title, 80)}</a>`)
  return `<nav aria-label="Contents"><ul>${items.join('')}</ul></nav>`
}

/** How many points' times a page draws finely. */
const FINE_POINTS_MAX = 40
const FINE_STRETCHES = 160
const COARSE_STRETCHES = 32

/** The names of the points whose files the page draws, and how finely, so that a large pack stays small enough to be opened. */
export function picturesWanted({ record }: Pick<PageInput, 'record'>): { names: string[]; stretches: number } {
  const names = record.capacity.slice(0, STATES_MAX).flatMap(({ points }) => points.map(({ key }) => pointName(key)))
  return { names, stretches: names.length > FINE_POINTS_MAX ? COARSE_STRETCHES : FINE_STRETCHES }
}

function capitalised(word: string): string {
  return `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`
}
