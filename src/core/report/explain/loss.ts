import type { PointReport } from '../../capacity/record.ts'
import { wilson95 } from '../../slo/interval.ts'
import type { ClassReport, Interval } from '../../slo/report.ts'

type LossMetric = 'ttft' | 'tpot' | 'e2e' | 'errors'

/** What one class lost by one metric, as a share of all requests of the point: 0.01 is one of a hundred. */
export interface LossPart {
  class: string
  metric: LossMetric
  share: number
  /** Shares of the class's own requests that the metric cost, at the baseline's point and at the candidate's. */
  was: number
  is: number
}

/** Half a request of a million: what is left of two equal sums. */
const SHARE_MIN = 5e-7

/**
 * The requests that met their cutoffs at the baseline's point and no longer do, by class and metric, the largest first. Only what is beyond
 * chance: the interval of a class's attainment lies wholly below the baseline's, or that of its errors above.
 */
export function lossParts(base: PointReport, now: PointReport): LossPart[] {
  const parts = Object.entries(now.slo.classes).flatMap(([name, is]): LossPart[] => {
    const was = Object.hasOwn(base.slo.classes, name) ? base.slo.classes[name] : undefined
    if (was === undefined) return []
    const weight = is.attempted_count / Math.max(1, now.slo.attempted)
    const [before, after] = [costOf(was), costOf(is)]
    const metrics: LossMetric[] = [
      ...(isBelow(attainmentOf(is), attainmentOf(was)) ? (['ttft', 'tpot', 'e2e'] as const) : []),
      ...(isBelow(errorsOf(was), errorsOf(is)) ? (['errors'] as const) : []),
    ]
    return metrics.map((metric) => ({
      class: name,
      metric,
      share: weight * (after[metric] - before[metric]),
      was: before[metric],
      is: after[metric],
    }))
  })
  return parts.filter(({ share }) => share > SHARE_MIN).toSorted((a, b) => b.share - a.share)
}

/**
 * Shares of a class's attempted requests that each metric cost. A success that misses two cutoffs counts half for each; with both
 * cutoffs alone that is exact (|A only| + |A and B| / 2 = (|A or B| + |A| − |B|) / 2), with one for E2E too by the size of each.
 */
function costOf(report: ClassReport): Record<LossMetric, number> {
  const { attempted_count: attempted, failed_count: failed, successful_count: successes } = report
  const any = 1 - (report.attainment ?? 1)
  const { ttft, tpot, e2e } = report.miss_share ?? { ttft: 0, tpot: 0, e2e: 0 }
  const scale = attempted === 0 ? 0 : successes / attempted
  const errors = attempted === 0 ? 0 : failed / attempted
  if (report.request_e2e_cutoff_ms === null) {
    return { ttft: (scale * (any + ttft - tpot)) / 2, tpot: (scale * (any + tpot - ttft)) / 2, e2e: 0, errors }
  }
  // A share of the sum, and not the whole by the sum: that a record's shares may be next to nothing must not make it infinite.
  const of = (misses: number) => (misses === 0 ? 0 : scale * any * (misses / (ttft + tpot + e2e)))
  return { ttft: of(ttft), tpot: of(tpot), e2e: of(e2e), errors }
}

function isBelow(lower: Interval | null, upper: Interval | null): boolean {
  return lower !== null && upper !== null && lower[1] < upper[0]
}

function attainmentOf(report: ClassReport): Interval | null {
  return report.attainment_block_bootstrap95 ?? report.attainment_wilson95
}

function errorsOf({ failed_count, attempted_count }: ClassReport): Interval | null {
  return wilson95(failed_count, attempted_count)
}
