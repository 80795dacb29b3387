import type { Manifest } from '../../../src/core/manifest/schema.ts'
import type { RequestRecord } from '../../../src/core/record/record.ts'

/**
 * The rules of judgement said a second time, as plainly as they can be: one request an object, no tables, nothing shared with what is
 * tested. Latencies are in microseconds here, so that nothing is rounded but where requests.csv rounds.
 */
export function oracle(records: readonly RequestRecord[], manifest: Manifest, seconds: number, trend: string) {
  const { workload, acceptance } = manifest
  const counted = records.filter(
    (each) => each.status !== 'cancelled' || acceptance.planned_cancellations === 'failures',
  )
  const classes = Object.fromEntries(
    workload.map((declared) => [
      declared.name,
      oracleClass(
        counted.filter((each) => each.class === declared.name),
        declared,
        acceptance,
      ),
    ]),
  )
  const all = Object.values(classes)
  const succeeded = counted.filter((each) => each.status === 'ok').length
  const good = all.reduce((n, each) => n + each.passing_count, 0)
  const errorRate = counted.length > 0 ? (counted.length - succeeded) / counted.length : null
  const declaredGates = {
    class_error_rate_pass:
      acceptance.class_error_rate_max === undefined
        ? null
        : all.every((each) => each.error_rate !== null && each.error_rate <= (acceptance.class_error_rate_max ?? 0)),
    attempted_attainment_pass:
      acceptance.attempted_attainment_min === undefined
        ? null
        : all.every((each) => (each.attempted_attainment ?? -1) >= (acceptance.attempted_attainment_min ?? 0)),
  }
  return {
    attempted: counted.length,
    successful: succeeded,
    failed: counted.length - succeeded,
    error_rate: errorRate,
    overall_attainment: succeeded > 0 ? good / succeeded : null,
    observed_goodput_rps: good / seconds,
    request_throughput_rps: succeeded / seconds,
    queue_trend: trend,
    all_class_slos_pass: all.every((each) => each.class_slo_pass),
    capacity_gate_pass:
      all.every((each) => each.class_slo_pass) &&
      errorRate !== null &&
      errorRate <= acceptance.error_rate_max &&
      trend === 'flat' &&
      !Object.values(declaredGates).includes(false),
    classes,
    ...declaredGates,
  }
}

function oracleClass(
  attempted: RequestRecord[],
  declared: Manifest['workload'][number],
  acceptance: Manifest['acceptance'],
) {
  const successes = attempted.filter((each) => each.status === 'ok')
  const judged = successes.map((each) => {
    const from = acceptance.latency_origin === 'due' ? each.dueUs : at(each.sentUs)
    const tokens = at(each.outputTokens)
    const ttftUs = at(each.firstTokenUs) - from
    const e2eUs = at(each.lastTokenUs) - from
    // As requests.csv writes it: milliseconds with six decimals.
    const decodeUs = at(each.lastTokenUs) - at(each.firstTokenUs)
    const tpotMs = tokens > 1 ? Number((decodeUs / 1000 / (tokens - 1)).toFixed(6)) : 0
    const meets = {
      ttft: ttftUs <= declared.request_ttft_cutoff_ms * 1000,
      tpot: tpotMs <= declared.request_tpot_cutoff_ms,
      e2e: declared.request_e2e_cutoff_ms === undefined || e2eUs <= declared.request_e2e_cutoff_ms * 1000,
    }
    return { each, tpotMs, meets, good: meets.ttft && meets.tpot && meets.e2e }
  })
  const n = successes.length
  const passing = judged.filter(({ good }) => good).length
  const share = (part: number, whole: number) => (whole > 0 ? part / whole : null)
  const missed = (metric: 'ttft' | 'tpot' | 'e2e') => judged.filter(({ meets }) => !meets[metric]).length / n
  const ms = (of: (each: RequestRecord) => number) => successes.map((each) => of(each) / 1000)
  const ttft = ms((each) => at(each.firstTokenUs) - at(each.sentUs))
  const e2e = ms((each) => at(each.lastTokenUs) - at(each.sentUs))
  const tpot = declared.output_tokens > 1 ? judged.map(({ tpotMs }) => tpotMs) : []
  const enough = n >= acceptance.min_successful_samples_per_class
  return {
    successful_count: n,
    passing_count: passing,
    attainment: share(passing, n),
    sample_adequate: enough,
    p99_sample_adequate: n >= 10_000,
    class_slo_pass: enough && n > 0 && passing / n >= acceptance.class_slo_attainment_min,
    p50_ttft_ms: rank(ttft, 50),
    p95_ttft_ms: rank(ttft, 95),
    p50_tpot_ms: rank(tpot, 50),
    p95_tpot_ms: rank(tpot, 95),
    p95_e2e_ms: rank(e2e, 95),
    p99_ttft_ms: n >= 10_000 ? rank(ttft, 99) : null,
    output_tokens: successes.reduce((sum, each) => sum + at(each.outputTokens), 0),
    attempted_count: attempted.length,
    failed_count: attempted.length - n,
    error_rate: share(attempted.length - n, attempted.length),
    attempted_attainment: share(passing, attempted.length),
    miss_share: n > 0 ? { ttft: missed('ttft'), tpot: missed('tpot'), e2e: missed('e2e') } : null,
  }
}

function at(value: number | null): number {
  if (value === null) throw new Error('a success lacks a value')
  return value
}

/** The smallest value that at least so many percent of the values do not exceed. */
function rank(values: readonly number[], percent: number): number | null {
  const ascending = values.toSorted((a, b) => a - b)
  return ascending.find((_, i) => (i + 1) * 100 >= percent * values.length) ?? null
}
