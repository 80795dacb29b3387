import { describe, expect, it } from 'vitest'
import { ChunkHistograms } from '../../../src/core/record/gaps.ts'
import { readRequestsCsv } from '../../../src/core/record/read.ts'
import { analyzeManifest } from '../../../src/core/slo/analyze.ts'
import { parseDurationSeconds, parseQueueTrend } from '../../../src/core/slo/arguments.ts'
import { sloReportJson } from '../../../src/core/slo/json.ts'
import { cohortOf, judge, success } from './cohort-builder.ts'
import { workedExample } from './worked-example.ts'

const manifest = workedExample()
const interactive = (id: string, change = {}) => success(manifest, 'interactive', id, change)

describe('what one file says beyond the reference’s keys', () => {
  const records = [
    interactive('a', { dueUs: 0, sentUs: 200, inputTokens: 1000, cachedTokens: 100 }),
    interactive('b', { dueUs: 1_000_000, sentUs: 1_000_400, inputTokens: 1000 }),
    interactive('c', {
      dueUs: 2_000_000,
      sentUs: 2_001_000,
      status: 'rejected',
      errorCode: 'http_status',
      httpStatus: 503,
    }),
    interactive('d', { dueUs: 3_000_000, sentUs: null, status: 'error', errorCode: 'connect', httpStatus: null }),
    interactive('e', {
      dueUs: 3_000_000,
      sentUs: 3_000_000,
      status: 'timeout',
      errorCode: '__proto__',
      endUs: 9_000_000,
    }),
    interactive('f', { dueUs: 4_000_000, firstTokenUs: 4_600_000, lastTokenUs: 5_870_000, endUs: 5_870_000 }),
  ]

  it('keeps the five rates apart, over the cohort and over the arrival window', async () => {
    const report = await judge(manifest, records, { durationSeconds: 10 })
    expect(report.arrival_seconds).toBe(4)
    expect(report.rates_rps).toEqual({ offered: 0.6, sent: 0.5, accepted: 0.4, completed: 0.3, good: 0.2 })
    expect(report.arrival_window_rates_rps).toEqual({
      offered: 1.5,
      sent: 1.25,
      accepted: 1,
      completed: 0.5,
      good: 0.5,
    })
    const shorter = await judge(manifest, records, { durationSeconds: 10, arrivalSeconds: 2 })
    expect(shorter.arrival_window_rates_rps).toEqual({ offered: 1.5, sent: 1, accepted: 1, completed: 0.5, good: 0.5 })
  })

  it('does not take a refusal inside a stream for an accepted request', async () => {
    const refused = interactive('a', { status: 'rejected', errorCode: 'stream_error', httpStatus: 200 })
    expect((await judge(manifest, [refused], { durationSeconds: 1 })).rates_rps).toMatchObject({ sent: 1, accepted: 0 })
  })

  it('says the same of a file in another order', async () => {
    const slow = { firstTokenUs: 90_000_000, lastTokenUs: 91_270_000, endUs: 91_270_000 }
    const inOrder = Array.from({ length: 400 }, (_, i) =>
      interactive(`r-${i}`, { dueUs: i * 1000, ...(i % 80 < 9 ? slow : {}) }),
    )
    const shuffled = inOrder.toSorted((a, b) => ((a.dueUs * 7919) % 400_009) - ((b.dueUs * 7919) % 400_009))
    const report = await judge(manifest, inOrder)
    expect(await judge(manifest, shuffled)).toEqual(report)
    expect(report.classes.interactive?.attainment_block_bootstrap95).not.toEqual([1, 1])
  })

  it('counts statuses, codes and tokens, and does not take what is unknown for zero', async () => {
    const report = await judge(manifest, records)
    expect(report.status_counts).toEqual({ ok: 3, error: 1, timeout: 1, rejected: 1, cancelled: 0 })
    expect(Object.entries(report.error_codes)).toEqual([
      ['__proto__', 1],
      ['connect', 1],
      ['http_status', 1],
    ])
    expect(report).toMatchObject({ input_tokens: 2000, cached_tokens: 100, output_tokens: 384 })
    expect(await judge(manifest, [interactive('a')])).toMatchObject({ input_tokens: null, cached_tokens: null })
  })

  it('describes send lag and the mean time to a terminal status over what was sent', async () => {
    const report = await judge(manifest, records)
    expect(report.send_lag_ms).toEqual({ n: 5, p50: 0.2, p90: 1, p95: 1, p99: null, max: 1 })
    const spans = [1_370_000 - 200, 1_370_000 - 400, 1_370_000 - 1000, 6_000_000, 1_870_000]
    expect(report.mean_terminal_seconds).toBeCloseTo(spans.reduce((sum, us) => sum + us, 0) / 5e6, 12)
  })

  it('says nothing of times that a bare file does not hold', async () => {
    const table = await readRequestsCsv(
      'request_id,class,ttft_ms,tpot_ms,e2e_ms,output_tokens,status\nr-1,interactive,100,10,1370,128,ok',
    )
    const report = analyzeManifest(table, manifest, { durationSeconds: 2, queueTrend: 'flat' })
    expect(report).toMatchObject({
      arrival_seconds: null,
      arrival_window_rates_rps: null,
      send_lag_ms: null,
      mean_terminal_seconds: null,
      input_tokens: null,
      rates_rps: { offered: 0.5, sent: null, accepted: null, completed: 0.5, good: 0.5 },
    })
    expect(report.classes.interactive?.ttft_from_due_ms).toEqual({ n: 0, p50: null, p90: null, p95: null, p99: null })
  })

  it('gives each class its distributions, and ITL where there is a histogram', async () => {
    const gaps = new ChunkHistograms()
    const tokensPerChunk = [...Array.from({ length: 98 }, () => 1), 0, 4, 6]
    gaps.add({ gapsUs: [...Array.from({ length: 99 }, () => 50), 90], tokensPerChunk })
    const report = await judge(manifest, records, { gaps: new Map([['interactive', gaps]]) })
    const one = report.classes.interactive
    expect(one?.ttft_ms).toEqual({ n: 3, p50: 99.8, p90: 600, p95: 600, p99: null })
    expect(one?.ttft_from_due_ms).toEqual({ n: 3, p50: 100, p90: 600, p95: 600, p99: null })
    expect(one?.e2e_from_due_ms).toMatchObject({ n: 3, p50: 1370, p95: 1870 })
    expect(one?.itl_ms).toEqual({ n: 100, p50: 0.05, p90: 0.05, p95: 0.05, p99: null })
    expect(one?.tokens_per_chunk).toEqual({ n: 100, unknown: 1, mean: 1.08, p50: 1, p95: 1, max: 6 })
    expect(one?.miss_share).toEqual({ ttft: 1 / 3, tpot: 0, e2e: 0 })
    expect(one?.good_rps).toBe(0.002)
    expect(report.classes.long_context).toMatchObject({ itl_ms: null, tokens_per_chunk: null })
  })

  it('reports P99 from 10,000 successes on', async () => {
    const at = async (good: number) =>
      (await judge(manifest, cohortOf(manifest, { interactive: { good } }))).classes.interactive
    expect(await at(9999)).toMatchObject({ p99_sample_adequate: false, p99_ttft_ms: null, p99_tpot_ms: null })
    expect(await at(10_000)).toMatchObject({ p99_sample_adequate: true, p99_ttft_ms: 100, p99_tpot_ms: 10 })
  })
})

describe('what the manifest declares', () => {
  const late = interactive('late', {
    dueUs: 0,
    sentUs: 450_000,
    firstTokenUs: 550_000,
    lastTokenUs: 1_820_000,
    endUs: 1_820_000,
  })

  it('judges TTFT from due where it says so, and still reports TTFT from send', async () => {
    expect((await judge(manifest, [late])).classes.interactive).toMatchObject({ passing_count: 1, p50_ttft_ms: 100 })
    const fromDue = await judge(workedExample({ latency_origin: 'due' }), [late])
    expect(fromDue.latency_origin).toBe('due')
    expect(fromDue.classes.interactive).toMatchObject({
      passing_count: 0,
      p50_ttft_ms: 100,
      ttft_from_due_ms: { p50: 550 },
      miss_share: { ttft: 1, tpot: 0, e2e: 0 },
    })
  })

  it('refuses to judge from due what holds no due times', async () => {
    const table = await readRequestsCsv('request_id,class,ttft_ms,tpot_ms,e2e_ms,output_tokens,status\n')
    const point = { durationSeconds: 1, queueTrend: 'flat' as const }
    const refused = () => analyzeManifest(table, workedExample({ latency_origin: 'due' }), point)
    expect(refused).toThrow(expect.objectContaining({ code: 'no_due_times', exitCode: 4 }))
  })

  it('leaves planned cancellations out of every denominator where it says so', async () => {
    const records = [
      ...cohortOf(manifest, { interactive: { good: 3, errors: 1 } }),
      interactive('x', { status: 'cancelled' }),
    ]
    expect(await judge(manifest, records)).toMatchObject({ attempted: 5, failed: 2, error_rate: 0.4 })
    const excluded = await judge(workedExample({ planned_cancellations: 'excluded' }), records)
    expect(excluded).toMatchObject({ attempted: 4, failed: 1, error_rate: 0.25, status_counts: { cancelled: 1 } })
    expect(excluded.classes.interactive).toMatchObject({ attempted_count: 4, attempted_attainment: 0.75 })
  })

  it.each([
    ['TTFT on it', 500_000, 0, 1],
    ['TTFT over it', 500_001, 0, 0],
    ['TPOT on it', 100_000, 40_000 * 127, 1],
    ['TPOT over it', 100_000, 40_000 * 127 + 1, 0],
  ])('passes what lies on a cutoff: %s', async (_, ttftUs, decodeUs, passing) => {
    const lastTokenUs = ttftUs + decodeUs
    const report = await judge(manifest, [interactive('a', { firstTokenUs: ttftUs, lastTokenUs, endUs: lastTokenUs })])
    expect(report.classes.interactive?.passing_count).toBe(passing)
  })

  it('holds an E2E cutoff where there is one', async () => {
    const workload = manifest.workload.map((each) => ({ ...each, request_e2e_cutoff_ms: 1370 }))
    const on = interactive('on')
    const over = interactive('over', { lastTokenUs: 1_370_001, endUs: 1_370_001 })
    const report = await judge({ ...manifest, workload }, [on, over])
    expect(report.classes.interactive).toMatchObject({
      request_e2e_cutoff_ms: 1370,
      passing_count: 1,
      miss_share: { ttft: 0, tpot: 0, e2e: 0.5 },
    })
  })

  it('does not know a TPOT of a single token', async () => {
    const workload = manifest.workload.map((each) => ({ ...each, output_tokens: 1 }))
    const single = { ...manifest, workload }
    const report = await judge(single, [success(single, 'interactive', 'a')])
    expect(report.classes.interactive).toMatchObject({ passing_count: 1, p50_tpot_ms: null, tpot_ms: { n: 0 } })
  })

  it.each([
    ['batch', 'csv_class', 'requests.csv, row 3, column class: "batch" is no class'],
    ['interactive', 'csv_length', 'requests.csv, row 3, column output_tokens: 127 in a success of interactive'],
  ])('refuses a row of %s that is not the workload’s', async (name, code, message) => {
    const records = [interactive('a'), { ...interactive('b'), class: name, outputTokens: name === 'batch' ? 128 : 127 }]
    await expect(judge(manifest, records)).rejects.toMatchObject({
      code,
      exitCode: 4,
      message: expect.stringContaining(message),
    })
  })

  it.each([0, -1, 5e-324, 0.9e-6, Number.NaN, Number.POSITIVE_INFINITY])(
    'refuses a duration of %d',
    async (durationSeconds) => {
      await expect(judge(manifest, [], { durationSeconds })).rejects.toMatchObject({ code: 'duration', exitCode: 4 })
    },
  )
})

describe('arguments given by hand', () => {
  it.each(['0', '-1', '5e-324', '1e-7', 'nan', 'inf', '', '3_0', '1e999'])('refuses %j seconds', (text) => {
    expect(() => parseDurationSeconds(text)).toThrow(expect.objectContaining({ exitCode: 64 }))
  })

  it.each(['unknown', '', 'FLAT', 'toString'])('refuses the trend %j', (text) => {
    expect(() => parseQueueTrend(text)).toThrow(expect.objectContaining({ exitCode: 64 }))
  })

  it('takes what is right', () => {
    expect(parseDurationSeconds('303.145')).toBe(303.145)
    expect([parseQueueTrend('flat'), parseQueueTrend('growing')]).toEqual(['flat', 'growing'])
  })
})

describe('slo-report.json', () => {
  it('has sorted keys, two spaces and one line feed, and reads back', async () => {
    const workload = manifest.workload.map((each, i) => ({ ...each, name: ['10', '9', '__proto__'][i] ?? '' }))
    const report = await judge({ ...manifest, workload }, [])
    const text = sloReportJson(report)
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(report)))
    const names = [...text.matchAll(/^ {4}"(.+)": \{$/gm)].map(([, name]) => name)
    expect(names.slice(0, 3)).toEqual(['10', '9', '__proto__'])
    const keys = [...text.matchAll(/^ {2}"(.+?)":/gm)].map(([, key]) => key)
    expect(keys).toEqual(keys.toSorted())
    expect(text.startsWith('{\n  "all_class_slos_pass": false,\n  "arrival_seconds": null,\n')).toBe(true)
    expect(text.endsWith('\n}\n')).toBe(true)
    expect(text).toContain('"error_codes": {},')
  })
})
