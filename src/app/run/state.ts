import type { AcceptedFloor } from '../../core/capacity/accepted-floor.ts'
import type { BootRecord, CapacityResult, Plan, PointReport } from '../../core/capacity/record.ts'
import { capacityResult } from '../../core/capacity/result.ts'
import { nextStep } from '../../core/capacity/step.ts'
import type { Dialect } from '../../core/dialect/dialect.ts'
import type { Reason } from '../../core/kernel/evidence.ts'
import type { Cache } from '../../core/kernel/point.ts'
import { pointName } from '../../core/kernel/point.ts'
import type { Manifest } from '../../core/manifest/schema.ts'
import type { Schedule } from '../../core/schedule/schedule.ts'
import type { Effects } from '../context.ts'
import { measurePoint } from '../point/protocol.ts'
import { Boots } from './boots.ts'
import { warmCompileCache } from './compile-warmup.ts'
import type { RunOutlook } from './outlook.ts'
import { failedStart } from './start-failure.ts'

/** Boots in a row that did not come up settle a state: each further one would cost the whole ready deadline again. */
const START_FAILURES_MAX = 3

/** Why a state may end before its stepper is done. */
export const LIMIT_CODES: ReadonlySet<string> = new Set(['budget_reached', 'engine_does_not_start'])

export interface StateOrder {
  manifest: Manifest
  dialect: Dialect
  cache: Cache
  schedule: Schedule
  texts: readonly string[] | undefined
  plan: Plan
  baseline: CapacityResult | null
  anchor: CapacityResult | null
  acceptedFloor: AcceptedFloor | null
  /** Whether a confirmation that is lost goes on to state the loss. */
  statesLoss: boolean
  /** Stands before the ids of its deployments. */
  deployPrefix: string
  /** What an interrupted run left: judged points in the order in which they were measured, boots, seconds with an engine. */
  earlier: { points: readonly PointReport[]; boots: readonly BootRecord[]; heldSeconds: number }
  log: { write(chunk: string): void }
  /** Tells what is still to come; null where that is not known. */
  outlook: RunOutlook | null
  /** Told after each judged point, which is on disk. */
  onPoint(point: PointReport, boots: Boots): Promise<void>
  /** Why no further point may begin, or null. */
  mayMeasure(heldSeconds: number): Reason | null
}

export interface StateMeasured {
  result: CapacityResult
  boots: readonly BootRecord[]
}

/**
 * One cache state: the stepper says what to measure, the engine is booted where the protocol asks for it, and each point is judged
 * and on disk before the next begins.
 */
export async function measureState(effects: Effects, order: StateOrder, signal: AbortSignal): Promise<StateMeasured> {
  const { manifest, dialect, cache, plan, baseline, anchor, acceptedFloor, statesLoss, deployPrefix, earlier, log } =
    order
  const taken = new Set([...earlier.boots, ...earlier.points].map(({ deployId }) => deployId))
  await using boots = new Boots({
    effects,
    manifest,
    dialect,
    cache,
    deployPrefix,
    log,
    warmUp: (deployment, abort) => warmCompileCache(effects, order, deployment, abort),
    earlier: earlier.boots,
    earlierAttempts: taken.size,
    earlierHeldSeconds: earlier.heldSeconds,
  })
  const points = [...earlier.points]
  const limits: Reason[] = []
  for (;;) {
    const step = nextStep({ plan, manifest, cache, baseline, anchor, acceptedFloor, points, statesLoss })
    if (step.do === 'done') break
    const limit = order.mayMeasure(boots.heldSeconds()) ?? startLimit(points)
    if (limit !== null) {
      limits.push(limit)
      break
    }
    order.outlook?.begins(cache, points)
    effects.progress.note(`${pointName(step.key)}: ${step.why}`)
    const point = await measureStep(effects, order, boots, step, points.at(-1) ?? null, signal)
    points.push(point)
    await order.onPoint(point, boots)
    effects.progress.note(outcomeLine(point))
  }
  await boots.end()
  const gpuMinutes = (boots.heldSeconds() / 60) * manifest.engine.placement.gpus
  const result = capacityResult({
    plan,
    manifest,
    cache,
    baseline,
    anchor,
    acceptedFloor,
    points,
    gpuMinutes,
    statesLoss,
    limits,
  })
  return { result, boots: boots.records }
}

function outcomeLine({ key, outcome, reasons: [first] }: PointReport): string {
  return `${pointName(key)}: ${outcome}${first ? ` – ${first.text}` : ''}`
}

type MeasureStep = Extract<ReturnType<typeof nextStep>, { do: 'measure' }>

async function measureStep(
  effects: Effects,
  order: StateOrder,
  boots: Boots,
  step: MeasureStep,
  previous: PointReport | null,
  signal: AbortSignal,
): Promise<PointReport> {
  const { manifest, dialect, schedule, texts } = order
  const isExploration = 'closedConcurrency' in step.key.load
  const point = { manifest, dialect, schedule, ...(texts ? { texts } : {}), key: step.key, isExploration }
  if (needsBoot(order, boots, step, previous)) {
    const boot = await boots.fresh(signal)
    if (!boot.ok) return failedStart(effects, point, boot)
  }
  const deployment = boots.current
  if (deployment === null) throw new Error('a point is measured on a standing engine')
  return measurePoint(effects, { ...point, deployment }, signal)
}

/** Beside what the stepper asks for: none stands, it died, or a cold point follows another on an engine that cannot be reset. */
function needsBoot(order: StateOrder, boots: Boots, step: MeasureStep, previous: PointReport | null): boolean {
  const { current } = boots
  if (current === null || step.boot === 'fresh' || current.events().length > 0) return true
  return order.cache === 'cold' && order.dialect.reset === null && previous?.deployId === current.deployId
}

function startLimit(points: readonly PointReport[]): Reason | null {
  const last = points.slice(-START_FAILURES_MAX)
  const failed = last.filter(({ evidence }) => evidence.some(({ probe }) => probe === 'stability.start_failed'))
  if (failed.length < START_FAILURES_MAX) return null
  return {
    code: 'engine_does_not_start',
    text: `the engine did not start ${failed.length} times in a row: no further point was tried`,
  }
}
