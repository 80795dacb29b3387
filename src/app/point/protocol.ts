import type { Dialect } from '../../core/dialect/dialect.ts'
import type { Evidence } from '../../core/kernel/evidence.ts'
import type { PointKey } from '../../core/kernel/point.ts'
import { pointEpoch } from '../../core/kernel/point.ts'
import type { Manifest } from '../../core/manifest/schema.ts'
import { scheduleBlocks } from '../../core/schedule/blocks.ts'
import type { Schedule } from '../../core/schedule/schedule.ts'
import { warmupRows } from '../../core/schedule/warmup.ts'
import { createProgress } from '../../core/capacity/progress.ts'
import type { PointReport } from '../../core/capacity/record.ts'
import type { PointFacts, TelemetryLine } from '../../core/telemetry/line.ts'
import type { Effects } from '../context.ts'
import type { Deployment } from '../ports/engine.ts'
import type { ReplayOutcome, RequestShape } from '../ports/replay.ts'
import { setCacheState } from './cache-state.ts'
import { Cohort } from './cohort.ts'
import { pointPaths } from './files.ts'
import { judgeWritten, writeMeasured } from './judge.ts'
import { quiesce } from './quiesce.ts'
import { smoke } from './smoke.ts'

/** Between the last preparation and the first warm-up arrival: time for the workers to be ready. */
const LEAD_US = 250_000
const SCRAPE_INTERVAL_MS = 1000

export interface PointOrder {
  manifest: Manifest
  dialect: Dialect
  schedule: Schedule
  key: PointKey
  deployment: Deployment
}

/**
 * The point protocol on a ready engine: smoke → cache state → warm-up → cohort with its extension blocks → drain → quiesce; then the
 * files are written, and the point is judged from the files alone. An abort leaves the journal and no requests.csv.
 */
export async function measurePoint(effects: Effects, order: PointOrder, signal: AbortSignal): Promise<PointReport> {
  const shape: RequestShape = {
    manifest: order.manifest,
    dialect: order.dialect,
    header: order.schedule.header,
    epoch: pointEpoch(order.key),
  }
  const before: Evidence[] = [...order.deployment.identity]
  const proof = await smoke(effects, order.deployment, shape, signal)
  before.push(...proof)
  if (proof.some((evidence) => evidence.state === 'fail')) return refusedPoint(effects, order, before)
  before.push(...(await setCacheState(effects, order.deployment, order.schedule, shape, signal)))
  const replayed = await replayCohort(effects, order, shape, signal)
  const lines: TelemetryLine[] = [
    { t: 'point', facts: factsOf(order, replayed.outcome) },
    ...[...before, ...replayed.after].map((evidence): TelemetryLine => ({ t: 'evidence', evidence })),
    ...replayed.lines,
  ]
  await writeMeasured(effects.pack, order, { records: replayed.cohort.records, gaps: replayed.cohort.gaps, lines })
  return judgeWritten(effects.pack, order)
}

interface Replayed {
  cohort: Cohort
  outcome: ReplayOutcome
  lines: TelemetryLine[]
  after: Evidence[]
}

async function replayCohort(
  effects: Effects,
  order: PointOrder,
  shape: RequestShape,
  signal: AbortSignal,
): Promise<Replayed> {
  const { manifest, schedule, key, deployment } = order
  const blocks = scheduleBlocks(schedule)
  const warmupUs = Math.round(manifest.client.warmup_seconds * 1e6)
  const milliRps = 'openMilliRps' in key.load ? key.load.openMilliRps : null
  const originUs = effects.clock.nowUs() + LEAD_US + warmupUs
  const lines: TelemetryLine[] = []
  const onLine = (line: TelemetryLine): void => void lines.push(line)
  await using journal = await effects.pack.appendLines(pointPaths(key).journal)
  const cohort = new Cohort({
    key,
    journal,
    counts: createProgress(manifest, blocks),
    progress: effects.progress,
    plannedSeconds: milliRps === null ? null : (blocks[0]?.at(-1)?.offsetUs ?? 0) / (milliRps * 1000),
    onLine,
  })
  const watch = effects.metrics.watch(
    { replicas: deployment.replicas, dialect: order.dialect, originUs, intervalMs: SCRAPE_INTERVAL_MS },
    onLine,
  )
  const after: Evidence[] = []
  let outcome: ReplayOutcome
  try {
    outcome = await effects.replay.run(
      {
        shape,
        targets: deployment.replicas,
        load: key.load,
        originUs,
        warmup: warmupRows(schedule, milliRps ?? 1000, manifest.client.warmup_seconds),
        warmupUs,
        blocks,
        maximumDurationUs: Math.round(manifest.client.maximum_duration_seconds * 1e6),
      },
      cohort,
      signal,
    )
    after.push(...outcome.evidence, await quiesce(effects, deployment, shape, signal))
  } finally {
    await watch[Symbol.asyncDispose]()
    await journal.flush()
  }
  for (const event of deployment.events()) {
    onLine({ ...event, t: 'event', atUs: event.clockUs - originUs })
  }
  return { cohort, outcome, lines, after }
}

/** The smoke request failed: no load is sent, and the point says why with an empty cohort. */
async function refusedPoint(effects: Effects, order: PointOrder, evidence: Evidence[]): Promise<PointReport> {
  const lines: TelemetryLine[] = [
    { t: 'point', facts: factsOf(order, null) },
    ...evidence.map((seen): TelemetryLine => ({ t: 'evidence', evidence: seen })),
  ]
  await writeMeasured(effects.pack, order, { records: [], gaps: new Map(), lines })
  return judgeWritten(effects.pack, order)
}

export function factsOf(
  order: Omit<PointOrder, 'deployment'> & { deployment: { deployId: string } },
  outcome: ReplayOutcome | null,
): PointFacts {
  return {
    schema: 1,
    key: order.key,
    epoch: pointEpoch(order.key),
    scheduleSha256: order.schedule.sha256,
    deployId: order.deployment.deployId,
    dialect: order.dialect.id,
    replicas: order.manifest.engine.placement.replicas,
    cohortRequests: outcome?.cohortRequests ?? 0,
    arrivalUs: outcome?.arrivalUs ?? 0,
    cohortUs: outcome?.cohortUs ?? 0,
    maximumReached: outcome?.maximumReached ?? false,
    stoppedEarly: outcome ? outcome.stoppedEarly : 'no load was sent',
    warmupRequests: outcome?.warmupRequests ?? 0,
  }
}
