import { isDecisive, openMilliRps } from '../../capacity/by-rate.ts'
import type { CapacityRecord, CapacityResult, PointReport } from '../../capacity/record.ts'
import { readTerms } from '../../gate/terms.ts'
import type { ClassReport } from '../../slo/report.ts'
import { classesWorstFirst, classOf } from '../classes.ts'
import { htmlFold } from '../html-table.ts'
import { htmlText } from '../html-text.ts'
import { plainNumber, plural } from '../numbers.ts'
import type { PageInput } from './facts.ts'
import type { OwnError } from './own-error.ts'
import { ownErrorText } from './own-error.ts'
import type { Curve, MarkKind, Plot, PlotPoint } from './plot.ts'
import { plotSvg } from './plot.ts'

/** Classes whose curves stand open; those of the rest are folded. */
export const OPEN_CLASSES = 4

const X_LABEL = 'offered requests a second'

/** A value of a point, with its interval. */
interface Value {
  y: number | null
  low?: number | null
  high?: number | null
}
type Read = (point: PointReport) => Value

/** The curves of one cache state against the offered rate, the baseline's under this run's. */
export function curvesSection({ record, baseline }: PageInput, result: CapacityResult, ownError: OwnError): string {
  const base = baseline?.capacity.find(({ cache }) => cache === result.cache) ?? null
  const overall = [
    plotSvg(
      curvePlot(`${result.cache}: completed RPS`, { result, base, ownError }, (point) => ({
        y: point.ratesRps.completed,
      })),
    ),
    plotSvg(
      curvePlot(`${result.cache}: good RPS`, { result, base, ownError }, (point) => ({ y: point.ratesRps.good })),
    ),
  ]
  const names = classesWorstFirst(result)
  const attainmentMin = readTerms(record)?.attainmentMin ?? null
  const ofClass = (name: string) => grid(classPlots({ result, base, ownError }, name, attainmentMin).map(plotSvg))
  const rest = names.slice(OPEN_CLASSES)
  return [
    `<section id="curves-${result.cache}" aria-labelledby="h-curves-${result.cache}">`,
    `<h2 id="h-curves-${result.cache}">Curves, ${result.cache}</h2>`,
    `<p class="soft">${LEGEND}${base === null ? ' There is no baseline to compare with.' : ''}</p>`,
    grid(overall),
    ...names.slice(0, OPEN_CLASSES).map((name) => `<h3>${htmlText(name, 80)}</h3>${ofClass(name)}`),
    htmlFold(
      `${plural(rest.length, 'more class')}`.replace(/classs$/, 'classes'),
      rest.map((name) => `<h3>${htmlText(name, 80)}</h3>${ofClass(name)}`),
    ),
    '</section>',
  ].join('\n')
}

const LEGEND =
  'Solid: this run. Dashed: the baseline. A line goes through the last repeat of each rate; every repeat has a mark (of more than 30 points those that passed have none): ● passed, × failed, ◇ passed above a failing rate (a fluke, which counts for nothing), □ not decided or invalid. Upright: 95 % interval. Dotted: the limit. ±: the client’s own error.'

/** Pictures side by side; empty for none. */
export function grid(pictures: readonly (string | null)[]): string {
  const drawn = pictures.filter((picture) => picture !== null)
  return drawn.length === 0 ? '' : `<div class="grid">${drawn.join('\n')}</div>`
}

interface Compared {
  result: CapacityResult
  base: CapacityResult | null
  ownError: OwnError
}

function classPlots(compared: Compared, name: string, attainmentMin: number | null): Plot[] {
  const { result } = compared
  const of = (point: PointReport) => classOf(point, name)
  const report = result.points.map(of).find((found) => found !== null)
  const label = `${result.cache}, ${name}`
  const attained = curvePlot(
    `attained %`,
    compared,
    (point) => attainment(of(point)),
    attainmentMin === null ? null : attainmentMin * 100,
  )
  const lowest = attained.curves.flatMap(({ points }) => points.map(({ y, low }) => low ?? y ?? 100))
  const from = Math.max(0, Math.floor(Math.min(...lowest, (attainmentMin ?? 1) * 100) / 5) * 5 - 5)
  return [
    { ...attained, yDomain: [from, 100] as const },
    curvePlot(
      `P95 TTFT ms ${ownErrorText(compared.ownError(name, 'ttft'))}`,
      compared,
      (point) => ({ y: of(point)?.p95_ttft_ms ?? null }),
      report?.request_ttft_cutoff_ms,
    ),
    curvePlot(
      `P95 TPOT ms ${ownErrorText(compared.ownError(name, 'tpot'))}`,
      compared,
      (point) => ({ y: of(point)?.p95_tpot_ms ?? null }),
      report?.request_tpot_cutoff_ms,
    ),
  ].map((plot) => ({ ...plot, description: `${label}. ${plot.description}` }))
}

function attainment(report: ClassReport | null): Value {
  if (report === null || report.attainment === null) return { y: null }
  const [low, high] = report.attainment_block_bootstrap95 ?? report.attainment_wilson95 ?? [null, null]
  return { y: report.attainment * 100, low: low && low * 100, high: high && high * 100 }
}

function curvePlot(title: string, { result, base }: Compared, read: Read, limit?: number | null): Plot {
  const curves: Curve[] = [
    ...(base === null ? [] : [{ whose: 'base' as const, points: curvePoints(base, read) }]),
    { whose: 'now' as const, points: curvePoints(result, read) },
  ]
  const hasLimit = limit !== undefined && limit !== null
  return {
    title,
    description: `Against offered requests a second. ${curves.map(curveText).join(' ')} ${hasLimit ? `Limit ${plainNumber(limit)}.` : ''} The tables of the points have every value.`,
    xLabel: X_LABEL,
    curves,
    limits: hasLimit ? [{ value: limit, on: 'y' }] : [],
  }
}

function curvePoints(result: CapacityResult, read: Read): PlotPoint[] {
  return result.points.flatMap((point) => {
    const rate = openMilliRps(point)
    return rate === null ? [] : [{ x: rate / 1000, ...read(point), mark: markOf(point, result) }]
  })
}

function markOf(
  point: PointReport,
  { flukeMilliRps }: Pick<CapacityRecord['capacity'][number], 'flukeMilliRps'>,
): MarkKind {
  if (!isDecisive(point)) return 'open'
  if (point.outcome === 'fail') return 'fail'
  return flukeMilliRps.includes(openMilliRps(point) ?? -1) ? 'fluke' : 'pass'
}

function curveText({ whose, points }: Curve): string {
  const known = points.filter(({ y }) => y !== null).toSorted((a, b) => a.x - b.x)
  const [first, last] = [known[0], known.at(-1)]
  const name = whose === 'now' ? 'This run' : 'Baseline'
  if (first === undefined || last === undefined) return `${name}: nothing known.`
  const at = ({ x, y }: PlotPoint) => `${plainNumber(y ?? 0)} at ${plainNumber(x)}`
  return `${name}: ${plural(known.length, 'point')}, ${at(first)}${last === first ? '' : `, ${at(last)}`}.`
}
