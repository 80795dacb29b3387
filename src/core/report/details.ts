import type { CapacityRecord, CapacityResult, PointReport } from '../capacity/record.ts'
import type { Interval } from '../slo/report.ts'
import type { Reason } from '../kernel/evidence.ts'
import type { StateVerdict } from '../gate/verdict.ts'
import { changeText, METRIC_TITLES, metricText } from './delta-text.ts'
import { markdownCode, markdownText } from './escape.ts'
import { folded } from './fold.ts'
import { milliRps, milliseconds, NONE, percent, plural, rps } from './numbers.ts'
import { rateOverview } from './rate-chart.ts'
import { reasonList } from './state-section.ts'
import type { Limits } from './shrink-table.ts'
import { columns, cut, table } from './table.ts'

/** Points of one cache state: this run's, or `whose`. */
export interface StatePoints {
  result: CapacityResult
  /** The baseline's of the same state, to be drawn beside them. */
  base: CapacityResult | null
  attainmentMin: number | null
  whose?: string
}

/** Every point of a state, all repeats: none is hidden behind a better one. */
export function pointDetails({ whose = '', ...state }: StatePoints, limits: Limits): string[] {
  const { result } = state
  const { points } = result
  if (limits.points === 0 || points.length === 0) return []
  const { shown, rest } = cut(points, limits.points, 'points')
  const rows = shown.map((point) => [
    loadText(point),
    String(point.key.repeat),
    point.outcome + (point.stoppedEarly ? ' (stopped early)' : ''),
    rps(point.ratesRps.completed),
    rps(point.ratesRps.good),
    percent(point.slo.error_rate),
    point.slo.queue_trend,
    markdownCode(point.deployId, 40),
  ])
  const heads = columns(
    'offered RPS:',
    'repeat:',
    'outcome',
    'completed RPS:',
    'good RPS:',
    'errors %:',
    'queue',
    'boot',
  )
  const spread = result.attainmentSpread
  const between =
    spread === null ? '' : `Worst class at the pass rate: ${percent(spread[0])} to ${percent(spread[1])} %.`
  const boots =
    result.bootSpread === null ? '' : `Capacity from boot to boot: standard deviation ${percent(result.bootSpread)} %.`
  const blocks = [
    ...rateOverview({ ...state, latencies: limits.latencies }),
    table(heads, rows),
    rest,
    between,
    boots,
    ...attainments(points, limits.attainments),
    ...gapTable(points, limits.gaps),
  ]
  const title = whose === '' ? cacheTitle(result.cache) : `${whose}${result.cache}`
  return [folded(`${title}: ${plural(points.length, 'point')} by rate`, blocks)]
}

function attainments(points: readonly PointReport[], max: number): string[] {
  if (max === 0) return []
  const { shown, rest } = cut(classesOf(points), max, 'rows')
  const rows = shown.map(({ point, name, report }) => [
    loadText(point),
    String(point.key.repeat),
    markdownCode(name, 60),
    String(report.successful_count),
    percent(report.attainment),
    intervalText(report.attainment_block_bootstrap95 ?? report.attainment_wilson95),
    milliseconds(report.p95_ttft_ms),
    milliseconds(report.p95_tpot_ms),
  ])
  const heads = columns(
    'offered RPS:',
    'repeat:',
    'class',
    'n:',
    'attained %:',
    '95 % interval:',
    'P95 TTFT ms:',
    'P95 TPOT ms:',
  )
  return rows.length === 0 ? [] : [table(heads, rows), rest]
}

/** How tokens followed each other, where it was recorded: a gap is between two chunks, which may hold several. */
function gapTable(points: readonly PointReport[], max: number): string[] {
  const all = classesOf(points).flatMap(({ point, name, report }) => {
    const { itl_ms: gaps, tokens_per_chunk: tokens } = report
    return gaps === null ? [] : [{ point, name, gaps, tokens: tokens?.mean ?? null }]
  })
  if (max === 0 || all.length === 0) return []
  const { shown, rest } = cut(all, max, 'rows')
  const rows = shown.map(({ point, name, gaps, tokens }) => [
    loadText(point),
    String(point.key.repeat),
    markdownCode(name, 60),
    String(gaps.n),
    milliseconds(gaps.p50),
    milliseconds(gaps.p90),
    milliseconds(gaps.p99),
    tokens === null ? NONE : tokens.toFixed(2),
  ])
  const heads = columns(
    'offered RPS:',
    'repeat:',
    'class',
    'gaps between tokens:',
    'P50 gap ms:',
    'P90 gap ms:',
    'P99 gap ms:',
    'tokens a chunk:',
  )
  return [table(heads, rows), rest]
}

function classesOf(points: readonly PointReport[]) {
  return points.flatMap((point) => Object.entries(point.slo.classes).map(([name, report]) => ({ point, name, report })))
}

/** The state's deltas, at the two rates it names. */
export function deltaDetails(state: StateVerdict, max: number): string[] {
  const { deltas, deltaRates } = state
  if (max === 0 || deltas.length === 0 || deltaRates === null) return []
  const { shown, rest } = cut(deltas, max, 'rows')
  const rows = shown.map((delta) => [
    delta.class === null ? 'all' : markdownCode(delta.class, 60),
    markdownText(METRIC_TITLES.get(delta.metric) ?? delta.metric, 40),
    metricText(delta.metric, delta.base),
    metricText(delta.metric, delta.now),
    changeText(delta),
  ])
  const rates = `baseline at ${milliRps(deltaRates.baseMilliRps)} RPS, now at ${milliRps(deltaRates.nowMilliRps)} RPS`
  const blocks = [table(columns('class', 'metric', 'baseline:', 'now:', 'Δ:'), rows), rest]
  return [folded(`${cacheTitle(state.cache)}: deltas, ${rates}`, blocks)]
}

export function noteDetails(notes: readonly Reason[], max: number): string[] {
  const unique = notes.filter((note, index) => notes.findIndex((other) => other.text === note.text) === index)
  return max === 0 || unique.length === 0 ? [] : [folded(plural(unique.length, 'note'), [reasonList(unique, max)])]
}

/** Boots, and what ran on what. */
export function runDetails(record: CapacityRecord, baseline: CapacityRecord | null, limits: Limits): string[] {
  const blocks: string[] = []
  if (limits.boots > 0 && record.boots.length > 0) blocks.push(...bootTable(record, limits.boots))
  if (limits.facts > 0) blocks.push(...subjectTable(record, baseline), ...hardwareTable(record, baseline, limits.facts))
  return blocks.length === 0 ? [] : [folded('Boots, identity and hardware', blocks)]
}

function bootTable(record: CapacityRecord, max: number): string[] {
  const { shown, rest } = cut(record.boots, max, 'boots')
  const rows = shown.map((boot) => [
    markdownCode(boot.deployId, 40),
    boot.seconds.toFixed(1),
    milliseconds(boot.firstRequestMs),
    boot.compileCache,
    boot.kvTokens === null ? 'unknown' : String(boot.kvTokens),
  ])
  return [table(columns('boot', 'ready s:', 'first request ms:', 'compile cache', 'KV tokens:'), rows), rest]
}

function subjectTable(record: CapacityRecord, baseline: CapacityRecord | null): string[] {
  const { subject } = record
  const facts: [string, string, string | undefined][] = [
    [
      'engine',
      `${subject.name} ${subject.version}`,
      baseline && `${baseline.subject.name} ${baseline.subject.version}`,
    ],
    ['image', subject.image ?? NONE, baseline && (baseline.subject.image ?? NONE)],
    ['arguments', subject.argv.join(' '), baseline?.subject.argv.join(' ')],
    ['subject', subject.sha256.slice(0, 12), baseline?.subject.sha256.slice(0, 12)],
    ['experiment', record.experiment.sha256.slice(0, 12), baseline?.experiment.sha256.slice(0, 12)],
    ['commit', record.commit ?? NONE, baseline && (baseline.commit ?? NONE)],
    ['measured', record.createdAt, baseline?.createdAt],
  ].map(([name, now, was]) => [name ?? '', now ?? NONE, was ?? undefined])
  return [
    table(
      columns('', 'baseline', 'now'),
      facts.map(([name, now, was]) => [name, ...wasAndIs(was, now)]),
    ),
  ]
}

function hardwareTable(record: CapacityRecord, baseline: CapacityRecord | null, max: number): string[] {
  const now = factsOf(record)
  const was = baseline === null ? new Map<string, string>() : factsOf(baseline)
  const keys = [...new Set([...was.keys(), ...now.keys()])].toSorted()
  const { shown, rest } = cut(keys, max, 'facts')
  const rows = shown.map((key) => [markdownCode(key, 60), ...wasAndIs(was.get(key), now.get(key))])
  return rows.length === 0 ? [] : [table(columns('hardware', 'baseline', 'now'), rows), rest]
}

function factsOf({ hardware }: CapacityRecord): Map<string, string> {
  return new Map([...Object.entries(hardware.recorded), ...Object.entries(hardware.mustEqual)])
}

function wasAndIs(was: string | undefined, is: string | undefined): [string, string] {
  return [orNone(was), was !== undefined && was === is ? 'same' : orNone(is)]
}

function orNone(value: string | undefined): string {
  return value === undefined || value === '' ? NONE : markdownCode(value, 120)
}

function loadText({ key }: PointReport): string {
  return 'openMilliRps' in key.load ? milliRps(key.load.openMilliRps) : `${key.load.closedConcurrency} in flight`
}

function cacheTitle(cache: string): string {
  return cache === 'cold' ? 'Cold' : 'Warm'
}

function intervalText(interval: Interval | null): string {
  return interval === null ? NONE : `${percent(interval[0])}–${percent(interval[1])}`
}
