import type { CapacityRecord } from '../core/capacity/record.ts'
import { changeText, experimentChanges } from '../core/gate/experiment-changes.ts'
import { spreadFindings } from '../core/gate/pooled-spread.ts'
import type { PooledSpread } from '../core/gate/pooled-spread.ts'
import { loweredCapacities, loweringReasons } from '../core/gate/lowered.ts'
import type { ExperimentChange, LoweredCapacity, Promotion } from '../core/gate/promotion-schema.ts'
import { promotionObstacles } from '../core/gate/promotion.ts'
import { recordSha256 } from '../core/gate/read.ts'
import type { Verdict } from '../core/gate/verdict.ts'
import { EXIT, GateError } from '../core/kernel/errors.ts'
import type { Reason } from '../core/kernel/evidence.ts'
import type { BaselineKey, BaselineStore, Standing } from './ports/store.ts'

/** By what right, by whom and why a record is accepted; the caller has proved the right. */
export type Acceptance = Omit<
  Promotion,
  'anchor' | 'newExperiment' | 'experimentChanges' | 'lowered' | 'acceptedLosses'
>

export interface PromoteRequest {
  /** The candidate's file, for messages. */
  file: string
  record: CapacityRecord
  /** Accept it as the last release's too. */
  anchor: boolean
  /** Another experiment than the baseline's is meant. */
  newExperiment: boolean
  acceptance: Acceptance
  /** The verdict on the record, where its pack is at hand: by it is known which losses were accepted. */
  verdict: Verdict | null
}

export interface Promoted {
  path: string
  gateId: string
  kind: CapacityRecord['kind']
  sha256: string
  anchor: boolean
  /** Where its experiment is not that of the baseline before it; empty where it is, and for a first one. */
  experimentChanges: ExperimentChange[]
  /** The cache states in which the new baseline carries less than the one before. */
  lowered: LoweredCapacity[]
  /** Boot-to-boot spreads of each cache state, pooled with what was accepted before. */
  bootSpreads: PooledSpread[]
  /** What does not hinder the acceptance and should be known. */
  warnings: Reason[]
}

/** Changes of the experiment named in a refusal at most. */
const NAMED = 30

/**
 * Accepts a record as baseline. Nothing is written where it throws.
 *
 * @throws GateError (exit 4) with every reason: `not_promotable`, `experiment_changed` where the baseline's is another one and that is
 *   not said to be meant, or `tolerance_below_spread` where only the boots' spread hinders it
 */
export async function promote(store: BaselineStore, request: PromoteRequest): Promise<Promoted> {
  const { record, anchor } = request
  const unfit = promotionObstacles(record)
  if (unfit.length > 0) {
    const hint = 'promote the record of a finished sweep whose bracket is no wider than the tolerance'
    throw refusal('not_promotable', request.file, unfit, hint)
  }
  const looks: Found[] = []
  const { path } = await store.accept(record, async (standing) => {
    const found = await lookAt(standing, request)
    looks.push(found)
    return promotionOf(request, found)
  })
  const [{ changes, lowered, spreads, warnings, acceptedLosses }] = looks.slice(-1) as [Found]
  return {
    path,
    gateId: record.gateId,
    kind: record.kind,
    sha256: recordSha256(record),
    anchor,
    experimentChanges: changes,
    lowered,
    bootSpreads: spreads,
    warnings: [...warnings, ...loweringReasons(lowered, acceptedLosses)],
  }
}

/** What a record is beside what was accepted before it. */
interface Found {
  changes: ExperimentChange[]
  lowered: LoweredCapacity[]
  spreads: PooledSpread[]
  warnings: Reason[]
  acceptedLosses: NonNullable<Promotion['acceptedLosses']>
}

async function lookAt(standing: Standing, request: PromoteRequest): Promise<Found> {
  const { record, file } = request
  const changes = changesSince(await currentBaseline(standing, request), request)
  const { spreads, warnings, obstacles } = spreadFindings(record, await standing.history(record))
  if (obstacles.length > 0) {
    const hint =
      'raise acceptance.capacity_tolerance, or steady the machine (clocks, cooling, neighbours) and sweep again'
    throw refusal('tolerance_below_spread', file, obstacles, hint)
  }
  // Where another machine's record is the newest, what falls is still this machine's own.
  const own = await currentBaseline(standing, request, record.hardware.mustEqual)
  const lowered = own === null ? [] : loweredCapacities(own, record)
  return { changes, lowered, spreads, warnings, acceptedLosses: acceptedLossesOf(request) }
}

function promotionOf({ acceptance, anchor, newExperiment }: PromoteRequest, found: Found): Promotion {
  const { changes, lowered, acceptedLosses } = found
  return {
    ...acceptance,
    anchor,
    newExperiment,
    experimentChanges: changes,
    ...(lowered.length === 0 ? {} : { lowered }),
    ...(acceptedLosses.length === 0 ? {} : { acceptedLosses }),
  }
}

/** The accepted losses under which the verdict on this very record was held. */
function acceptedLossesOf({ record, verdict }: PromoteRequest): NonNullable<Promotion['acceptedLosses']> {
  if (verdict === null || verdict.candidateSha256 !== recordSha256(record)) return []
  return verdict.states.flatMap(({ cache, acceptedLoss }) => (acceptedLoss ? [{ cache, ...acceptedLoss }] : []))
}

function changesSince(baseline: CapacityRecord | null, request: PromoteRequest): ExperimentChange[] {
  const { record, newExperiment, file } = request
  if (baseline === null || baseline.experiment.sha256 === record.experiment.sha256) return []
  const changes = experimentChanges(baseline, record)
  if (newExperiment) return changes
  const named = changes.slice(0, NAMED).map(changeText)
  const rest = changes.length > NAMED ? [`and ${changes.length - NAMED} more`] : []
  const loosening = changes.filter(({ loosens }) => loosens).length
  throw new GateError({
    code: 'experiment_changed',
    message: `${file} was measured under another experiment than the baseline (${changes.length} fields, ${loosening} of them looser): ${[...named, ...rest].join('; ')}`,
    hint: 'capacities of two experiments do not compare: if the change is meant and reviewed, promote with --new-experiment (in a workflow: new-experiment: true)',
    exitCode: EXIT.invalid,
  })
}

/** The newest of any machine, or a machine's own. One that is damaged is no reason to keep a new beginning from being made. */
async function currentBaseline(
  standing: Standing,
  request: PromoteRequest,
  mustEqual?: NonNullable<BaselineKey['mustEqual']>,
): Promise<CapacityRecord | null> {
  const { gateId, kind } = request.record
  try {
    return (await standing.load({ gateId, kind, ...(mustEqual && { mustEqual }) })).baseline
  } catch (error) {
    const isDamaged = error instanceof GateError && /^record_(?!schema_newer)/.test(error.code)
    if (request.newExperiment && isDamaged) return null
    throw error
  }
}

function refusal(code: string, file: string, obstacles: readonly Reason[], hint: string): GateError {
  const message = `${file} cannot become a baseline: ${obstacles.map((item) => item.text).join('; ')}`
  return new GateError({ code, message, hint, exitCode: EXIT.invalid })
}
