import type { BootRecord, CapacityRecord, CapacityResult, Plan } from '../../core/capacity/record.ts'
import type { Session } from '../../core/capacity/session.ts'
import { dialectFor } from '../../core/dialect/choose.ts'
import type { Reason } from '../../core/kernel/evidence.ts'
import type { Cache } from '../../core/kernel/point.ts'
import { pointName } from '../../core/kernel/point.ts'
import type { Manifest } from '../../core/manifest/schema.ts'
import type { Effects } from '../context.ts'
import type { AcceptedRecords } from '../ports/store.ts'
import { openEngineLog } from './engine-log.ts'
import { RunOutlook } from './outlook.ts'
import type { Resumed } from './resume.ts'
import type { Schedules } from './schedules.ts'
import { writeSession } from './session.ts'
import { measureState } from './state.ts'

export interface StatesOrder {
  manifest: Manifest
  plan: Plan
  caches: readonly Cache[]
  accepted: AcceptedRecords
  schedules: Schedules
  /** The dataset's, where prompts are made of one. */
  texts: readonly string[] | undefined
  resumed: Resumed
  budgetMinutes: number | null
  /** Of the budget, seconds for which the run held an engine before these states. */
  spentSeconds: number
  /** Set where it is the baseline's revision that is measured, to prove the machine. */
  isProof: boolean
}

export interface StatesMeasured {
  results: CapacityResult[]
  boots: BootRecord[]
}

/** Measures each cache state in turn, and keeps run.json so that an interrupted run can go on at the next point. */
export async function measureStates(
  effects: Effects,
  order: StatesOrder,
  signal: AbortSignal,
): Promise<StatesMeasured> {
  const { manifest, plan, accepted, resumed } = order
  const { session } = resumed
  const measured: StatesMeasured = { results: [], boots: [] }
  await using log = await openEngineLog(effects.pack)
  const outlook = order.isProof ? null : outlookOf(effects, order)
  for (const cache of order.caches) {
    const schedule = order.schedules.get(cache)
    if (!schedule) throw new Error(`no schedule was frozen for ${cache}`)
    const state = (session.states[cache] ??= { boots: [], heldSeconds: 0 })
    const { result, boots } = await measureState(
      effects,
      {
        manifest,
        dialect: dialectFor(manifest),
        cache,
        schedule,
        texts: order.texts,
        plan,
        baseline: stateOf(accepted.baseline, cache),
        anchor: stateOf(accepted.anchor, cache),
        acceptedFloor: session.acceptedFloors?.[cache] ?? null,
        statesLoss: !order.isProof,
        deployPrefix: order.isProof ? 'baseline-' : '',
        earlier: { points: resumed.points.filter((point) => point.key.cache === cache), ...state },
        log,
        outlook,
        onPoint: async (point, engine) => {
          session.points.push(pointName(point.key))
          state.boots = [...engine.records]
          state.heldSeconds = engine.heldSeconds()
          await writeSession(effects.pack, session)
        },
        mayMeasure: (heldSeconds) =>
          overBudget(order.budgetMinutes, heldSeconds + otherSeconds(session, cache) + order.spentSeconds),
      },
      signal,
    )
    measured.results.push(result)
    measured.boots.push(...boots)
  }
  outlook?.over()
  return measured
}

/** For which the states beside this one have held an engine. */
function otherSeconds({ states }: Session, cache: Cache): number {
  return Object.entries(states).reduce((sum, [name, { heldSeconds }]) => sum + (name === cache ? 0 : heldSeconds), 0)
}

/** Not of a proof: what follows it is another plan. */
function outlookOf(effects: Effects, order: StatesOrder): RunOutlook {
  const { manifest, plan, caches, accepted, resumed } = order
  const acceptedFloors = resumed.session.acceptedFloors ?? {}
  return new RunOutlook(effects, { manifest, plan, caches, ...accepted, acceptedFloors }, resumed.points.length)
}

function stateOf(record: CapacityRecord | null, cache: Cache): CapacityResult | null {
  return record?.capacity.find((result) => result.cache === cache) ?? null
}

function overBudget(budgetMinutes: number | null, heldSeconds: number): Reason | null {
  if (budgetMinutes === null || heldSeconds < budgetMinutes * 60) return null
  const text = `the budget of ${budgetMinutes} min is used up: no further point is begun`
  return { code: 'budget_reached', text, value: heldSeconds / 60, limit: budgetMinutes }
}
