import type { Acceptance } from '../manifest/schema.ts'
import type { ClassReport, Limiting, SloReport } from './report.ts'

type Judged = Pick<SloReport, 'error_rate' | 'queue_trend' | 'class_error_rate_pass' | 'attempted_attainment_pass'>
type Named = readonly [name: string, report: ClassReport]

/**
 * The class and the metric that keep the offered rate from being higher: of the first gate that fails, in the order latency, errors,
 * samples, queue; where all hold, the class nearest to its attainment limit. Null where nothing missed anything.
 */
export function limitingOf(
  classes: Readonly<Record<string, ClassReport>>,
  judged: Judged,
  acceptance: Acceptance,
): Limiting | null {
  const named = Object.entries(classes)
  const slowest = lowest(named, ([, report]) => report.attainment ?? 1)
  if (slowest === null) return null
  const [name, report] = slowest
  const metric = mostMissed(report)
  if (metric !== null && (report.attainment ?? 1) < acceptance.class_slo_attainment_min) return { class: name, metric }
  return (
    errorLimit(named, judged, acceptance) ?? sampleLimit(named) ?? queueLimit(name, judged) ?? nearest(name, metric)
  )
}

function errorLimit(named: readonly Named[], judged: Judged, acceptance: Acceptance): Limiting | null {
  const isOverTheCap = judged.error_rate !== null && judged.error_rate > acceptance.error_rate_max
  if (isOverTheCap || judged.class_error_rate_pass === false) {
    const worst = lowest(named, ([, report]) => -(report.error_rate ?? 0))
    if (worst !== null && worst[1].failed_count > 0) return { class: worst[0], metric: 'errors' }
  }
  if (judged.attempted_attainment_pass === false) {
    const worst = lowest(named, ([, report]) => report.attempted_attainment ?? 1)
    if (worst === null) return null
    const [name, { failed_count, successful_count, passing_count }] = worst
    const metric = failed_count >= successful_count - passing_count ? 'errors' : mostMissed(worst[1])
    if (failed_count + successful_count - passing_count > 0 && metric !== null) return { class: name, metric }
  }
  return null
}

function sampleLimit(named: readonly Named[]): Limiting | null {
  const short = lowest(
    named.filter(([, report]) => !report.sample_adequate),
    ([, report]) => report.successful_count,
  )
  return short === null ? null : { class: short[0], metric: 'samples' }
}

function queueLimit(name: string, judged: Judged): Limiting | null {
  return judged.queue_trend === 'growing' ? { class: name, metric: 'queue' } : null
}

function nearest(name: string, metric: Limiting['metric'] | null): Limiting | null {
  return metric === null ? null : { class: name, metric }
}

/** The cutoff that most successes miss, or null where none does. */
function mostMissed(report: ClassReport): 'ttft' | 'tpot' | 'e2e' | null {
  const shares = report.miss_share ?? { ttft: 0, tpot: 0, e2e: 0 }
  const most = Math.max(shares.ttft, shares.tpot, shares.e2e)
  if (most === 0) return null
  return shares.ttft === most ? 'ttft' : shares.tpot === most ? 'tpot' : 'e2e'
}

/** The first of the lowest. */
function lowest(named: readonly Named[], value: (each: Named) => number): Named | null {
  return named.reduce<Named | null>((best, each) => (best === null || value(each) < value(best) ? each : best), null)
}
