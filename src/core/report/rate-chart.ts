import { openMilliRps, pointsByRate } from '../capacity/by-rate.ts'
import type { CapacityResult, PointReport } from '../capacity/record.ts'
import { worstAttainment } from '../slo/worst-attainment.ts'
import { classesWorstFirst, classOf } from './classes.ts'
import { markdownCode } from './escape.ts'
import { folded } from './fold.ts'
import { milliRps, percent, plural, rps } from './numbers.ts'
import { curveChart } from './rate-curves.ts'
import type { Curve } from './rate-curves.ts'
import { columns, table } from './table.ts'

/** More would not be told apart on a phone, nor fit under a chart. */
const RATES_MAX = 16

export interface RatesShown {
  result: CapacityResult
  /** The baseline's of the same cache state. */
  base: CapacityResult | null
  attainmentMin: number | null
  /** Classes whose latencies are drawn, the worst first. */
  latencies: number
}

/**
 * A row a rate, narrow: its last repeat. Beside it the report's curves as charts, for where Mermaid is drawn; elsewhere their lines can be
 * read.
 */
export function rateOverview(shown: RatesShown): string[] {
  const { result } = shown
  const { points, left } = nearBracket(result)
  const rows = points.map((point) => [
    milliRps(openMilliRps(point)),
    rps(point.ratesRps.good),
    percent(worstAttainment(point.slo)),
    point.outcome,
  ])
  if (rows.length === 0) return []
  return [
    table(columns('offered RPS:', 'good RPS:', 'worst class %:', 'outcome'), rows),
    left === 0 ? '' : `…and ${plural(left, 'more rate')}, further from where passing ends.`,
    ...charts(shown),
  ]
}

/** The last repeat of each rate, lowest first; of many rates those nearest to where passing ends, and how many are left. */
function nearBracket(result: CapacityResult): { points: PointReport[]; left: number } {
  const latest = [...pointsByRate(result.points).values()].flatMap((repeats) => repeats.at(-1) ?? [])
  const { passMilliRps: pass, failMilliRps: fail } = result
  const middle = ((pass ?? fail ?? 0) + (fail ?? pass ?? 0)) / 2
  const away = (point: PointReport) => Math.abs((openMilliRps(point) ?? 0) - middle)
  const near = new Set(latest.toSorted((a, b) => away(a) - away(b)).slice(0, RATES_MAX))
  return { points: latest.filter((point) => near.has(point)), left: latest.length - near.size }
}

function legend({ base }: RatesShown): string {
  return `Blue: this run.${base === null ? '' : ' Grey: the baseline.'} Red: the limit. Between measured rates lines are straight.`
}

function charts(shown: RatesShown): string[] {
  const { attainmentMin, latencies } = shown
  const attained = curveChart({
    title: 'attainment of the worst class',
    unit: 'attained %',
    limit: percents(attainmentMin),
    to: 100,
    ...drawn(shown, ({ slo }) => percents(worstAttainment(slo))),
  })
  const more = latencies === 0 ? [] : moreCharts(shown)
  if (attained === '' && more.length === 0) return []
  return [attained, legend(shown), more.length === 0 ? '' : folded('Throughput and P95 latencies by rate', more)]
}

function moreCharts(shown: RatesShown): string[] {
  const rates = [
    curveChart({ title: 'completed', unit: 'RPS', ...drawn(shown, ({ ratesRps }) => ratesRps.completed) }),
    curveChart({ title: 'good', unit: 'RPS', ...drawn(shown, ({ ratesRps }) => ratesRps.good) }),
  ]
  const ofClasses = classesWorstFirst(shown.result)
    .slice(0, shown.latencies)
    .flatMap((name) => {
      const made = (['ttft', 'tpot'] as const).map((metric) => latencyChart(shown, name, metric))
      const known = made.filter((chart) => chart !== '')
      return known.length === 0 ? [] : [`${markdownCode(name, 60)}:`, ...known]
    })
  return [...rates, ...ofClasses].filter((chart) => chart !== '')
}

function latencyChart(shown: RatesShown, name: string, metric: 'ttft' | 'tpot'): string {
  const limit = shown.result.points
    .map((point) => classOf(point, name)?.[`request_${metric}_cutoff_ms`] ?? null)
    .find((cutoffMs) => cutoffMs !== null)
  return curveChart({
    title: `P95 ${metric.toUpperCase()}`,
    unit: 'ms',
    limit: limit ?? null,
    ...drawn(shown, (point) => classOf(point, name)?.[`p95_${metric}_ms`] ?? null),
  })
}

/** What is drawn of both runs. A class's name stands over its charts: in one it would have to be escaped for Mermaid. */
function drawn({ result, base }: RatesShown, read: (point: PointReport) => number | null) {
  const curve = (of: CapacityResult): Curve =>
    nearBracket(of).points.flatMap((point) => {
      const [milliRps, value] = [openMilliRps(point), read(point)]
      return milliRps === null || value === null ? [] : [{ milliRps, value }]
    })
  return { state: result.cache, now: curve(result), base: base === null ? [] : curve(base) }
}

function percents(share: number | null): number | null {
  return share === null ? null : share * 100
}
