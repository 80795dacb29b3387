import type { Evidence } from '../kernel/evidence.ts'
import type { Manifest } from '../manifest/schema.ts'
import type { Calibration, CalibrationFile, ErrorSpread } from './calibration.ts'
import { ceilingOf } from './calibration.ts'
import type { CalibrationNeed } from './calibration-need.ts'
import { neededEventsPerSecond, roundedNeed } from './calibration-need.ts'

/** No client is trusted with more than this share of its ceiling. */
const CEILING_SHARE_MAX = 0.5
/** The needed rate counts as calibrated when this share of it was really sent: arrivals are drawn, and a short window holds few. */
const REACHED_MIN = 0.8

type Judged = Pick<Manifest, 'client' | 'workload' | 'acceptance'>

/**
 * Whether the client can measure what a manifest asks at a rate: `client.calibration.rate` (needed events a second within half of the
 * ceiling, and sent at that rate in the calibration), `.ttft`, `.tpot`, `.e2e` (own error at P99 within `client.calibration_error_max_share`
 * of the metric's tightest cutoff; of TPOT the error of the difference of the two ends over O − 1, class by class) and `.send_lag`. All
 * blame the client. One that was not made, or for another load, is `client.calibration`, unknown. Without a manifest there are no cutoffs
 * to hold the errors to.
 */
export function calibrationEvidence(
  file: CalibrationFile | null,
  manifest: Judged | null,
  need: CalibrationNeed,
): Evidence[] {
  const required = manifest?.acceptance.required_evidence.includes('client') ?? true
  const unmade = (text: string): Evidence[] => [
    { probe: 'client.calibration', state: 'unknown', required, blames: 'client', text },
  ]
  if (file === null) return unmade('the client was not calibrated')
  if (!file.made) return unmade(`the client could not be calibrated: ${file.cause}`)
  if (!covers(file.need, need)) return unmade('the calibration is of another load')
  if (manifest === null) return [rate(file, need)]
  return [
    rate(file, need),
    ttft(file, manifest),
    ...tpot(file, manifest),
    ...e2e(file, manifest),
    sendLag(file, manifest),
  ]
}

/** Whether every probe allows the run to begin. */
export function isFit(evidence: readonly Evidence[]): boolean {
  return evidence.every(({ state, required }) => state === 'pass' || (state === 'unknown' && !required))
}

/** Whether a calibration at one need says what another needs to know: the same bytes, at the same step of rates or a higher one. */
export function covers(calibrated: CalibrationNeed, need: CalibrationNeed): boolean {
  const { milliRps, ...bytes } = roundedNeed(need)
  const { milliRps: at, ...known } = calibrated
  return JSON.stringify(inOrder(known)) === JSON.stringify(inOrder(bytes)) && at >= milliRps
}

function inOrder(need: Omit<CalibrationNeed, 'milliRps'>): unknown[] {
  const { dialect, endpoint, prompt, tokenRange, classes } = need
  const each = classes.map(({ name, weight, inputTokens, outputTokens }) => [name, weight, inputTokens, outputTokens])
  return [dialect, endpoint, prompt, tokenRange, each]
}

interface Finding {
  probe: string
  value: number
  limit: number
  unit: string
  text: string
  /** Said where it fails. */
  mend: string
}

function finding({ probe, value, limit, unit, text, mend }: Finding): Evidence {
  const isWithin = value <= limit
  return {
    probe: `client.calibration.${probe}`,
    state: isWithin ? 'pass' : 'fail',
    required: true,
    blames: 'client',
    value: rounded(value),
    limit: rounded(limit),
    unit,
    text: isWithin ? text : `${text}: ${mend}`,
  }
}

function rate(calibration: Calibration, need: CalibrationNeed): Evidence {
  const { eventsPerSecond, from } = ceilingOf(calibration)
  const value = neededEventsPerSecond(need)
  const { paced, heavy } = calibration
  const why =
    from === 'cpu'
      ? `${rounded(heavy.cpuUsPerEvent)} µs of one core an event`
      : 'it fell behind there in the heavier phase'
  const shared = { probe: 'rate', value, unit: 'events/s' }
  if (paced.eventsPerSecond < REACHED_MIN * value) {
    return finding({
      ...shared,
      limit: paced.eventsPerSecond,
      text: `no more than ${whole(paced.eventsPerSecond)} of ${whole(value)} events/s could be calibrated`,
      mend: 'give the client cores of its own, or ask for lower rates',
    })
  }
  return finding({
    ...shared,
    limit: eventsPerSecond * CEILING_SHARE_MAX,
    text: `${whole(value)} events/s are needed, half of the client's ceiling is ${whole(eventsPerSecond / 2)} (${why})`,
    mend: 'use a faster machine for the client, or ask for lower rates',
  })
}

function ttft({ errors }: Calibration, { client, workload }: Judged): Evidence {
  const tightestMs = Math.min(...workload.map((entry) => entry.request_ttft_cutoff_ms))
  return ownError('ttft', errors.ttft, 1, tightestMs, client.calibration_error_max_share, '')
}

/** Of the class whose limit is nearest. A class of one token has no TPOT. */
function tpot({ errors }: Calibration, { client, workload }: Judged): Evidence[] {
  const found = workload
    .filter((entry) => entry.output_tokens > 1)
    .map((entry) => {
      const share = client.calibration_error_max_share
      const cutoffMs = entry.request_tpot_cutoff_ms
      return ownError('tpot', errors.decode, entry.output_tokens - 1, cutoffMs, share, ` of ${entry.name}`)
    })
  return found.toSorted((a, b) => nearness(b) - nearness(a)).slice(0, 1)
}

function nearness({ value = 0, limit = 1 }: Evidence): number {
  return value / limit
}

function e2e({ errors }: Calibration, { client, workload }: Judged): Evidence[] {
  const cutoffs = workload.flatMap((entry) => entry.request_e2e_cutoff_ms ?? [])
  if (cutoffs.length === 0) return []
  return [ownError('e2e', errors.e2e, 1, Math.min(...cutoffs), client.calibration_error_max_share, '')]
}

function ownError(
  metric: 'ttft' | 'tpot' | 'e2e',
  { p50Us, p99Us, n }: ErrorSpread,
  tokens: number,
  cutoffMs: number,
  share: number,
  whose: string,
): Evidence {
  const [p50, p99] = [p50Us, p99Us].map((us) => rounded(us / 1000 / tokens))
  return finding({
    probe: metric,
    value: p99Us / 1000 / tokens,
    limit: cutoffMs * share,
    unit: 'ms',
    text: `own error in ${metric.toUpperCase()} p50 ${p50} ms, p99 ${p99} ms (n ${n}), at most ${percent(share)} of the tightest cutoff${whose} ${cutoffMs} ms`,
    mend: 'quiet the machine, give the client cores of its own, or loosen client.calibration_error_max_share in the open',
  })
}

function sendLag({ errors }: Calibration, { client }: Judged): Evidence {
  const { p50Us, p99Us, n } = errors.sendLag
  return finding({
    probe: 'send_lag',
    value: p99Us / 1000,
    limit: client.send_lag_p99_max_ms,
    unit: 'ms',
    text: `send lag p50 ${rounded(p50Us / 1000)} ms, p99 ${rounded(p99Us / 1000)} ms (n ${n})`,
    mend: 'quiet the machine, or give the client cores of its own',
  })
}

function whole(value: number): string {
  return String(Math.round(value))
}

/** Three digits behind the point, and three significant ones below that. */
function rounded(value: number): number {
  return value >= 1 ? Math.round(value * 1000) / 1000 : Number(value.toPrecision(3))
}

function percent(share: number): string {
  return `${Number((share * 100).toPrecision(3))} %`
}
