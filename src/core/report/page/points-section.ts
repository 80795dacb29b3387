import { openMilliRps } from '../../capacity/by-rate.ts'
import type { CapacityResult, PointReport } from '../../capacity/record.ts'
import { pointName } from '../../kernel/point.ts'
import { htmlFold, htmlTable } from '../html-table.ts'
import { htmlText } from '../html-text.ts'
import { milliRps, milliseconds, NONE, percent, plainNumber, plural, rps } from '../numbers.ts'
import { columns } from '../table.ts'
import { classTable } from './class-table.ts'
import type { PageInput } from './facts.ts'
import type { OwnError } from './own-error.ts'
import { timeChart } from './time-chart.ts'

/** What the points of a state belong to: this run, or the baseline's revision on this machine. */
export interface PointsOf {
  id: string
  title: string
  result: CapacityResult
  ownError: OwnError
  /** Of a pack with very many classes and points. */
  isLarge: boolean
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
      classTable({ label: `${of.title}, ${name}: classes`, point, ownError: of.ownError, isText: of.isLarge }),
      drawn,
    ],
  )
}

function loadText({ key }: PointReport): string {
  return 'openMilliRps' in key.load ? milliRps(key.load.openMilliRps) : `${key.load.closedConcurrency} in flight`
}
