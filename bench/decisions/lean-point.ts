import type { ReplayControl, ReplayOrder, RequestShape } from '../../src/app/ports/replay.ts'
import { longestRequest } from '../../src/app/point/longest-request.ts'
import { asProbe, smallestRequest } from '../../src/app/point/single-request.ts'
import type { StepPoint } from '../../src/core/capacity/by-rate.ts'
import { explorationAcceptance, explorationSeconds } from '../../src/core/capacity/exploration.ts'
import { pointOutcome } from '../../src/core/capacity/outcome.ts'
import { createProgress } from '../../src/core/capacity/progress.ts'
import type { Dialect } from '../../src/core/dialect/dialect.ts'
import type { PointKey } from '../../src/core/kernel/point.ts'
import { pointEpoch } from '../../src/core/kernel/point.ts'
import type { Manifest } from '../../src/core/manifest/schema.ts'
import type { RequestRecord } from '../../src/core/record/record.ts'
import { scheduleBlocks } from '../../src/core/schedule/blocks.ts'
import { prewarmRequests } from '../../src/core/schedule/prewarm.ts'
import type { Schedule, ScheduleRow } from '../../src/core/schedule/schedule.ts'
import { warmupRows } from '../../src/core/schedule/warmup.ts'
import type { SloReport } from '../../src/core/slo/report.ts'
import type { Gauge } from '../../src/core/telemetry/queue-trend.ts'
import { queueTrend } from '../../src/core/telemetry/queue-trend.ts'
import { prefixTokensOf } from '../../test/virtual/ended-request.ts'
import { PointRun } from '../../test/virtual/point-run.ts'
import type { Ticker, VirtualEngine } from '../../test/virtual/virtual-engine.ts'
import { sendOne } from '../../test/virtual/virtual-send.ts'

/** As the point protocol waits before its first warm-up arrival. */
const LEAD_US = 250_000
const SECOND_US = 1_000_000

export interface LeanExperiment {
  manifest: Manifest
  dialect: Dialect
  schedule: Schedule
}

/** A judged point, and when it ended on the virtual clock. */
export interface LeanPoint {
  point: StepPoint
  attainment: Record<string, number | null>
  endUs: number
}

/** The engine that a point is measured on, and when. */
export interface LeanPlace {
  engine: VirtualEngine
  deployId: string
  startUs: number
}

/**
 * The point protocol without its files: the same requests on the same engine at the same times, counted and judged by the same rules.
 * What the full path reads back from requests.csv and telemetry is handed over here; a test holds both to the same outcomes.
 */
export function measureLean(experiment: LeanExperiment, key: PointKey, place: LeanPlace): LeanPoint {
  const { manifest, dialect, schedule } = experiment
  const { engine, deployId, startUs } = place
  const shape: RequestShape = { manifest, dialect, header: schedule.header, epoch: pointEpoch(key) }
  const single = singleSender(shape, engine)
  const longest = longestRequest(schedule, undefined)
  const smokeEndUs = single.each((index) => asProbe(longest, 's', index).row, startUs)
  const readyUs = prepare(experiment, shape, engine, single, smokeEndUs)
  const order = orderOf(experiment, shape, key, { engine, readyUs })
  const seen = new LeanControl(manifest, order.blocks, 'closedConcurrency' in key.load)
  const gauges = new WaitingGauges(engine, readyUs, order.originUs)
  let nowUs = readyUs
  const onTime = (atUs: number) => void (nowUs = Math.max(nowUs, atUs))
  const run = new PointRun({ engine, order, control: seen, onTime, mishaps: {}, sendLagUs: 0 })
  const { arrivalUs, cohortUs, stoppedEarly } = run.run(() => undefined)
  const endUs = single.each((index) => smallestRequest(manifest, 'q', index).row, nowUs)
  const { inFlight, backlog } = seen
  const slo = seen.report(queueTrend({ arrivalUs, inFlight, backlog, waiting: gauges.end(endUs) }).trend)
  const hopeless = seen.hopeless()
  const { outcome } = pointOutcome({ slo, evidence: [], acceptance: manifest.acceptance, stoppedEarly, hopeless })
  const ratesRps = seen.ratesRps(cohortUs / SECOND_US)
  const point = { key, outcome, deployId, stoppedEarly: stoppedEarly !== null, evidence: [], slo, ratesRps }
  return { point, attainment: seen.attainment(), endUs }
}

function orderOf(
  { manifest, schedule }: LeanExperiment,
  shape: RequestShape,
  { load }: PointKey,
  { engine, readyUs }: { engine: VirtualEngine; readyUs: number },
): ReplayOrder {
  const { warmup_seconds: warmupSeconds, maximum_duration_seconds: maximumSeconds } = manifest.client
  const warmupUs = Math.round(warmupSeconds * SECOND_US)
  const isOpen = 'openMilliRps' in load
  const milliRps = isOpen ? load.openMilliRps : load.closedConcurrency * 1000
  return {
    shape,
    targets: engine.replicas.map((_, index) => ({ index, url: '' })),
    load,
    originUs: readyUs + LEAD_US + warmupUs,
    warmup: warmupRows(schedule, milliRps, warmupSeconds),
    warmupUs,
    blocks: scheduleBlocks(schedule),
    maximumDurationUs: Math.round(SECOND_US * (isOpen ? maximumSeconds : explorationSeconds(manifest))),
  }
}

interface SingleSender {
  send(replica: number, row: ScheduleRow, startUs: number): RequestRecord
  /** One probe to each replica at once; when the last has ended. */
  each(rowOf: (replica: number) => ScheduleRow, startUs: number): number
}

function singleSender(shape: RequestShape, engine: VirtualEngine): SingleSender {
  const prefixTokens = prefixTokensOf(shape.header)
  const wholeUs = Math.round(shape.manifest.client.request_timeout_seconds * SECOND_US)
  const send = (index: number, row: ScheduleRow, startUs: number): RequestRecord => {
    const replica = engine.replicas[index]
    if (!replica) throw new Error(`no replica ${index}`)
    return sendOne(replica, { row, replica: index, startUs, wholeUs, prefixTokens })
  }
  return {
    send,
    each: (rowOf, startUs) =>
      Math.max(...engine.replicas.map((_, index) => startUs + send(index, rowOf(index), startUs).endUs)),
  }
}

/** Resets the caches and, for a warm point, sends every prefix to every replica. Returns when that is done. */
function prepare(
  { schedule }: LeanExperiment,
  shape: RequestShape,
  engine: VirtualEngine,
  single: SingleSender,
  startUs: number,
): number {
  for (const { model } of engine.replicas) model.resetPrefixCache()
  if (shape.header.cache === 'cold') return startUs
  const requests = prewarmRequests(schedule)
  const ends = engine.replicas.map((_, index) => {
    let atUs = startUs
    for (const request of requests) {
      atUs += single.send(index, { ...request, class: 'prewarm', offsetUs: 0 }, atUs).endUs
    }
    return atUs
  })
  return Math.max(...ends)
}

/** The engine's waiting gauges once a second, as they are scraped. */
class WaitingGauges {
  readonly #engine: VirtualEngine
  readonly #originUs: number
  readonly #waiting: Gauge[][]
  readonly #ticker: Ticker

  constructor(engine: VirtualEngine, startUs: number, originUs: number) {
    this.#engine = engine
    this.#originUs = originUs
    this.#waiting = engine.replicas.map(() => [])
    this.#ticker = { nextUs: startUs + SECOND_US, everyUs: SECOND_US, fire: (atUs) => this.#read(atUs) }
    engine.addTicker(this.#ticker)
    this.#read(startUs)
  }

  end(atUs: number): Gauge[][] {
    this.#engine.removeTicker(this.#ticker)
    this.#read(atUs)
    return this.#waiting
  }

  #read(clockUs: number): void {
    for (const [index, { model }] of this.#engine.replicas.entries()) {
      this.#waiting[index]?.push({ atUs: clockUs - this.#originUs, value: model.waiting })
    }
  }
}

/** Counts a cohort as the app does, and keeps what the queue's trend is read from. */
class LeanControl implements ReplayControl {
  readonly inFlight: Gauge[] = []
  readonly backlog: Gauge[] = []
  readonly #manifest: Manifest
  readonly #counts: ReturnType<typeof createProgress>
  readonly #ended = new Map<string, { ok: number; failed: number }>()

  constructor(manifest: Manifest, blocks: readonly (readonly ScheduleRow[])[], isExploration: boolean) {
    const { workload, acceptance } = manifest
    this.#manifest = manifest
    this.#counts = createProgress(
      { workload, acceptance: isExploration ? explorationAcceptance(acceptance) : acceptance },
      blocks,
    )
    for (const { name } of manifest.workload) this.#ended.set(name, { ok: 0, failed: 0 })
  }

  onRecord(record: RequestRecord): void {
    this.#counts.add(record)
    const ended = this.#ended.get(record.class)
    if (ended && record.status === 'ok') ended.ok += 1
    else if (ended) ended.failed += 1
  }

  onSample({ atUs, inFlight, backlog }: { atUs: number; inFlight: number; backlog: number }): void {
    this.inFlight.push({ atUs, value: inFlight })
    this.backlog.push({ atUs, value: backlog })
  }

  extend = (): boolean => this.#counts.extensionNeeded()
  stop = (): string | null => this.#counts.hopeless()
  hopeless = (): string | null => this.#counts.hopeless()
  attainment = (): Record<string, number | null> => this.#counts.attainment()

  ratesRps(seconds: number): StepPoint['ratesRps'] {
    const attainment = this.attainment()
    const counts = [...this.#ended].map(([name, { ok }]) => ({ ok, good: ok * (attainment[name] ?? 0) }))
    const perSecond = (key: 'ok' | 'good'): number => counts.reduce((sum, entry) => sum + entry[key], 0) / seconds
    return { completed: perSecond('ok'), good: perSecond('good') }
  }

  /** The parts of the report that the outcome is decided by. */
  report(trend: SloReport['queue_trend']): SloReport {
    const { acceptance } = this.#manifest
    const shares = this.#counts.attainment()
    const classes = [...this.#ended].map(([name, { ok, failed }]) => {
      const attainment = shares[name] ?? null
      const adequate = ok >= acceptance.min_successful_samples_per_class
      const attempted = ok + failed
      const part = {
        attainment,
        sample_adequate: adequate,
        class_slo_pass: adequate && attainment !== null && attainment >= acceptance.class_slo_attainment_min,
        successful_count: ok,
        failed_count: failed,
        attempted_count: attempted,
        error_rate: attempted === 0 ? null : failed / attempted,
        attempted_attainment: attempted === 0 || attainment === null ? null : (attainment * ok) / attempted,
      }
      return [name, part] as const
    })
    const sum = (part: 'ok' | 'failed') => [...this.#ended.values()].reduce((total, ended) => total + ended[part], 0)
    const [successful, failed] = [sum('ok'), sum('failed')]
    const rate = successful + failed === 0 ? null : failed / (successful + failed)
    const passes = classes.every(([, { class_slo_pass }]) => class_slo_pass)
    const report = {
      attempted: successful + failed,
      successful,
      failed,
      error_rate: rate,
      queue_trend: trend,
      capacity_gate_pass: passes && rate !== null && rate <= acceptance.error_rate_max && trend === 'flat',
      classes: Object.fromEntries(classes),
    }
    return report as unknown as SloReport
  }
}
