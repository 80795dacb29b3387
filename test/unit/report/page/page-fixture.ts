import type { CapacityRecord, PointReport } from '../../../../src/core/capacity/record.ts'
import { pointName } from '../../../../src/core/kernel/point.ts'
import type { ReportInput } from '../../../../src/core/report/context.ts'
import type { PageInput, PointPicture } from '../../../../src/core/report/page/facts.ts'
import { picturesWanted, renderReportPage } from '../../../../src/core/report/page/page.ts'
import type { Calibration } from '../../../../src/core/telemetry/calibration.ts'
import { point, record, result, sweep } from '../../gate/record-fixture.ts'
import { CASES, HOSTILE, input } from '../report-fixture.ts'

/** Numbers that look measured, the same in every run. */
function numbers(seed: number): () => number {
  let state = seed
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
}

const LANES: readonly [title: string, unit: string, of: 'highest' | 'lowest' | 'mean'][] = [
  ['in flight at the client', 'requests', 'highest'],
  ['waiting at the engine', 'requests', 'highest'],
  ['KV cache in use, fullest replica', '%', 'highest'],
  ['prompt tokens from the prefix cache', '%', 'mean'],
  ['preemptions between two scrapes', 'events', 'highest'],
  ['SM clock, slowest GPU', 'MHz', 'lowest'],
  ['send lag', 'ms', 'highest'],
]

function picture(classes: readonly string[], stretches: number, next: () => number): PointPicture {
  const rising = (scale: number) => Array.from({ length: 41 }, (_, step) => (step + next()) * scale)
  return {
    fromUs: -30_000_000,
    arrivalUs: 600_000_000,
    cohortUs: 640_000_000,
    lanes: LANES.map(([title, unit, of]) => ({
      title,
      unit,
      of,
      values: Array.from({ length: stretches }, (_, at) => (at === 5 ? null : next() * 100)),
    })),
    quantiles: classes.map((name) => ({ class: name, ttftMs: rising(40), tpotMs: rising(1.2) })),
  }
}

function calibration(classes: readonly string[]): Calibration {
  const spread = { p50Us: 21, p99Us: 312, n: 20_000 }
  return {
    schema: 1,
    made: true,
    client: { machine: 'm', cpuModel: 'c', cores: 8, kernel: '6.1', node: '24', clientSha256: 'a'.repeat(64) },
    need: {
      dialect: 'vllm',
      endpoint: 'completions',
      prompt: 'token_ids',
      tokenRange: [0, 1000],
      milliRps: 30_000,
      classes: classes.map((name) => ({ name, weight: 1, inputTokens: 512, outputTokens: 128 })),
    },
    measuredAt: '2026-11-29T10:00:00.000Z',
    seconds: 20,
    attempt: 1,
    paced: { requestsPerSecond: 30, eventsPerSecond: 3840, cpuUsPerEvent: 12 },
    errors: { ttft: spread, e2e: spread, decode: spread, sendLag: spread },
    heavy: { eventsPerSecond: 60_000, cpuUsPerEvent: 9, readDelayP50Us: 40 },
  }
}

/** A report's input with pictures of all its points. */
export function pageInput(report: ReportInput): PageInput {
  const next = numbers(7)
  const { names, stretches } = picturesWanted(report)
  const points = report.record.capacity.flatMap((each) => each.points)
  const classes = Object.keys(points[0]?.slo.classes ?? {})
  const ofPoint = (name: string) => {
    const found = points.find(({ key }) => pointName(key) === name)
    return picture(Object.keys(found?.slo.classes ?? {}), stretches, next)
  }
  return {
    ...report,
    pictures: new Map(names.map((name) => [name, ofPoint(name)])),
    calibration: calibration(classes),
  }
}

/** capacity.json as the pack keeps it. */
export const capacityJson = ({ record: own }: Pick<PageInput, 'record'>): string => `${JSON.stringify(own, null, 2)}\n`

export const pageOf = (each: PageInput): string => renderReportPage(each)

/** A case that people meet. */
export function commonPage(name = 'regressed-warm'): PageInput {
  const make = CASES[name]
  if (make === undefined) throw new Error(`no case ${name}`)
  return pageInput(make())
}

/** Every class of a point measured apart: its own attainment, latencies and intervals. */
function measured(made: CapacityRecord, names: readonly string[], seed: number): CapacityRecord {
  const next = numbers(seed)
  const own = made.capacity[0]?.points[0]?.slo.classes['interactive']
  if (own === undefined) throw new Error('no such class')
  const ms = (scale: number, decimals: number) => Number((next() * scale).toFixed(decimals))
  const reportOf = () => {
    const passing = 900 + Math.floor(next() * 100)
    const share = passing / 1000
    const [ttft, tpot] = [ms(400, 3), ms(40, 6)]
    return {
      ...own,
      successful_count: 1000,
      passing_count: passing,
      attainment: share,
      attempted_attainment: passing / 1003,
      p50_ttft_ms: ttft / 2,
      p95_ttft_ms: ttft,
      p50_tpot_ms: tpot / 2,
      p95_tpot_ms: tpot,
      p95_e2e_ms: ms(9000, 3),
      good_rps: passing / 613.52914,
      attainment_wilson95: [share - next() / 50, Math.min(1, share + next() / 100)] as [number, number],
      attainment_block_bootstrap95: [share - next() / 50, Math.min(1, share + next() / 100)] as [number, number],
      miss_share: { ttft: next() / 20, tpot: next() / 20, e2e: 0 },
      ttft_ms: { n: 1000, p50: ttft / 2, p90: ms(300, 3), p95: ttft, p99: null },
      tpot_ms: { n: 1000, p50: tpot / 2, p90: ms(30, 6), p95: tpot, p99: null },
    }
  }
  const grow = (each: PointReport): PointReport => ({
    ...each,
    slo: { ...each.slo, classes: Object.fromEntries(names.map((name) => [name, reportOf()])) },
  })
  return { ...made, capacity: made.capacity.map((each) => ({ ...each, points: each.points.map(grow) })) }
}

/** Forty classes at two hundred points, two states of a hundred, beside a baseline of the same size. */
export function largestPage(names = Array.from({ length: 40 }, (_, index) => `class_${index}`)): PageInput {
  const points = (cache: 'cold' | 'warm', from: number) =>
    Array.from({ length: 100 }, (_, index) =>
      point({ cache, milliRps: from + index * 40, outcome: index < 90 ? 'pass' : 'fail' }),
    )
  const made = (from: number) => record([result('sweep', points('cold', from)), result('sweep', points('warm', from))])
  const report = input(made(20_000))
  return pageInput({
    ...report,
    record: measured(report.record, names, 11),
    baseline: measured(made(20_400), names, 13),
  })
}

/** Names of a hostile engine, manifest and machine wherever one can stand. */
export function hostilePage(): PageInput {
  const small = input(record([sweep('cold', [20_000, 24_000], [24_500]), sweep('warm', [30_000], [30_600])]))
  const names = HOSTILE.map((name, index) => `${name}${index}`)
  const widen = (made: CapacityRecord): CapacityRecord => {
    const own = measured(made, names, 17)
    const facts = Object.fromEntries(names.map((name) => [name, name]))
    const reasons = names.map((name) => ({ code: name, text: name }))
    const probes = names.map((name) => ({
      probe: name,
      state: 'fail' as const,
      required: true,
      blames: 'client' as const,
      text: name,
      unit: name,
      value: 1,
      file: name,
      sha256: name,
    }))
    return {
      ...own,
      createdAt: names[0] ?? '',
      commit: names[1] ?? '',
      subject: {
        ...own.subject,
        name: names[4] ?? '',
        version: names[5] ?? '',
        image: names[6] ?? '',
        argv: names,
        env: facts,
      },
      hardware: { mustEqual: facts, recorded: facts },
      evidence: probes,
      boots: [{ deployId: names[5] ?? '', seconds: 1, firstRequestMs: 1, compileCache: 'hit', kvTokens: 1 }],
      capacity: own.capacity.map((each) => ({
        ...each,
        reasons,
        points: each.points.map((one) => ({
          ...one,
          deployId: names[5] ?? '',
          reasons,
          evidence: probes,
          limiting: { class: names[4] ?? '', metric: 'ttft' as const },
          slo: { ...one.slo, error_codes: Object.fromEntries(names.map((name) => [name, 1])) },
        })),
      })),
    }
  }
  const states = small.verdict.states.map((state) => ({
    ...state,
    outcome: 'regressed' as const,
    limiting: { class: names[4] ?? '', metric: names[5] as 'ttft' },
    reasons: names.map((name) => ({ code: name, text: name })),
    notes: names.map((name) => ({ code: name, text: name })),
    deltaRates: { baseMilliRps: 24_000, nowMilliRps: 24_000 },
    deltas: names.map((name) => ({ class: name, metric: name, base: 1, now: 2, regression: true })),
  }))
  const report = {
    ...small,
    record: widen(small.record),
    baseline: small.baseline && widen(small.baseline),
    verdict: {
      ...small.verdict,
      outcome: 'regressed' as const,
      states,
      reasons: names.map((name) => ({ code: name, text: name })),
    },
    context: { ...small.context, runUrl: names[4] ?? '', toolVersion: names[5] ?? '', packPath: names[4] ?? '' },
  }
  const page = pageInput(report)
  const [first] = page.pictures.keys()
  return { ...page, pictures: new Map([...page.pictures, [first ?? '', { why: names.join(' ') }]]) }
}
