import { effectivePlan } from '../../core/capacity/effective-plan.ts'
import { estimatePlan, requireWithinBudget } from '../../core/capacity/estimate.ts'
import type { CapacityRecord, Plan } from '../../core/capacity/record.ts'
import { isSimulated } from '../../core/dialect/choose.ts'
import type { AcceptedLosses } from '../../core/gate/accepted/loss.ts'
import { floorsFor } from '../../core/gate/accepted/loss.ts'
import { incomparabilities } from '../../core/gate/comparable.ts'
import type { Cache } from '../../core/kernel/point.ts'
import { gateId, identify } from '../../core/manifest/identity.ts'
import type { Manifest } from '../../core/manifest/schema.ts'
import type { ReportContext } from '../../core/report/context.ts'
import type { GateEffects } from '../context.ts'
import type { AcceptedRecords } from '../ports/store.ts'
import { finishPack } from './finish.ts'
import type { Fitness } from './fitness.ts'
import { fitness } from './fitness.ts'
import { writeOrRemove } from './write-or-remove.ts'
import { newSession } from './new-session.ts'
import type { RecordFacts } from './record.ts'
import { capacityRecord } from './record.ts'
import { resumeOrBegin } from './resume.ts'
import { buildSchedules, freezeSchedules, scheduleDigests, schedulesOf } from './schedules.ts'
import type { Settled } from './settle.ts'
import { measureStates } from './states.ts'

export interface RunRequest {
  manifest: Manifest
  /** The manifest's text as it was read, and the subject's override: both go into the pack. */
  manifestText: string
  subjectText: string | null
  plan: Plan
  caches: readonly Cache[]
  resume: boolean
  onMissingBaseline: 'fail' | 'record'
  /** Null: no loss was accepted. */
  acceptedLosses: AcceptedLosses | null
  /** Null: no budget. */
  budgetMinutes: number | null
  /** Links for the reports. */
  context: ReportContext
}

const NOTHING_ACCEPTED: AcceptedRecords = { baseline: null, anchor: null }
const NOTHING = { results: [], boots: [] }
const UNASKED: Fitness = { evidence: [], isFit: true }

/**
 * The whole flow: accepted records loaded, plan estimated, schedules frozen, machine and client found fit, each cache state measured, the record
 * gated, the reports and the pack written. What a user can meet is thrown as GateError; verdicts are values.
 */
export async function run(effects: GateEffects, request: RunRequest, signal: AbortSignal): Promise<Settled> {
  const { manifest, caches } = request
  const kind = isSimulated(manifest) ? 'simulated' : 'measured'
  const hardware = await effects.host.probe(manifest.engine.placement.gpus)
  const key = { gateId: gateId(manifest), kind, mustEqual: hardware.mustEqual } as const
  const accepted = (await effects.store?.load(key)) ?? NOTHING_ACCEPTED
  const { plan, plannedPoints, acceptedFloors } = planned(effects, request, accepted)
  const built = await buildSchedules(manifest, caches, effects.sources)
  const schedules = schedulesOf(built)
  const session = newSession({
    manifest,
    plan,
    caches,
    schedules,
    hardware,
    accepted,
    acceptedFloors,
    startedAt: effects.clock.wallTime(),
    plannedPoints,
  })
  const resumed = await resumeOrBegin(effects.pack, session, request.resume)
  await freezeSchedules(effects.pack, built)
  await effects.pack.write('workload-manifest.yaml', request.manifestText)
  await writeOrRemove(effects.pack, 'subject.yaml', request.subjectText)
  for (const left of await effects.deployer.removeLeftovers()) effects.progress.warn(left)
  const facts: RecordFacts = {
    manifest,
    toolVersion: effects.toolVersion,
    createdAt: resumed.session.startedAt,
    commit: await effects.host.commit(),
    hardware,
    schedules: scheduleDigests(schedules),
    ...NOTHING,
    evidence: [],
  }
  const barred = plan === 'confirm' && isBarred(capacityRecord(facts), accepted)
  if (barred) effects.progress.warn('the accepted baseline is of another experiment or machine: nothing is measured')
  const { texts } = built
  const { budgetMinutes } = request
  const states = { plan, accepted, schedules, texts, resumed, budgetMinutes, manifest, caches }
  const hasPoints = resumed.points.length > 0
  const fit = barred ? UNASKED : await fitness(effects, { manifest, accepted, hasPoints }, signal)
  const measured = barred || !fit.isFit ? NOTHING : await measureStates(effects, states, signal)
  return finishPack(effects.pack, capacityRecord({ ...facts, ...measured, evidence: fit.evidence }), {
    ...accepted,
    onMissingBaseline: request.onMissingBaseline,
    acceptedLosses: request.acceptedLosses,
    context: request.context,
  })
}

/** The plan that is followed, once it is known to fit its budget: its points, and the floors that are asked about. */
function planned(effects: GateEffects, request: RunRequest, accepted: AcceptedRecords) {
  const { manifest, caches } = request
  const plan = planOf(effects, request, accepted)
  const acceptedFloors = floorsOf(request)
  const estimate = estimatePlan({ manifest, plan, caches, ...accepted, acceptedFloors })
  for (const line of estimate.lines) effects.progress.note(line)
  requireWithinBudget(estimate, request.budgetMinutes)
  return { plan, plannedPoints: estimate.points, acceptedFloors }
}

function planOf(effects: GateEffects, request: RunRequest, { baseline }: AcceptedRecords): Plan {
  const plan = effectivePlan({ ...request, hasBaseline: baseline !== null })
  if (plan !== request.plan)
    effects.progress.note(
      'there is no accepted baseline yet: this first run sweeps, and is recorded without being gated',
    )
  return plan
}

/** The floors of losses that were accepted of this very subject. */
function floorsOf({ manifest, acceptedLosses }: RunRequest): ReturnType<typeof floorsFor> {
  const owner = { gateId: gateId(manifest), subjectSha256: identify(manifest).subject.sha256 }
  return floorsFor(acceptedLosses?.losses ?? [], owner)
}

/** Whether the verdict is settled before anything is measured: the records could not be compared. */
function isBarred(candidate: CapacityRecord, { baseline }: AcceptedRecords): boolean {
  return baseline !== null && incomparabilities(candidate, baseline).length > 0
}
