import type { BootRecord, CapacityRecord, CapacityResult, Plan } from '../../core/capacity/record.ts'
import { dialectFor } from '../../core/dialect/choose.ts'
import type { Reason } from '../../core/kernel/evidence.ts'
import type { Cache } from '../../core/kernel/point.ts'
import { pointName } from '../../core/kernel/point.ts'
import type { Manifest } from '../../core/manifest/schema.ts'
import type { Effects } from '../context.ts'
import type { AcceptedRecords } from '../ports/store.ts'
import { openEngineLog } from './engine-log.ts'
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
  for (const cache of order.caches) {
    const schedule = order.schedules.get(cache)
    if (!schedule) throw new Error(`no schedule was frozen for ${cache}`)
    const state = (session.states[cache] ??= { boots: [], heldSeconds: 0 })
    const otherSeconds = (): number =>
      Object.entries(session.states).reduce(
        (sum, [name, { heldSeconds }]) => sum + (name === cache ? 0 : heldSeconds),
        0,
      )
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
        onPoint: async (point, engine) => {
          session.points.push(pointName(point.key))
          state.boots = [...engine.records]
          state.heldSeconds = engine.heldSeconds()
          await writeSession(effects.pack, session)
        },
        mayMeasure: (heldSeconds) => overBudget(order.budgetMinutes, heldSeconds + otherSeconds() + order.spentSeconds),
      },
      signal,
    )
    measured.results.push(result)
    measured.boots.push(...boots)
  }
  return measured
}

function stateOf(record: CapacityRecord | null, cache: Cache): CapacityResult | null {
  return record?.capacity.find((result) => result.cache === cache) ?? null
}

function overBudget(budgetMinutes: number | null, heldSeconds: number): Reason | null {
  if (budgetMinutes === null || heldSeconds < budgetMinutes * 60) return null
  const text = `the budget of ${budgetMinutes} min is used up: no further point is begun`
  return { code: 'budget_reached', text, value: heldSeconds / 60, limit: budgetMinutes }
}
