import { openMilliRps } from '../../capacity/by-rate.ts'
import type { CapacityResult, PointReport } from '../../capacity/record.ts'
import { pointName } from '../../kernel/point.ts'
import type { ClassReport, Interval } from '../../slo/report.ts'
import { htmlFold, htmlTable } from '../html-table.ts'
import { htmlText } from '../html-text.ts'
import { milliRps, milliseconds, NONE, percent, plainNumber, plural, rps } from '../numbers.ts'
import { columns } from '../table.ts'
import type { PageInput } from './facts.ts'
import type { OwnError } from './own-error.ts'
import { withOwnError } from './own-error.ts'
import { timeChart } from './time-chart.ts'

/** What the points of a state belong to: this run, or the baseline's revision on this machine. */
export interface PointsOf {
  id: string
  title: string
  result: CapacityResult
  ownError: OwnError
}

/** Every point of a state with all its repeats: a table of them all, and each with its classes and its time. */
export function pointsSection({ pictures }: Pick<PageInput, 'pictures'>, of: PointsOf): string {
  const { id, title, result } = of
  const text = plural(result.points.length, 'point')
  return [
    `<section id="points-${id}" aria-labelledby="h-points-${id}">`,
    `<h2 id="h-points-${id}">${title}: ${text}, all repeats</h2>`,
    resultLine(result),
    result.points.length === 0 ? '<p>No point was measured.</p>' : overview(of),
    result.points.length === 0 ? '' : `<p class="soft">${TIME_LEGEND}</p>`,
    ...result.points.map((point) => pointBlock(pictures, of, point)),
    '</section>',
  ]
    .filter((block) => block !== '')
    .join('\n')
}

const TIME_LEGEND =
  'Each point opens: its classes, and its time. Shaded there: left the warm-up, right the drain after the last arrival; between them lies the window. Each stretch shows its highest value (of clocks the lowest, of the hit rate the mean); a gap was not seen. At the right stands the highest of all.'

function resultLine({
  plan,
  passMilliRps,
  failMilliRps,
  attainmentSpread,
  bootSpread,
  gpuMinutes,
  flukeMilliRps,
  reasons,
}: CapacityResult): string {
  const parts = [
    `${plan}: passes ${milliRps(passMilliRps)}, fails ${milliRps(failMilliRps)} RPS`,
    flukeMilliRps.length === 0 ? '' : `flukes at ${flukeMilliRps.map((rate) => milliRps(rate)).join(', ')} RPS`,
    attainmentSpread === null
      ? ''
      : `worst class at the pass rate ${percent(attainmentSpread[0])} to ${percent(attainmentSpread[1])} %`,
    bootSpread === null ? '' : `from boot to boot ${percent(bootSpread)} % (standard deviation)`,
    `${plainNumber(gpuMinutes)} GPU-minutes`,
  ]
  const why = reasons.map(({ code, text }) => `<li><code>${htmlText(code, 60)}</code> ${htmlText(text, 300)}`).join('')
  return `<p>${parts.filter((part) => part !== '').join(' · ')}</p>${why === '' ? '' : `<ul>${why}</ul>`}`
}

function overview({ title, result }: PointsOf): string {
  const rows = result.points.map((point) => {
    const rate = openMilliRps(point)
    const isFluke = point.outcome === 'pass' && rate !== null && result.flukeMilliRps.includes(rate)
    return [
      loadText(point),
      String(point.key.repeat),
      `${point.outcome}${isFluke ? ' (fluke)' : ''}${point.stoppedEarly ? ' (stopped early)' : ''}`,
      rps(point.ratesRps.sent),
      rps(point.ratesRps.accepted),
      rps(point.ratesRps.completed),
      rps(point.ratesRps.good),
      String(point.slo.attempted),
      percent(point.slo.error_rate),
      point.slo.queue_trend,
      point.slo.send_lag_ms === null ? NONE : milliseconds(point.slo.send_lag_ms.p99 ?? point.slo.send_lag_ms.max),
      littlesLaw(point, 'littles_law.client'),
      littlesLaw(point, 'littles_law.engine'),
      plainNumber(point.cohortSeconds),
      htmlText(point.deployId, 40),
    ]
  })
  const heads = columns(
    'offered RPS:',
    'repeat:',
    'outcome',
    'sent RPS:',
    'accepted RPS:',
    'completed RPS:',
    'good RPS:',
    'requests:',
    'errors %:',
    'queue',
    'send lag ms:',
    'Little, client:',
    'Little, engine:',
    'seconds:',
    'boot',
  )
  return htmlTable({ label: `${title}: all points`, heads, rows })
}

/** Seen in flight, of what rate times time gives. */
function littlesLaw({ evidence }: PointReport, probe: string): string {
  const found = evidence.find((item) => item.probe === probe)
  if (found?.value === undefined || found.limit === undefined) return 'unknown'
  return `${plainNumber(found.value)} of ${plainNumber(found.limit)}${found.state === 'pass' ? '' : ` (${found.state})`}`
}

function pointBlock(pictures: PageInput['pictures'], of: PointsOf, point: PointReport): string {
  const name = pointName(point.key)
  const picture = pictures.get(name)
  const drawn =
    of.id === 'cold' || of.id === 'warm'
      ? picture === undefined
        ? '<p class="soft">Its raw files were not read.</p>'
        : 'why' in picture
          ? `<p class="note">Its time cannot be drawn: ${htmlText(picture.why, 300)}</p>`
          : timeChart(name, picture)
      : ''
  const reasons = point.reasons.map(({ code, text }) => `<li><code>${htmlText(code, 60)}</code> ${htmlText(text, 300)}`)
  const codes = Object.entries(point.slo.error_codes).map(([code, count]) => `${htmlText(code, 40)} ${count}`)
  return htmlFold(
    `${loadText(point)} RPS, repeat ${point.key.repeat}: ${point.outcome}`.replace(' in flight RPS', ' in flight'),
    [
      reasons.length === 0 ? '' : `<ul>${reasons.join('')}</ul>`,
      codes.length === 0 ? '' : `<p>Errors: ${codes.join(', ')}.</p>`,
      classTable(`${of.title}, ${name}: classes`, point, of.ownError),
      drawn,
    ],
  )
}

function classTable(label: string, point: PointReport, ownError: OwnError): string {
  const classes = Object.entries(point.slo.classes)
  const hasE2e = classes.some(([, report]) => report.request_e2e_cutoff_ms !== null)
  const hasP99 = classes.some(([, report]) => report.p99_ttft_ms !== null || report.p99_tpot_ms !== null)
  const hasGaps = classes.some(([, report]) => report.itl_ms !== null)
  const rows = classes.map(([name, report]) => [
    htmlText(name, 60),
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
  return htmlTable({ label, heads, rows })
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

function loadText({ key }: PointReport): string {
  return 'openMilliRps' in key.load ? milliRps(key.load.openMilliRps) : `${key.load.closedConcurrency} in flight`
}
