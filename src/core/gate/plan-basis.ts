import { z } from 'zod'
import type { CapacityRecord } from '../capacity/record.ts'
import type { MeasuredCapacity } from '../capacity/replicas.ts'
import type { Reason } from '../kernel/evidence.ts'
import { EXIT, GateError } from '../kernel/errors.ts'
import type { Cache } from '../kernel/point.ts'
import { promotionObstacles } from './promotion.ts'
import type { StateVerdict, Verdict } from './verdict.ts'

/** A record, and what was said of it: its run's verdict, nothing (null), or that it was accepted as a baseline. */
export interface MeasuredRun {
  record: CapacityRecord
  verdict: Verdict | 'accepted' | null
}

/** How the replicas were laid out when the capacity was measured: a replica's figure holds for no other. */
export interface Placement {
  tp: number
  pp: number
  dp: number
  replicas: number
  gpus: number
}

/** What a record gives a capacity plan. */
export interface PlanBasis {
  placement: Placement
  states: { cache: Cache; measured: MeasuredCapacity }[]
  /** Cache states that were asked for and have no figure. */
  missing: { cache: Cache; why: string }[]
  /** What must be known of the figures. */
  warnings: Reason[]
}

/** Of what keeps a record from being a baseline: what makes its figures none at all. The rest is told beside them. */
const UNFIT: ReadonlySet<string> = new Set([
  'experiment_unreadable',
  'record_contradictory',
  'imported_cohort',
  'evidence_failed',
])
/** Said by the state's own line. */
const TOLD_ELSEWHERE: ReadonlySet<string> = new Set(['no_passing_rate'])

const whole = (from: number) => z.int().min(from).max(1_000_000)
const placementSchema = z.looseObject({
  engine: z.looseObject({
    placement: z.looseObject({ tp: whole(1), pp: whole(1), dp: whole(1), replicas: whole(1), gpus: whole(0) }),
  }),
})

/**
 * The measured capacity of the cache states that are asked for, with the placement that it was measured on. Throws GateError
 * `plan_basis` (exit 4) where the record holds none that can be planned on: another tool's requests, a record that contradicts itself, an
 * invalid measurement, no rate that passed.
 */
export function planBasis({ record, verdict }: MeasuredRun, caches: readonly Cache[]): PlanBasis {
  const asked = { ...record, capacity: record.capacity.filter(({ cache }) => caches.includes(cache)) }
  const obstacles = promotionObstacles(asked)
  const unfit = obstacles.find(({ code }) => UNFIT.has(code))
  if (unfit !== undefined) throw refusal(unfit.text)
  const placement = placementOf(record)
  const { replicas } = placement
  const gpusPerReplica = placement.gpus / replicas
  const states: PlanBasis['states'] = []
  const missing: PlanBasis['missing'] = []
  for (const cache of caches) {
    const capacityMilliRps = asked.capacity.find((result) => result.cache === cache)?.passMilliRps
    const why = withoutFigure(capacityMilliRps, stateOf(verdict, cache))
    if (why !== null) missing.push({ cache, why })
    else states.push({ cache, measured: { capacityMilliRps: capacityMilliRps ?? 0, replicas, gpusPerReplica } })
  }
  if (states.length === 0) throw refusal(missing.map(({ cache, why }) => `${cache}: ${why}`).join('; '))
  const planned = new Set(states.map(({ cache }) => cache))
  const told = obstacles.filter(({ code }) => !TOLD_ELSEWHERE.has(code))
  return { placement, states, missing, warnings: [...ofVerdict(verdict, planned), ...ofKind(record), ...told] }
}

function withoutFigure(milliRps: number | null | undefined, state: StateVerdict | null): string | null {
  if (milliRps === undefined) return 'it was not measured'
  if (milliRps === null) return 'no rate passed'
  return state?.outcome === 'invalid' ? 'its measurement is invalid' : null
}

function stateOf(verdict: MeasuredRun['verdict'], cache: Cache): StateVerdict | null {
  if (verdict === null || verdict === 'accepted') return null
  return verdict.states.find((state) => state.cache === cache) ?? null
}

function placementOf({ experiment }: CapacityRecord): Placement {
  const parsed = placementSchema.safeParse(experiment.value)
  if (!parsed.success) throw refusal('the record does not hold its placement')
  const { tp, pp, dp, replicas, gpus } = parsed.data.engine.placement
  if (gpus % replicas !== 0) throw refusal(`${gpus} GPUs are no whole number for each of ${replicas} replicas`)
  return { tp, pp, dp, replicas, gpus }
}

function ofVerdict(verdict: MeasuredRun['verdict'], planned: ReadonlySet<Cache>): Reason[] {
  if (verdict === 'accepted') return []
  if (verdict === null) {
    return [
      { code: 'no_verdict', text: 'no verdict stands beside the record: nothing says that its revision was held' },
    ]
  }
  const states = verdict.states.filter(({ cache }) => planned.has(cache))
  const found = states.flatMap(({ cache, outcome, acceptedLoss: loss }): Reason[] => {
    if (loss !== undefined) {
      return [{ code: 'accepted_loss', text: `${cache}: held under an accepted loss, which ends on ${loss.expires}` }]
    }
    if (outcome !== 'regressed' && outcome !== 'inconclusive') return []
    const text = `${cache}: the verdict is ${outcome}: this is what the revision carried, and it was not accepted`
    return [{ code: `verdict_${outcome}`, text }]
  })
  const whole = verdict.reasons.map(({ code, text }) => ({ code, text: `the whole run: ${text}` }))
  return verdict.outcome === 'inconclusive' || verdict.outcome === 'invalid' ? [...found, ...whole] : found
}

function ofKind({ kind }: CapacityRecord): Reason[] {
  return kind === 'simulated'
    ? [
        {
          code: 'simulated',
          text: 'the embedded engine was measured, which is a model: no real engine stands behind it',
        },
      ]
    : []
}

function refusal(why: string): GateError {
  return new GateError({
    code: 'plan_basis',
    message: `no capacity to plan on: ${why}`,
    hint: 'plan on a finished sweep of a measured engine, or on the accepted baseline',
    exitCode: EXIT.invalid,
  })
}
