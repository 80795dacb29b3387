import { canonicalSha256 } from '../../../src/core/kernel/canonical.ts'
import type { JsonValue } from '../../../src/core/kernel/canonical.ts'
import type { Evidence } from '../../../src/core/kernel/evidence.ts'
import { pointEpoch } from '../../../src/core/kernel/point.ts'
import type { Cache, PointKey } from '../../../src/core/kernel/point.ts'
import { bracketOf } from '../../../src/core/capacity/by-rate.ts'
import type {
  CapacityRecord,
  CapacityResult,
  PointOutcome,
  PointReport,
  Plan,
} from '../../../src/core/capacity/record.ts'
import type { ClassReport, Distribution, SloReport } from '../../../src/core/slo/report.ts'

/** Builders of whole, consistent records, so that a test states only what it is about. */

const CLASSES = ['interactive', 'long_context', 'generation_heavy'] as const
const ATTEMPTED = { interactive: 15_400, long_context: 4_400, generation_heavy: 2_200 } as const
const SCHEDULE = { cold: 'c'.repeat(64), warm: 'a'.repeat(64) } as const

interface AcceptanceValue {
  [key: string]: JsonValue
}

export function experimentValue(acceptance: AcceptanceValue = {}): JsonValue {
  return {
    model: { id: 'acme/dense-70b', revision: '0'.repeat(40) },
    engine: { placement: { tp: 2, pp: 1, dp: 4, replicas: 4, gpus: 8 }, prefix_cache: 'enabled' },
    client: { request_schedule_seed: 20_260_911, initial_scheduled_requests: 22_000 },
    workload: CLASSES.map((name) => ({ name })),
    acceptance: {
      class_slo_attainment_min: 0.95,
      min_successful_samples_per_class: 2000,
      error_rate_max: 0.01,
      queue_trend_required: 'flat',
      capacity_tolerance: 0.04,
      ...acceptance,
    },
  }
}

export function evidence(probe: string, over: Partial<Evidence> = {}): Evidence {
  return { probe, state: 'pass', required: true, blames: 'client', ...over }
}

function distribution(n: number, p50: number, p95: number): Distribution {
  return { n, p50, p90: p95 * 0.9, p95, p99: n >= 10_000 ? p95 * 1.2 : null }
}

function classReport(attempted: number, attainment: number, seconds: number, p95TtftMs: number): ClassReport {
  const passing = Math.round(attempted * attainment)
  return {
    successful_count: attempted,
    passing_count: passing,
    request_ttft_cutoff_ms: 2500,
    request_tpot_cutoff_ms: 50,
    attainment: passing / attempted,
    sample_adequate: true,
    p99_sample_adequate: attempted >= 10_000,
    class_slo_pass: passing / attempted >= 0.95,
    p50_ttft_ms: p95TtftMs / 3,
    p95_ttft_ms: p95TtftMs,
    p99_ttft_ms: attempted >= 10_000 ? p95TtftMs * 1.2 : null,
    p50_tpot_ms: 21,
    p95_tpot_ms: 34.5,
    p99_tpot_ms: attempted >= 10_000 ? 39 : null,
    p95_e2e_ms: p95TtftMs + 5000,
    output_tokens: attempted * 128,
    attempted_count: attempted,
    failed_count: 0,
    error_rate: 0,
    request_e2e_cutoff_ms: null,
    attempted_attainment: passing / attempted,
    attainment_wilson95: [passing / attempted - 0.004, Math.min(1, passing / attempted + 0.004)],
    attainment_block_bootstrap95: [passing / attempted - 0.006, Math.min(1, passing / attempted + 0.006)],
    miss_share: { ttft: 0.02, tpot: 0.01, e2e: 0 },
    good_rps: passing / seconds,
    ttft_ms: distribution(attempted, p95TtftMs / 3, p95TtftMs),
    tpot_ms: distribution(attempted, 21, 34.5),
    e2e_ms: distribution(attempted, 3000, p95TtftMs + 5000),
    ttft_from_due_ms: distribution(attempted, p95TtftMs / 3 + 0.3, p95TtftMs + 0.3),
    e2e_from_due_ms: distribution(attempted, 3000.3, p95TtftMs + 5000.3),
    itl_ms: null,
  }
}

function sloReport(milliRps: number, attainment: number, limiting: SloReport['limiting']): SloReport {
  const seconds = 22_000 / (milliRps / 1000)
  const classes: Record<string, ClassReport> = {}
  for (const name of CLASSES) {
    const own = limiting?.class === name || limiting === null ? attainment : Math.max(attainment, 0.975)
    classes[name] = classReport(ATTEMPTED[name], own, seconds, name === 'long_context' ? 1900 : 420)
  }
  const good = Object.values(classes).reduce((sum, item) => sum + item.passing_count, 0)
  const rate = 22_000 / seconds
  const rates = { offered: rate, sent: rate, accepted: rate, completed: rate, good: good / seconds }
  const passes = Object.values(classes).every((item) => item.class_slo_pass)
  return {
    attempted: 22_000,
    successful: 22_000,
    failed: 0,
    error_rate: 0,
    overall_attainment: good / 22_000,
    observed_goodput_rps: good / seconds,
    request_throughput_rps: rate,
    output_throughput_tps: rate * 243.2,
    queue_trend: 'flat',
    all_class_slos_pass: passes,
    capacity_gate_pass: passes,
    classes,
    schema: 1,
    duration_seconds: seconds,
    arrival_seconds: seconds - 2,
    percentile: 'nearest-rank',
    latency_origin: 'send',
    status_counts: { ok: 22_000, error: 0, timeout: 0, rejected: 0, cancelled: 0 },
    error_codes: {},
    rates_rps: rates,
    arrival_window_rates_rps: rates,
    input_tokens: 52_940_800,
    cached_tokens: 0,
    output_tokens: 5_350_400,
    send_lag_ms: { n: 22_000, p50: 0.1, p90: 0.3, p95: 0.4, p99: 0.9, max: 3.2 },
    mean_terminal_seconds: 3.1,
    class_error_rate_pass: null,
    attempted_attainment_pass: null,
    limiting,
  }
}

export interface PointInit {
  cache?: Cache
  milliRps: number
  outcome?: PointOutcome
  repeat?: number
  deployId?: string
  attainment?: number
  evidence?: Evidence[]
}

/** A point whose numbers go with its outcome: a fail misses long_context's TTFT. */
export function point(init: PointInit): PointReport {
  const { cache = 'cold', milliRps, outcome = 'pass', repeat = 1 } = init
  const limiting = outcome === 'fail' ? ({ class: 'long_context', metric: 'ttft' } as const) : null
  const slo = sloReport(milliRps, init.attainment ?? (outcome === 'fail' ? 0.912 : 0.971), limiting)
  const key: PointKey = { cache, load: { openMilliRps: milliRps }, repeat }
  return {
    schema: 1,
    key,
    epoch: pointEpoch(key),
    scheduleSha256: SCHEDULE[cache],
    deployId: init.deployId ?? `${cache}-boot-1`,
    arrivalSeconds: slo.duration_seconds - 2,
    cohortSeconds: slo.duration_seconds,
    slo,
    ratesRps: slo.rates_rps,
    evidence: init.evidence ?? [
      evidence('client.send_lag', { value: 0.9, limit: 5, unit: 'ms' }),
      evidence('queue.trend', { blames: 'engine' }),
      evidence('cache_hit.rate', { value: cache === 'cold' ? 0.001 : 0.31, limit: cache === 'cold' ? 0.01 : 0.09 }),
    ],
    outcome,
    stoppedEarly: false,
    limiting,
    reasons:
      outcome === 'fail'
        ? [
            {
              code: 'class_attainment',
              text: 'long_context attains 91.2 %',
              class: 'long_context',
              value: 0.912,
              limit: 0.95,
            },
          ]
        : [],
  }
}

/** A state's result whose bracket is that of its points. */
export function result(plan: Plan, points: PointReport[], over: Partial<CapacityResult> = {}): CapacityResult {
  const { pass, fail, flukes } = bracketOf(points)
  return {
    cache: points[0]?.key.cache ?? 'cold',
    plan,
    passMilliRps: pass,
    failMilliRps: fail,
    perReplicaRps: pass === null ? null : pass / 4000,
    perGpuRps: pass === null ? null : pass / 8000,
    points,
    flukeMilliRps: flukes,
    attainmentSpread: null,
    bootSpread: null,
    gpuMinutes: 120,
    reasons: [],
    ...over,
  }
}

/** A sweep with one point a rate. */
export function sweep(
  cache: Cache,
  pass: number[],
  fail: number[],
  over: Partial<CapacityResult> = {},
): CapacityResult {
  const points = [
    ...pass.map((milliRps) => point({ cache, milliRps })),
    ...fail.map((milliRps) => point({ cache, milliRps, outcome: 'fail' })),
  ]
  return result('sweep', points, over)
}

/** Repeats at one rate, each on a boot of its own: `confirm('cold', 23040, 'fail', 'pass', 'pass')`. */
export function boots(cache: Cache, milliRps: number, ...outcomes: PointOutcome[]): PointReport[] {
  return outcomes.map((outcome, index) =>
    point({ cache, milliRps, outcome, repeat: index + 1, deployId: `${cache}-boot-${index + 1}` }),
  )
}

export function record(capacity: CapacityResult[], over: Partial<CapacityRecord> = {}): CapacityRecord {
  const value = experimentValue()
  const deployIds = [...new Set(capacity.flatMap((item) => item.points.map((each) => each.deployId)))]
  return {
    schema: 1,
    kind: 'measured',
    layer: 'service',
    gateId: 'dense-70b-8xh100',
    tool: { version: '0.1.0', replayProtocol: 1 },
    createdAt: '2026-11-20T08:00:00.000Z',
    commit: 'f'.repeat(40),
    experiment: { sha256: canonicalSha256(value), value },
    schedules: Object.fromEntries(capacity.map(({ cache }) => [cache, SCHEDULE[cache]])),
    subject: {
      sha256: 'd'.repeat(64),
      name: 'vllm',
      version: '0.32.0',
      image: `vllm/vllm-openai@sha256:${'e'.repeat(64)}`,
      argv: ['--max-num-seqs', '256'],
      env: {},
    },
    identity: [evidence('identity.version', { blames: 'engine' }), evidence('identity.model', { blames: 'engine' })],
    hardware: {
      mustEqual: { gpu: 'NVIDIA H100 80GB HBM3', gpu_count: '8', driver_major: '580' },
      recorded: { host: 'gpu-runner-3', driver: '580.12' },
    },
    boots: deployIds.map((deployId) => ({
      deployId,
      seconds: 94.2,
      firstRequestMs: 812,
      compileCache: 'hit',
      kvTokens: 1_204_224,
    })),
    capacity,
    selected: 'cold-open-23040-r1',
    evidence: [],
    ...over,
  }
}

/** A baseline of both states: cold 24 RPS under a fail at 24.5, warm 30 under 30.6. */
export function baseline(over: Partial<CapacityRecord> = {}): CapacityRecord {
  return record(
    [sweep('cold', [16_000, 20_000, 24_000], [24_500, 28_000]), sweep('warm', [24_000, 30_000], [30_600])],
    over,
  )
}

export const GUARD = { cold: 23_040, warm: 28_800 } as const

/** A confirmation of both states that holds. */
export function heldCandidate(over: Partial<CapacityRecord> = {}): CapacityRecord {
  return record(
    [result('confirm', boots('cold', GUARD.cold, 'pass')), result('confirm', boots('warm', GUARD.warm, 'pass'))],
    over,
  )
}

export function withExperiment(value: JsonValue): Pick<CapacityRecord, 'experiment'> {
  return { experiment: { sha256: canonicalSha256(value), value } }
}
