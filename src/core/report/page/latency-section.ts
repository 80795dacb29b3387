import { isDecisive, openMilliRps } from '../../capacity/by-rate.ts'
import type { CapacityResult, PointReport } from '../../capacity/record.ts'
import { pointName } from '../../kernel/point.ts'
import type { ClassReport, Distribution } from '../../slo/report.ts'
import { classesWorstFirst, classOf } from '../classes.ts'
import { htmlFold } from '../html-table.ts'
import { htmlText } from '../html-text.ts'
import { milliRps, milliseconds } from '../numbers.ts'
import { grid, OPEN_CLASSES } from './curves.ts'
import type { PageInput, Quantiles } from './facts.ts'
import type { OwnError } from './own-error.ts'
import { ownErrorText } from './own-error.ts'
import type { Curve, Plot } from './plot.ts'
import { plotSvg } from './plot.ts'

/** No further than this the axis goes: the slowest request of all would press the rest into a corner. */
const SHOWN_SHARE = 0.99

/** Which points' latencies are drawn: the last decisive ones at the pass rate and at the fail rate. */
interface Drawn {
  pass: PointReport | null
  fail: PointReport | null
  /** The baseline's at its own pass rate. */
  base: PointReport | null
}

/** How a state's latencies are distributed, a class after the other. */
export function latencySection(input: PageInput, result: CapacityResult, ownError: OwnError): string {
  const base = input.baseline?.capacity.find(({ cache }) => cache === result.cache) ?? null
  const drawn: Drawn = {
    pass: decisiveAt(result, result.passMilliRps),
    fail: decisiveAt(result, result.failMilliRps),
    base: base && decisiveAt(base, base.passMilliRps),
  }
  const names = classesWorstFirst(result)
  const blocks = names.map((name) => ({ name, pictures: grid(classPlots(input, drawn, name, ownError).map(plotSvg)) }))
  const shown = blocks.filter(({ pictures }) => pictures !== '')
  const text = shown.map(({ name, pictures }) => `<h3>${htmlText(name, 80)}</h3>${pictures}`)
  const more = text.length - OPEN_CLASSES
  return [
    `<section id="latency-${result.cache}" aria-labelledby="h-latency-${result.cache}">`,
    `<h2 id="h-latency-${result.cache}">Latency distributions, ${result.cache}</h2>`,
    `<p class="soft">${legend(drawn)}</p>`,
    ...(text.length === 0 ? ['<p>No point has latencies that can be drawn.</p>'] : text.slice(0, OPEN_CLASSES)),
    htmlFold(`${more} more ${more === 1 ? 'class' : 'classes'}`, text.slice(OPEN_CLASSES)),
    '</section>',
  ].join('\n')
}

function legend({ pass, fail, base }: Drawn): string {
  const lines = [
    'Share of the successes that were at most so slow; from sent.',
    pass === null ? '' : `Solid: at ${rateText(pass)} RPS, which passed.`,
    fail === null ? '' : `Long dashes: at ${rateText(fail)} RPS, which failed.`,
    base === null
      ? ''
      : `Squares: P50, P90, P95 and, with 10,000 successes, P99 of the baseline at ${rateText(base)} RPS, whose single requests are not in this pack.`,
    'Dotted: the cutoff of one request. ±: the client’s own error.',
  ]
  return lines.filter((line) => line !== '').join(' ')
}

function rateText(point: PointReport): string {
  return milliRps(openMilliRps(point))
}

function decisiveAt(result: CapacityResult, rate: number | null): PointReport | null {
  return rate === null
    ? null
    : (result.points.findLast((point) => openMilliRps(point) === rate && isDecisive(point)) ?? null)
}

function classPlots(input: PageInput, drawn: Drawn, name: string, ownError: OwnError): Plot[] {
  return (['ttft', 'tpot'] as const).map((metric) => {
    const reports = [drawn.pass, drawn.fail, drawn.base].map((point) => point && classOf(point, name))
    const cutoffMs = reports.find((report) => report !== null)?.[`request_${metric}_cutoff_ms`] ?? null
    const curves = [
      ...quantileCurve(input, drawn.pass, { name, metric }),
      ...quantileCurve(input, drawn.fail, { name, metric }).map((curve) => ({ ...curve, isSecond: true })),
      ...percentileMarks(reports[2] ?? null, metric),
    ]
    return {
      title: `${metric.toUpperCase()} ms ${ownErrorText(ownError(name, metric))}`,
      description: `${name}: share of successes in percent. ${description(reports, metric)} Cutoff ${milliseconds(cutoffMs)} ms.`,
      xLabel: 'milliseconds',
      curves,
      limits: cutoffMs === null ? [] : [{ value: cutoffMs, on: 'x' as const }],
      xMax: axisEnd(curves, cutoffMs),
      yDomain: [0, 100] as const,
    }
  })
}

function description(reports: readonly (ClassReport | null)[], metric: 'ttft' | 'tpot'): string {
  const names = ['At the pass rate', 'At the fail rate', 'Baseline']
  return reports
    .flatMap((report, index) => {
      if (report === null) return []
      const { p50, p95 } = report[`${metric}_ms`]
      return [`${names[index]}: P50 ${milliseconds(p50)}, P95 ${milliseconds(p95)} ms.`]
    })
    .join(' ')
}

function axisEnd(curves: readonly Curve[], cutoffMs: number | null): number {
  const ends = curves.flatMap(({ points }) => points.filter(({ y }) => (y ?? 0) <= SHOWN_SHARE * 100).map(({ x }) => x))
  return Math.max(...ends, (cutoffMs ?? 0) * 1.1, 1e-3)
}

function quantileCurve(
  { pictures }: PageInput,
  point: PointReport | null,
  { name, metric }: { name: string; metric: 'ttft' | 'tpot' },
): Curve[] {
  const picture = point === null ? undefined : pictures.get(pointName(point.key))
  if (picture === undefined || 'why' in picture) return []
  const own = picture.quantiles.find((quantiles: Quantiles) => quantiles.class === name)
  if (own === undefined) return []
  const values = metric === 'ttft' ? own.ttftMs : own.tpotMs
  const points = values.map((x, step) => ({ x, y: (step / (values.length - 1)) * 100, mark: 'none' as const }))
  return [{ whose: 'now', points }]
}

function percentileMarks(report: ClassReport | null, metric: 'ttft' | 'tpot'): Curve[] {
  if (report === null) return []
  const { p50, p90, p95, p99 }: Distribution = report[`${metric}_ms`]
  const points = [
    { x: p50, y: 50 },
    { x: p90, y: 90 },
    { x: p95, y: 95 },
    { x: p99, y: 99 },
  ].flatMap(({ x, y }) => (x === null ? [] : [{ x, y, mark: 'open' as const }]))
  return [{ whose: 'base', points, isLoose: true }]
}
