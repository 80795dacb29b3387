import { isDecisive, openMilliRps } from '../capacity/by-rate.ts'
import type { CapacityResult, PointReport } from '../capacity/record.ts'
import type { ClassReport, Interval, SloReport } from '../slo/report.ts'
import type { Terms } from './terms.ts'
import { DELTA_METRICS } from './verdict.ts'
import type { Delta, DeltaMetric, StateVerdict } from './verdict.ts'

type Compared = Pick<StateVerdict, 'deltas' | 'deltaRates'>

/**
 * The baseline's point at its pass rate beside the candidate's at the same rate, or else at the guard rate, or else at the nearest
 * one within the tolerance; the last decisive repeat of each. No two points, no deltas: latencies at rates further apart say
 * nothing about the revision.
 */
export function compareAtPassRate(
  base: CapacityResult,
  now: CapacityResult,
  guardMilliRps: number,
  terms: Terms,
): Compared {
  const passRate = base.passMilliRps ?? 0
  const basePoint = base.points.findLast((point) => openMilliRps(point) === passRate && point.outcome === 'pass')
  const rate = comparableRate(now, passRate, guardMilliRps, terms.toleranceShare)
  const nowPoint = now.points.findLast((point) => openMilliRps(point) === rate && isDecisive(point))
  if (basePoint === undefined || nowPoint === undefined || rate === null) return { deltas: [], deltaRates: null }
  return {
    deltas: deltasBetween(basePoint, nowPoint, terms),
    deltaRates: { baseMilliRps: passRate, nowMilliRps: rate },
  }
}

function comparableRate(
  now: CapacityResult,
  passRate: number,
  guardMilliRps: number,
  tolerance: number,
): number | null {
  const rates = new Set(now.points.filter(isDecisive).flatMap((point) => openMilliRps(point) ?? []))
  // The guard rate is rounded to whole milli-requests: one of slack.
  const within = (rate: number) => Math.abs(rate - passRate) <= passRate * tolerance + 1
  if (rates.has(passRate)) return passRate
  if (rates.has(guardMilliRps) && within(guardMilliRps)) return guardMilliRps
  const near = [...rates].filter(within)
  return near.toSorted((a, b) => Math.abs(a - passRate) - Math.abs(b - passRate))[0] ?? null
}

/** Every metric that both points have, over all classes and for each. */
export function deltasBetween(base: PointReport, now: PointReport, terms: Terms): Delta[] {
  const names = terms.classes.filter(
    (name) => Object.hasOwn(base.slo.classes, name) && Object.hasOwn(now.slo.classes, name),
  )
  const scopes: (string | null)[] = [null, ...names]
  return scopes.flatMap((scope) =>
    DELTA_METRICS.flatMap((metric): Delta[] => {
      const [was, is] = [metricOf(base.slo, scope, metric), metricOf(now.slo, scope, metric)]
      if (was === null || is === null) return []
      return [{ class: scope, metric, base: was, now: is, regression: isWorse(base, now, scope, metric, terms) }]
    }),
  )
}

function metricOf(slo: SloReport, scope: string | null, metric: DeltaMetric): number | null {
  const report: ClassReport | undefined = scope === null ? undefined : slo.classes[scope]
  switch (metric) {
    case 'attainment':
      return report === undefined ? slo.overall_attainment : report.attainment
    case 'goodput_rps':
      return report === undefined ? slo.observed_goodput_rps : report.good_rps
    case 'error_rate':
      return report === undefined ? slo.error_rate : report.error_rate
    case 'p95_ttft_ms':
      return report?.p95_ttft_ms ?? null
    case 'p95_tpot_ms':
      return report?.p95_tpot_ms ?? null
  }
}

/**
 * Whether a delta is marked. Attainment: under the declared minimum, or its interval lies wholly below the baseline's. Errors: over
 * the declared maximum. Goodput as a share of the offered rate, and P95 latencies: worse by more than the tolerance.
 */
function isWorse(
  base: PointReport,
  now: PointReport,
  scope: string | null,
  metric: DeltaMetric,
  terms: Terms,
): boolean {
  const was = metricOf(base.slo, scope, metric) ?? 0
  const is = metricOf(now.slo, scope, metric) ?? 0
  switch (metric) {
    case 'attainment': {
      if (is < terms.attainmentMin && is < was) return true
      const [old, young] = [intervalOf(base.slo, scope), intervalOf(now.slo, scope)]
      return old !== null && young !== null && young[1] < old[0]
    }
    case 'error_rate':
      return is > terms.errorRateMax && is > was
    case 'goodput_rps': {
      const [offeredThen, offeredNow] = [openMilliRps(base) ?? 1, openMilliRps(now) ?? 1]
      return is / offeredNow < (was / offeredThen) * (1 - terms.toleranceShare)
    }
    case 'p95_ttft_ms':
    case 'p95_tpot_ms':
      return is > was * (1 + terms.toleranceShare)
  }
}

function intervalOf(slo: SloReport, scope: string | null): Interval | null {
  const report = scope === null ? undefined : slo.classes[scope]
  return report?.attainment_block_bootstrap95 ?? report?.attainment_wilson95 ?? null
}
