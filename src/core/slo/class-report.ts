import type { Acceptance } from '../manifest/schema.ts'
import type { ChunkHistograms, GapHistogram } from '../record/gaps.ts'
import type { CohortTable } from '../record/table.ts'
import type { TokensPerChunk } from '../record/tokens-per-chunk.ts'
import { blockBootstrap95, blockLength, wilson95 } from './interval.ts'
import { distributionOf, P99_MIN_VALUES } from './percentile.ts'
import type { ChunkReport, ClassReport, Distribution } from './report.ts'
import type { ClassSample } from './sample.ts'

/** Values of a class's successes, in the order of arrival. */
interface Latencies {
  ttftMs: Float64Array
  /** 0, which meets any cutoff, for answers of one token: their TPOT is undefined. */
  tpotMs: Float64Array
  /** Of the answers that have one, in the same order. */
  definedTpotMs: Float64Array
  e2eMs: Float64Array
  /** Empty where the file holds no due times. */
  ttftFromDueMs: Float64Array
  e2eFromDueMs: Float64Array
}

/** One class, judged, and which of its successes meet their cutoffs: 1 or 0, in the order of arrival. */
export interface JudgedClass {
  report: ClassReport
  passes: Uint8Array
}

export interface ClassOrder {
  acceptance: Acceptance
  durationSeconds: number
  gaps: ChunkHistograms | null
}

/** Judges one class by its cutoffs and describes it. */
export function judgeClass(table: CohortTable, sample: ClassSample, order: ClassOrder): JudgedClass {
  const latencies = latenciesOf(table, sample)
  const { passes, passing, missed } = judgeSuccesses(sample, latencies, order.acceptance.latency_origin)
  const successes = sample.ok.length
  const attainment = ratio(passing, successes)
  const hasSamples = successes >= order.acceptance.min_successful_samples_per_class
  const inFlight = latencies.e2eMs.reduce((sum, ms) => sum + ms, 0) / 1000 / order.durationSeconds
  const report: ClassReport = {
    successful_count: successes,
    passing_count: passing,
    request_ttft_cutoff_ms: sample.class.request_ttft_cutoff_ms,
    request_tpot_cutoff_ms: sample.class.request_tpot_cutoff_ms,
    attainment,
    sample_adequate: hasSamples,
    p99_sample_adequate: successes >= P99_MIN_VALUES,
    class_slo_pass: hasSamples && attainment !== null && attainment >= order.acceptance.class_slo_attainment_min,
    output_tokens: sample.ok.reduce((sum, row) => sum + (table.outputTokens[row] ?? 0), 0),
    attempted_count: sample.attempted,
    failed_count: sample.failed,
    error_rate: ratio(sample.failed, sample.attempted),
    request_e2e_cutoff_ms: sample.class.request_e2e_cutoff_ms ?? null,
    attempted_attainment: ratio(passing, sample.attempted),
    attainment_wilson95: wilson95(passing, successes),
    attainment_block_bootstrap95: blockBootstrap95(passes, blockLength(successes, inFlight)),
    miss_share:
      successes === 0
        ? null
        : { ttft: missed.ttft / successes, tpot: missed.tpot / successes, e2e: missed.e2e / successes },
    good_rps: passing / order.durationSeconds,
    ...distributionsOf(latencies),
    itl_ms: order.gaps === null ? null : gapDistribution(order.gaps.gaps),
    tokens_per_chunk: order.gaps === null ? null : tokensPerChunk(order.gaps.tokens),
  }
  return { report, passes }
}

/** A share, or null where there is nothing to share. */
export function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole
}

function latenciesOf(table: CohortTable, sample: ClassSample): Latencies {
  const gather = (isThere: boolean, value: (row: number) => number) => {
    const values = new Float64Array(isThere ? sample.ok.length : 0)
    for (let i = 0; i < values.length; i++) values[i] = value(sample.ok[i] ?? 0)
    return values
  }
  const sinceDueMs = (us: Float64Array) =>
    gather(table.hasDue, (row) => ((us[row] ?? Number.NaN) - (table.dueUs[row] ?? Number.NaN)) / 1000)
  const isDefined = (row: number) => (table.outputTokens[row] ?? 0) > 1
  const tpotMs = gather(true, (row) => (isDefined(row) ? (table.tpotMs[row] ?? Number.NaN) : 0))
  return {
    ttftMs: gather(true, (row) => table.ttftMs[row] ?? Number.NaN),
    tpotMs,
    definedTpotMs: tpotMs.filter((_, i) => isDefined(sample.ok[i] ?? 0)),
    e2eMs: gather(true, (row) => table.e2eMs[row] ?? Number.NaN),
    ttftFromDueMs: sinceDueMs(table.firstTokenUs),
    e2eFromDueMs: sinceDueMs(table.lastTokenUs),
  }
}

function judgeSuccesses(sample: ClassSample, latencies: Latencies, origin: Acceptance['latency_origin']) {
  const { request_ttft_cutoff_ms, request_tpot_cutoff_ms } = sample.class
  const e2eCutoffMs = sample.class.request_e2e_cutoff_ms ?? Number.POSITIVE_INFINITY
  const ttftMs = origin === 'due' ? latencies.ttftFromDueMs : latencies.ttftMs
  const e2eMs = origin === 'due' ? latencies.e2eFromDueMs : latencies.e2eMs
  const passes = new Uint8Array(sample.ok.length)
  const missed = { ttft: 0, tpot: 0, e2e: 0 }
  let passing = 0
  for (let i = 0; i < passes.length; i++) {
    const meetsTtft = (ttftMs[i] ?? Number.NaN) <= request_ttft_cutoff_ms
    const meetsTpot = (latencies.tpotMs[i] ?? Number.NaN) <= request_tpot_cutoff_ms
    const meetsE2e = (e2eMs[i] ?? Number.NaN) <= e2eCutoffMs
    if (!meetsTtft) missed.ttft++
    if (!meetsTpot) missed.tpot++
    if (!meetsE2e) missed.e2e++
    if (meetsTtft && meetsTpot && meetsE2e) {
      passes[i] = 1
      passing++
    }
  }
  return { passes, passing, missed }
}

/** Sorts the latencies in place. */
function distributionsOf(latencies: Latencies) {
  const ttft = distributionOf(latencies.ttftMs)
  const tpot = distributionOf(latencies.definedTpotMs)
  const e2e = distributionOf(latencies.e2eMs)
  return {
    p50_ttft_ms: ttft.p50,
    p95_ttft_ms: ttft.p95,
    p99_ttft_ms: ttft.p99,
    p50_tpot_ms: tpot.p50,
    p95_tpot_ms: tpot.p95,
    p99_tpot_ms: tpot.p99,
    p95_e2e_ms: e2e.p95,
    ttft_ms: ttft,
    tpot_ms: tpot,
    e2e_ms: e2e,
    ttft_from_due_ms: distributionOf(latencies.ttftFromDueMs),
    e2e_from_due_ms: distributionOf(latencies.e2eFromDueMs),
  }
}

function gapDistribution(gaps: GapHistogram): Distribution {
  const ms = (probability: number) => {
    const us = gaps.percentileUs(probability)
    return us === null ? null : us / 1000
  }
  return {
    n: gaps.count,
    p50: ms(0.5),
    p90: ms(0.9),
    p95: ms(0.95),
    p99: gaps.count >= P99_MIN_VALUES ? ms(0.99) : null,
  }
}

function tokensPerChunk(tokens: TokensPerChunk): ChunkReport {
  const { known } = tokens
  return {
    n: known,
    unknown: tokens.unknown,
    mean: ratio(tokens.tokens, known),
    p50: tokens.percentile(0.5),
    p95: tokens.percentile(0.95),
    max: known === 0 ? null : tokens.max,
  }
}
