import type { Dialect } from '../../core/dialect/dialect.ts'
import type { Evidence } from '../../core/kernel/evidence.ts'
import type { PointKey } from '../../core/kernel/point.ts'
import { dueUs, pointEpoch } from '../../core/kernel/point.ts'
import type { Manifest } from '../../core/manifest/schema.ts'
import { scheduleBlocks } from '../../core/schedule/blocks.ts'
import type { Schedule } from '../../core/schedule/schedule.ts'
import { warmupRows } from '../../core/schedule/warmup.ts'
import { explorationAcceptance, explorationSeconds } from '../../core/capacity/exploration.ts'
import { createProgress } from '../../core/capacity/progress.ts'
import type { PointReport } from '../../core/capacity/record.ts'
import type { PointFacts, TelemetryLine } from '../../core/telemetry/line.ts'
import type { Effects } from '../context.ts'
import type { Deployment } from '../ports/engine.ts'
import type { ReplayOrder, ReplayOutcome, RequestShape } from '../ports/replay.ts'
import { setCacheState } from './cache-state.ts'
import { Cohort } from './cohort.ts'
import { exitNoticed } from './exit-notice.ts'
import { keepInterrupted, pointPaths } from './files.ts'
import { judgeWritten, writeMeasured } from './judge.ts'
import { longestRequest } from './longest-request.ts'
import { PointMachine } from './point-machine.ts'
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
  /** The dataset's texts, where the schedule's rows name one. */
  texts?: readonly string[]
  /** A closed loop that looks for a throughput: short, and not ended for missed cutoffs. */
  isExploration?: boolean
}

/**
 * The point protocol on a ready engine: identity → smoke → cache state → warm-up → cohort with its extension blocks → drain → quiesce; then the
 * files are written, and the point is judged from the files alone. An abort leaves the journal and no requests.csv.
 */
export async function measurePoint(effects: Effects, order: PointOrder, signal: AbortSignal): Promise<PointReport> {
  const shape: RequestShape = {
    manifest: order.manifest,
    dialect: order.dialect,
    header: order.schedule.header,
    epoch: pointEpoch(order.key),
    ...(order.texts ? { texts: order.texts } : {}),
  }
  const before: Evidence[] = [...order.deployment.identity]
  // Another engine than the declared one: whatever it carried, the point would be invalid.
  if (before.some((evidence) => evidence.state === 'fail')) return refusedPoint(effects, order, before, signal)
  const longest = longestRequest(order.schedule, order.texts)
  const proof = await smoke(effects, order.deployment, shape, longest, signal)
  before.push(...proof)
  if (proof.some((evidence) => evidence.state === 'fail')) return refusedPoint(effects, order, before, signal)
  const prepared = await setCacheState(effects, order.deployment, order.schedule, shape, signal)
  before.push(...prepared)
  const isCold = (evidence: Evidence): boolean => evidence.probe === 'cache_hit.prewarm' && evidence.state === 'fail'
  if (prepared.some(isCold)) return refusedPoint(effects, order, before, signal)
  const replayed = await replayCohort(effects, order, shape, signal)
  if (order.manifest.client.raw_gaps) await effects.pack.gzip(pointPaths(order.key).rawGaps)
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
  const { manifest, deployment } = order
  const lines: TelemetryLine[] = []
  const onLine = (line: TelemetryLine): void => void lines.push(line)
  await keepInterrupted(effects.pack, pointPaths(order.key))
  await using journal = await effects.pack.appendLines(pointPaths(order.key).journal)
  await using rawGaps = manifest.client.raw_gaps ? await effects.pack.appendLines(pointPaths(order.key).rawGaps) : null
  const machine = await PointMachine.look(effects, manifest, deployment, signal)
  // The cohort's start is fixed once the disk has been waited for: a slow one must not eat the lead.
  const replay = replayOrder(effects, order, shape)
  const { workload } = manifest
  const acceptance = order.isExploration ? explorationAcceptance(manifest.acceptance) : manifest.acceptance
  const counts = createProgress({ workload, acceptance }, replay.blocks)
  const cohort = new Cohort({
    key: order.key,
    journal,
    rawGaps,
    counts,
    progress: effects.progress,
    plannedSeconds: plannedSeconds(replay),
    onLine,
  })
  const { originUs } = replay
  const scrape = { replicas: deployment.replicas, dialect: order.dialect, originUs, intervalMs: SCRAPE_INTERVAL_MS }
  const after: Evidence[] = []
  let outcome: ReplayOutcome
  {
    await using _watch = effects.metrics.watch(scrape, onLine)
    await using _machine = machine.watch(originUs, onLine)
    outcome = await effects.replay.run(replay, cohort, signal)
    after.push(...outcome.evidence, await quiesce(effects, deployment, shape, signal))
  }
  lines.push(...(await machine.end(originUs, signal)), ...eventLines(deployment, originUs))
  return { cohort, outcome, lines, after }
}

/** What happened to the engine since it was booted, on the point's own time. */
function eventLines(deployment: Deployment, originUs: number): TelemetryLine[] {
  return deployment.events().map(({ clockUs, replica, kind, blames, text }): TelemetryLine => {
    return { t: 'event', atUs: clockUs - originUs, replica, kind, blames, text }
  })
}

function replayOrder(effects: Effects, order: PointOrder, shape: RequestShape): ReplayOrder {
  const { client } = order.manifest
  const { load } = order.key
  // A closed loop has no rate of its own: its warm-up arrives at one request a second for each in flight.
  const milliRps = 'openMilliRps' in load ? load.openMilliRps : load.closedConcurrency * 1000
  const warmupUs = Math.round(client.warmup_seconds * 1e6)
  // Before the clock is read: hundreds of thousands of rows take longer than the lead.
  const warmup = warmupRows(order.schedule, milliRps, client.warmup_seconds)
  return {
    shape,
    targets: order.deployment.targets,
    load,
    originUs: effects.clock.nowUs() + LEAD_US + warmupUs,
    warmup,
    warmupUs,
    blocks: scheduleBlocks(order.schedule),
    maximumDurationUs: Math.round(1e6 * arrivalSecondsMax(order)),
  }
}

function arrivalSecondsMax({ manifest, isExploration = false }: PointOrder): number {
  return isExploration ? explorationSeconds(manifest) : manifest.client.maximum_duration_seconds
}

/** How long the arrivals take if no extension follows; null for a closed loop. */
function plannedSeconds({ load, blocks }: ReplayOrder): number | null {
  return 'openMilliRps' in load ? dueUs(blocks[0]?.at(-1)?.offsetUs ?? 0, load.openMilliRps) / 1e6 : null
}

/** The engine is not the declared one, or failed its smoke request or prewarm: no load is sent, and the point says why with an empty cohort. */
async function refusedPoint(
  effects: Effects,
  order: PointOrder,
  evidence: Evidence[],
  signal: AbortSignal,
): Promise<PointReport> {
  if (evidence.some(({ state, blames }) => state === 'fail' && blames === 'engine')) {
    await exitNoticed(effects, order.deployment, signal)
  }
  const lines: TelemetryLine[] = [
    { t: 'point', facts: factsOf(order, null) },
    ...evidence.map((seen): TelemetryLine => ({ t: 'evidence', evidence: seen })),
    ...eventLines(order.deployment, effects.clock.nowUs()),
  ]
  await writeMeasured(effects.pack, order, { records: [], gaps: new Map(), lines })
  return judgeWritten(effects.pack, order)
}

export function factsOf(
  order: Omit<PointOrder, 'deployment'> & { deployment: Pick<Deployment, 'deployId' | 'replicas'> },
  outcome: ReplayOutcome | null,
): PointFacts {
  return {
    schema: 1,
    key: order.key,
    epoch: pointEpoch(order.key),
    scheduleSha256: order.schedule.sha256,
    deployId: order.deployment.deployId,
    dialect: order.dialect.id,
    replicas: order.deployment.replicas.length,
    cohortRequests: outcome?.cohortRequests ?? 0,
    arrivalUs: outcome?.arrivalUs ?? 0,
    cohortUs: outcome?.cohortUs ?? 0,
    maximumReached: outcome?.maximumReached ?? false,
    stoppedEarly: outcome ? outcome.stoppedEarly : 'no load was sent',
    warmupRequests: outcome?.warmupRequests ?? 0,
  }
}
