import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { judgePoint } from '../../../src/core/capacity/point.ts'
import type { PointReport } from '../../../src/core/capacity/record.ts'
import { VLLM } from '../../../src/core/dialect/vllm-table.ts'
import type { Evidence } from '../../../src/core/kernel/evidence.ts'
import { dueUs, pointEpoch } from '../../../src/core/kernel/point.ts'
import type { Cache, PointKey } from '../../../src/core/kernel/point.ts'
import { manifestSchema } from '../../../src/core/manifest/schema.ts'
import type { Manifest } from '../../../src/core/manifest/schema.ts'
import { encodeRequestsCsv } from '../../../src/core/record/csv.ts'
import { readRequestsCsv } from '../../../src/core/record/read.ts'
import type { RequestRecord } from '../../../src/core/record/record.ts'
import { buildSchedule } from '../../../src/core/schedule/build-schedule.ts'
import type { Schedule } from '../../../src/core/schedule/schedule.ts'
import { encodeTelemetry, parseTelemetry } from '../../../src/core/telemetry/file.ts'
import type { PointFacts, TelemetryLine } from '../../../src/core/telemetry/line.ts'
import { UNDISTURBED } from '../../fakes/client-watch.ts'

/** The files of one point as a client and an engine of known behaviour would have left them. */

interface Changes {
  client?: Record<string, unknown>
  acceptance?: Record<string, unknown>
  sweep?: Record<string, unknown>
}

export function manifestOf(pack: 'embedded' | 'worked-example', changes: Changes = {}): Manifest {
  const folder = new URL(`../../../fixtures/packs/${pack}/workload-manifest.yaml`, import.meta.url)
  const raw = parse(readFileSync(folder, 'utf8')) as Record<string, Record<string, unknown>>
  return manifestSchema.parse({
    ...raw,
    client: { ...raw['client'], ...changes.client },
    acceptance: { ...raw['acceptance'], ...changes.acceptance },
    ...(raw['sweep'] || changes.sweep ? { sweep: { ...raw['sweep'], ...changes.sweep } } : {}),
  })
}

export interface Behaviour {
  manifest: Manifest
  cache?: Cache
  milliRps?: number
  repeat?: number
  /** How many of each class miss their TTFT cutoff, and how many fail, spread evenly. */
  missed?: Record<string, number>
  failed?: Record<string, number>
  /** Rows of the cohort; the initial ones where not said. */
  cohortRequests?: number
  /** Requests in flight at a second. */
  inFlight?: (second: number) => number
  /** Engine's waiting gauge at a second, over both replicas. */
  waiting?: (second: number) => number
  /** Share of the prompt tokens that come from the cache. */
  cachedShare?: number
  facts?: Partial<PointFacts>
}

export interface SyntheticPoint {
  manifest: Manifest
  schedule: Schedule
  records: RequestRecord[]
  lines: TelemetryLine[]
}

const schedules = new Map<string, Schedule>()

function scheduleOf(manifest: Manifest, cache: Cache): Schedule {
  const key = JSON.stringify([cache, manifest.client, manifest.workload, manifest.cache])
  const known = schedules.get(key) ?? buildSchedule(manifest, cache).schedule
  schedules.set(key, known)
  return known
}

export function syntheticPoint(behaviour: Behaviour): SyntheticPoint {
  const { manifest, cache = 'cold', milliRps = 20_000 } = behaviour
  const schedule = scheduleOf(manifest, cache)
  const key: PointKey = { cache, load: { openMilliRps: milliRps }, repeat: behaviour.repeat ?? 1 }
  const cohortRequests = behaviour.cohortRequests ?? schedule.header.initialRequests
  const records = recordsOf(behaviour, schedule, milliRps, cohortRequests)
  const arrivalUs = records.reduce((latest, record) => Math.max(latest, record.dueUs), 0)
  const cohortUs = records.reduce((latest, record) => Math.max(latest, record.endUs), 0)
  const facts: PointFacts = {
    schema: 1,
    key,
    epoch: pointEpoch(key),
    scheduleSha256: schedule.sha256,
    deployId: 'boot-1',
    dialect: VLLM.id,
    replicas: manifest.engine.placement.replicas,
    cohortRequests,
    arrivalUs,
    cohortUs,
    maximumReached: false,
    stoppedEarly: null,
    warmupRequests: 0,
    ...behaviour.facts,
  }
  return { manifest, schedule, records, lines: [{ t: 'point', facts }, ...telemetryOf(behaviour, facts, records)] }
}

function recordsOf(behaviour: Behaviour, schedule: Schedule, milliRps: number, cohort: number): RequestRecord[] {
  const { manifest } = behaviour
  const seen = new Map<string, number>()
  const rows = schedule.rows.slice(0, cohort)
  const totals = Map.groupBy(rows, (row) => row.class)
  return rows.map((row, index) => {
    const nth = seen.get(row.class) ?? 0
    seen.set(row.class, nth + 1)
    const total = totals.get(row.class)?.length ?? 1
    const fails = isNth(nth, total, behaviour.failed?.[row.class] ?? 0)
    const misses = !fails && isNth(nth + 1, total, behaviour.missed?.[row.class] ?? 0)
    const cutoffs = manifest.workload.find(({ name }) => name === row.class)
    const ttftUs = Math.round((cutoffs?.request_ttft_cutoff_ms ?? 0) * 1000 * (misses ? 1.5 : 0.5))
    const decodeUs = Math.round((cutoffs?.request_tpot_cutoff_ms ?? 0) * 1000 * 0.5 * (row.outputTokens - 1))
    const due = dueUs(row.offsetUs, milliRps)
    const sentUs = due + 200
    const lastTokenUs = sentUs + ttftUs + decodeUs
    const cachedTokens = Math.round(row.inputTokens * (behaviour.cachedShare ?? 0))
    return {
      id: row.id,
      class: row.class,
      status: fails ? 'error' : 'ok',
      errorCode: fails ? 'connection_reset' : null,
      dueUs: due,
      handedUs: sentUs,
      sentUs,
      firstTokenUs: fails ? null : sentUs + ttftUs,
      firstContentUs: fails ? null : sentUs + ttftUs,
      lastTokenUs: fails ? null : lastTokenUs,
      endUs: lastTokenUs + 500,
      inputTokens: fails ? null : row.inputTokens,
      outputTokens: fails ? null : row.outputTokens,
      cachedTokens: fails ? null : cachedTokens,
      chunks: fails ? 0 : row.outputTokens,
      gapUs: null,
      httpStatus: fails ? null : 200,
      finishReason: fails ? null : 'length',
      replica: index % manifest.engine.placement.replicas,
      session: null,
      turn: null,
    }
  })
}

/** Whether the nth of `total` is one of `wanted` that are spread evenly. */
function isNth(nth: number, total: number, wanted: number): boolean {
  return Math.floor(((nth + 1) * wanted) / total) > Math.floor((nth * wanted) / total)
}

function telemetryOf(behaviour: Behaviour, facts: PointFacts, records: readonly RequestRecord[]): TelemetryLine[] {
  const lines: TelemetryLine[] = [probed('identity.version', 'pass', 'host')]
  const ok = records.filter(({ status }) => status === 'ok')
  const seconds = Math.ceil(facts.cohortUs / 1e6)
  const total = (tokens: (record: RequestRecord) => number | null) =>
    ok.reduce((sum, record) => sum + (tokens(record) ?? 0), 0)
  const totals = [total((r) => r.inputTokens), total((r) => r.cachedTokens), total((r) => r.outputTokens)]
  const before = countBefore(records, (record) => record.sentUs ?? 0)
  const ended = countBefore(records, (record) => record.endUs)
  for (let second = -2; second <= seconds; second += 1) {
    const inFlight = behaviour.inFlight?.(second) ?? before(second) - ended(second)
    const counts = { inFlight, backlog: 0, sent: before(second), resolved: ended(second) }
    lines.push({ t: 'client', atUs: second * 1e6, ...counts, ...UNDISTURBED })
    for (let replica = 0; replica < facts.replicas; replica += 1) {
      const part = (amount: number) => Math.floor((1000 + amount * Math.max(0, second / seconds)) / facts.replicas)
      const [input = 0, cached = 0, output = 0] = totals
      lines.push({
        t: 'engine',
        atUs: second * 1e6 + 1000 * replica,
        replica,
        values: {
          'vllm:num_requests_running{engine="0"}': inFlight / facts.replicas,
          'vllm:num_requests_waiting{engine="0"}': (behaviour.waiting?.(second) ?? 0) / facts.replicas,
          'vllm:kv_cache_usage_perc{engine="0"}': 0.4,
          'vllm:prompt_tokens_total{engine="0"}': part(input),
          'vllm:prompt_tokens_cached_total{engine="0"}': part(cached),
          'vllm:generation_tokens_total{engine="0"}': part(output),
          'vllm:num_preemptions_total{engine="0"}': 3,
        },
      })
    }
  }
  return lines
}

function countBefore(records: readonly RequestRecord[], time: (record: RequestRecord) => number) {
  const times = records.map(time).toSorted((a, b) => a - b)
  let count = 0
  // Asked for ascending seconds.
  return (second: number) => {
    while ((times[count] ?? Infinity) <= second * 1e6) count += 1
    return count
  }
}

/** Through the files' text and back, as a run does it. */
export async function judged(point: SyntheticPoint): Promise<PointReport> {
  return judgePoint({
    manifest: point.manifest,
    dialect: VLLM,
    schedule: point.schedule,
    table: await readRequestsCsv(encodeRequestsCsv(point.records)),
    gaps: new Map(),
    lines: parseTelemetry(encodeTelemetry(point.lines)),
  })
}

export function evidenceOf(report: PointReport, probe: string): Evidence | undefined {
  return report.evidence.find((item) => item.probe === probe)
}

export function codesOf(report: PointReport): string[] {
  return report.reasons.map(({ code }) => code)
}

/** An adapter's evidence, as a telemetry line. */
export function probed(probe: string, state: Evidence['state'], blames: Evidence['blames']): TelemetryLine {
  return { t: 'evidence', evidence: { probe, state, required: true, blames } }
}
