import { EXIT, GateError } from '../kernel/errors.ts'
import type { Acceptance, Manifest } from '../manifest/schema.ts'
import type { ChunkHistograms } from '../record/gaps.ts'
import type { Status } from '../stream/error-codes.ts'
import type { CohortTable } from '../record/table.ts'
import { statusAt, textAt } from '../record/table.ts'
import { judgeClass, ratio } from './class-report.ts'
import { importedReason } from './imported-reason.ts'
import { limitingOf } from './limiting.ts'
import { distributionOf } from './percentile.ts'
import { cohortRates, SHORTEST_SECONDS, windowRates } from './rates.ts'
import type { ClassReport, SloReport } from './report.ts'
import type { Lengths, SloClass } from './sample.ts'
import { samplesOf } from './sample.ts'

/** What the file does not say about its cohort. */
export interface Point {
  /** The whole cohort's, drain included: the reference's T. */
  durationSeconds: number
  queueTrend: SloReport['queue_trend']
  /** Gaps between token-bearing chunks and the tokens of each, by class. */
  gaps?: ReadonlyMap<string, ChunkHistograms>
  /** From the cohort's start to the last due time that was reached; else taken from the file. */
  arrivalSeconds?: number
}

interface AnalyzeOptions extends Point {
  classes: readonly SloClass[]
  acceptance: Acceptance
  lengths: Lengths
}

/**
 * Judges a cohort: the reference analyzer's report to the last digit, with the manifest's cutoffs in place of its constants, then ours.
 * Judged from the seven columns, in milliseconds; only `latency_origin: due` takes TTFT and E2E from the microseconds.
 *
 * @throws GateError, exit 4, for a class or a length that is not the workload's, for a duration that is none, and for due times that
 * are asked for and not there.
 */
function analyze(table: CohortTable, options: AnalyzeOptions): SloReport {
  const { acceptance, durationSeconds, queueTrend } = options
  refuseUnjudgeable(table, options)
  const { lengths } = options
  const samples = samplesOf(table, options.classes, { planned: acceptance.planned_cancellations, lengths })
  const isGood = new Uint8Array(table.rows)
  const reports: [string, ClassReport][] = []
  for (const sample of samples) {
    const gaps = options.gaps?.get(sample.class.name) ?? null
    const { report, passes } = judgeClass(table, sample, { acceptance, durationSeconds, gaps })
    for (const [i, row] of sample.ok.entries()) isGood[row] = passes[i] ?? 0
    reports.push([sample.class.name, report])
  }
  const sum = (part: (report: ClassReport) => number) => reports.reduce((total, [, report]) => total + part(report), 0)
  const attempted = sum((report) => report.attempted_count)
  const successful = sum((report) => report.successful_count)
  const passing = sum((report) => report.passing_count)
  const outputTokens = sum((report) => report.output_tokens)
  const classes = Object.fromEntries(reports.sort(([a], [b]) => (a < b ? -1 : 1)))
  const gates = gatesOf(Object.values(classes), ratio(attempted - successful, attempted), queueTrend, acceptance)
  const arrivalSeconds = options.arrivalSeconds ?? lastDueSeconds(table)
  return {
    attempted,
    successful,
    failed: attempted - successful,
    overall_attainment: ratio(passing, successful),
    observed_goodput_rps: passing / durationSeconds,
    request_throughput_rps: successful / durationSeconds,
    output_throughput_tps: outputTokens / durationSeconds,
    ...gates,
    classes,
    schema: 1,
    duration_seconds: durationSeconds,
    arrival_seconds: arrivalSeconds,
    percentile: 'nearest-rank',
    latency_origin: acceptance.latency_origin,
    rates_rps: cohortRates(table, isGood, durationSeconds),
    arrival_window_rates_rps: windowRates(table, isGood, arrivalSeconds),
    output_tokens: outputTokens,
    ...populationOf(table),
    limiting: limitingOf(classes, gates, acceptance),
    ...(table.origin === null ? {} : { origin: table.origin, reasons: [importedReason(table.origin)] }),
  }
}

/** `analyze` with the manifest's classes and acceptance. */
export function analyzeManifest(table: CohortTable, manifest: Manifest, point: Point): SloReport {
  const lengths = manifest.client.arrival_pattern === 'trace' ? 'most' : 'exact'
  return analyze(table, { ...point, classes: manifest.workload, acceptance: manifest.acceptance, lengths })
}

function gatesOf(
  classes: readonly ClassReport[],
  errorRate: number | null,
  queueTrend: SloReport['queue_trend'],
  acceptance: Acceptance,
) {
  const { error_rate_max, class_error_rate_max, attempted_attainment_min } = acceptance
  const allPass = classes.every((report) => report.class_slo_pass)
  // A class with no rows has no share, and never passes.
  const classErrorRatePass =
    class_error_rate_max === undefined
      ? null
      : classes.every(({ error_rate }) => error_rate !== null && error_rate <= class_error_rate_max)
  const attemptedAttainmentPass =
    attempted_attainment_min === undefined
      ? null
      : classes.every(({ attempted_attainment: share }) => share !== null && share >= attempted_attainment_min)
  const errorsPass = errorRate !== null && errorRate <= error_rate_max
  const declaredPass = classErrorRatePass !== false && attemptedAttainmentPass !== false
  return {
    error_rate: errorRate,
    queue_trend: queueTrend,
    all_class_slos_pass: allPass,
    capacity_gate_pass: allPass && errorsPass && queueTrend === 'flat' && declaredPass,
    class_error_rate_pass: classErrorRatePass,
    attempted_attainment_pass: attemptedAttainmentPass,
  }
}

function populationOf(table: CohortTable) {
  const statuses: Record<Status, number> = { ok: 0, error: 0, timeout: 0, rejected: 0, cancelled: 0 }
  const codes = new Map<string, number>()
  const lags = new Float64Array(table.rows)
  let sent = 0
  let terminalUs = 0
  for (let row = 0; row < table.rows; row++) {
    const status = statusAt(table, row)
    statuses[status]++
    const code = textAt(table.errorCode, row)
    if (code !== null) codes.set(code, (codes.get(code) ?? 0) + 1)
    const sentUs = table.sentUs[row] ?? Number.NaN
    if (Number.isNaN(sentUs)) continue
    lags[sent++] = (sentUs - (table.dueUs[row] ?? Number.NaN)) / 1000
    terminalUs += (table.endUs[row] ?? Number.NaN) - sentUs
  }
  const sentLags = lags.subarray(0, sent)
  return {
    status_counts: statuses,
    error_codes: Object.fromEntries([...codes].sort(([a], [b]) => (a < b ? -1 : 1))),
    input_tokens: knownSum(table.inputTokens),
    cached_tokens: knownSum(table.cachedTokens),
    send_lag_ms: table.hasDue ? { ...distributionOf(sentLags), max: sentLags.at(-1) ?? null } : null,
    // Not a number where an imported file does not tell an end.
    mean_terminal_seconds: sent === 0 || Number.isNaN(terminalUs) ? null : terminalUs / sent / 1e6,
  }
}

/** The sum of what is known; null where nothing is. */
function knownSum(values: Int32Array): number | null {
  let sum = 0
  let known = 0
  for (const value of values) {
    if (value < 0) continue
    sum += value
    known++
  }
  return known === 0 ? null : sum
}

function lastDueSeconds(table: CohortTable): number | null {
  if (!table.hasDue || table.rows === 0) return null
  return table.dueUs.reduce((latest, us) => Math.max(latest, us), 0) / 1e6
}

function refuseUnjudgeable(table: CohortTable, options: AnalyzeOptions): void {
  const { durationSeconds, acceptance } = options
  if (!(Number.isFinite(durationSeconds) && durationSeconds >= SHORTEST_SECONDS)) {
    throw new GateError({
      code: 'duration',
      message: `the cohort's duration is ${durationSeconds} seconds`,
      hint: 'give the seconds from the first arrival to the last terminal status',
      exitCode: EXIT.invalid,
    })
  }
  if (acceptance.latency_origin === 'due' && !table.hasDue) {
    throw new GateError({
      code: 'no_due_times',
      message: `${table.file}: the manifest judges latency from due times, and the file has none`,
      hint: 'hand in a file with the columns of microseconds, or judge by latency_origin: send',
      exitCode: EXIT.invalid,
    })
  }
}
