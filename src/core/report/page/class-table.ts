import type { PointReport } from '../../capacity/record.ts'
import type { ClassReport, Interval } from '../../slo/report.ts'
import { plainText } from '../escape.ts'
import { htmlTable } from '../html-table.ts'
import { htmlText } from '../html-text.ts'
import { milliseconds, NONE, percent, rps } from '../numbers.ts'
import { columns } from '../table.ts'
import type { OwnError } from './own-error.ts'
import { withOwnError } from './own-error.ts'
import { textTable } from './text-table.ts'

export interface ClassTable {
  label: string
  point: PointReport
  ownError: OwnError
  /** As lines of text: a browser takes four times as long for a table of cells. */
  isText: boolean
}

/** Every class of a point with its attainment and latencies. */
export function classTable({ label, point, ownError, isText }: ClassTable): string {
  const classes = Object.entries(point.slo.classes)
  const hasE2e = classes.some(([, report]) => report.request_e2e_cutoff_ms !== null)
  const hasP99 = classes.some(([, report]) => report.p99_ttft_ms !== null || report.p99_tpot_ms !== null)
  const hasGaps = classes.some(([, report]) => report.itl_ms !== null)
  const rows = classes.map(([name, report]) => [
    name,
    percent(report.attainment),
    intervalText(report),
    `${report.passing_count}/${report.successful_count}`,
    String(report.failed_count),
    rps(report.good_rps),
    milliseconds(report.p50_ttft_ms),
    withOwnError(report.p95_ttft_ms, ownError(name, 'ttft')),
    ...(hasP99 ? [milliseconds(report.p99_ttft_ms)] : []),
    milliseconds(report.p50_tpot_ms),
    withOwnError(report.p95_tpot_ms, ownError(name, 'tpot')),
    ...(hasP99 ? [milliseconds(report.p99_tpot_ms)] : []),
    withOwnError(report.p95_e2e_ms, ownError(name, 'e2e')),
    missText(report),
    ...(hasE2e ? [milliseconds(report.request_e2e_cutoff_ms)] : []),
    ...(hasGaps ? gapCells(report) : []),
  ])
  const heads = columns(
    'class',
    'attained %:',
    '95 % interval:',
    'in cutoffs:',
    'failed:',
    'good RPS:',
    'P50 TTFT ms:',
    'P95 TTFT ms ± client:',
    ...(hasP99 ? ['P99 TTFT ms:'] : []),
    'P50 TPOT ms:',
    'P95 TPOT ms ± client:',
    ...(hasP99 ? ['P99 TPOT ms:'] : []),
    'P95 E2E ms ± client:',
    'missed by %',
    ...(hasE2e ? ['E2E cutoff ms:'] : []),
    ...(hasGaps ? ['P50 gap ms:', 'P99 gap ms:', 'tokens a chunk:'] : []),
  )
  const named = (ink: typeof htmlText) => rows.map(([name = '', ...cells]) => [ink(name, 60), ...cells])
  return isText
    ? textTable({ label, heads, rows: named(plainText) })
    : htmlTable({ label, heads, rows: named(htmlText) })
}

function gapCells({ itl_ms: gaps, tokens_per_chunk: tokens }: ClassReport): string[] {
  const mean = tokens?.mean ?? null
  return [milliseconds(gaps?.p50 ?? null), milliseconds(gaps?.p99 ?? null), mean === null ? NONE : mean.toFixed(2)]
}

function missText({ miss_share: miss }: ClassReport): string {
  if (miss === null) return NONE
  const parts = (['ttft', 'tpot', 'e2e'] as const).flatMap((metric) =>
    miss[metric] > 0 ? [`${metric.toUpperCase()} ${percent(miss[metric])}`] : [],
  )
  return parts.length === 0 ? 'none' : parts.join(', ')
}

function intervalText(report: ClassReport): string {
  const interval: Interval | null = report.attainment_block_bootstrap95 ?? report.attainment_wilson95
  return interval === null ? NONE : `${percent(interval[0])}–${percent(interval[1])}`
}
