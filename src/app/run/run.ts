import { effectivePlan } from '../../core/capacity/effective-plan.ts'
import { estimatePlan, requireWithinBudget } from '../../core/capacity/estimate.ts'
import type { Plan } from '../../core/capacity/record.ts'
import { isSimulated } from '../../core/dialect/choose.ts'
import type { AcceptedLosses } from '../../core/gate/accepted/loss.ts'
import { incomparabilities } from '../../core/gate/comparable.ts'
import type { OnHostChange } from '../../core/gate/host-proof.ts'
import type { Cache } from '../../core/kernel/point.ts'
import { gateId, identify } from '../../core/manifest/identity.ts'
import type { Manifest } from '../../core/manifest/schema.ts'
import type { ReportContext } from '../../core/report/context.ts'
import { acceptedFloorsOf } from '../accepted-losses.ts'
import type { GateEffects } from '../context.ts'
import type { AcceptedRecords } from '../ports/store.ts'
import { finishPack } from './finish.ts'
import type { Fitness } from './fitness.ts'
import { fitness } from './fitness.ts'
import type { HostCourse, HostProven } from './host-proof.ts'
import { hostCourse, proveHost } from './host-proof.ts'
import { writeOrRemove } from './write-or-remove.ts'
import { newSession } from './new-session.ts'
import type { RecordFacts } from './record.ts'
import { capacityRecord } from './record.ts'
import type { Resumed } from './resume.ts'
import { resumeOrBegin } from './resume.ts'
import type { Schedules } from './schedules.ts'
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
  onHostChange: OnHostChange
  /** Null: no budget. */
  budgetMinutes: number | null
  /** Links for the reports. */
  context: ReportContext
}

const NOTHING_ACCEPTED: AcceptedRecords = { baseline: null, anchor: null }
const NOTHING = { results: [], boots: [] }
const UNASKED: Fitness = { evidence: [], isFit: true }

/**
 * The whole flow: accepted records loaded, plan estimated, schedules frozen, machine and client found fit, the machine proven where it is
 * not the baseline's, each cache state measured, the record gated, the reports and the pack written. What a user can meet is thrown as
 * GateError; verdicts are values.
 */
export async function run(effects: GateEffects, request: RunRequest, signal: AbortSignal): Promise<Settled> {
  const { manifest, caches, onMissingBaseline, onHostChange, acceptedLosses, context } = request
  const kind = isSimulated(manifest) ? 'simulated' : 'measured'
  const hardware = await effects.host.probe(manifest.engine.placement.gpus)
  const key = { gateId: gateId(manifest), kind, mustEqual: hardware.mustEqual } as const
  const accepted = (await effects.store?.load(key)) ?? NOTHING_ACCEPTED
  const comparable = { kind, experiment: identify(manifest).experiment, hardware } as const
  const course = hostCourse(comparable, accepted.baseline, onHostChange)
  const { plan, plannedPoints, acceptedFloors } = planned(effects, request, accepted, course)
  const built = await buildSchedules(manifest, caches, effects.sources)
  const schedules = schedulesOf(built)
  const startedAt = effects.clock.wallTime()
  const asked = { manifest, plan, caches, schedules, hardware, accepted, acceptedFloors, startedAt, plannedPoints }
  const resumed = await resumeOrBegin(effects.pack, newSession(asked), request.resume)
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
  const isBarred =
    plan === 'confirm' && accepted.baseline !== null && incomparabilities(comparable, accepted.baseline).length > 0
  const order = { request, accepted, plan, course, isBarred, schedules, texts: built.texts, resumed, facts }
  const record = capacityRecord({ ...facts, ...(await measure(effects, order, signal)) })
  const settlement = { ...accepted, onMissingBaseline, onHostChange, acceptedLosses, context }
  return finishPack(effects.pack, record, settlement)
}

interface MeasureOrder {
  request: RunRequest
  accepted: AcceptedRecords
  plan: Plan
  course: HostCourse
  /** The verdict is settled before anything is measured: the records could not be compared. */
  isBarred: boolean
  schedules: Schedules
  texts: readonly string[] | undefined
  resumed: Resumed
  /** Of a record in which nothing was measured. */
  facts: RecordFacts
}

type Measured = Pick<RecordFacts, 'results' | 'boots' | 'evidence' | 'hostProof'>

/** Fitness of machine and client, the proof of another machine than the baseline's, then the candidate. */
async function measure(effects: GateEffects, order: MeasureOrder, signal: AbortSignal): Promise<Measured> {
  const { request, accepted, plan, course, isBarred, schedules, texts, resumed } = order
  const { manifest, caches, budgetMinutes } = request
  if (isBarred || course === 'refusal') {
    const what = isBarred ? 'of another experiment or machine' : 'of another machine, and on-host-change is fail'
    effects.progress.warn(`the accepted baseline is ${what}: nothing is measured`)
    return { ...NOTHING, evidence: UNASKED.evidence }
  }
  const hasPoints = resumed.points.length > 0
  const { evidence, isFit } = await fitness(effects, { manifest, accepted, hasPoints }, signal)
  if (!isFit) return { ...NOTHING, evidence }
  const proven = await proofOf(effects, order, signal)
  if (proven?.holds === false) {
    effects.progress.warn('this machine is not proven by the baseline’s revision: the candidate is not measured')
    return { ...NOTHING, evidence, hostProof: proven.proof }
  }
  const spentSeconds = proven?.heldSeconds ?? 0
  const measured = await measureStates(
    effects,
    { plan, schedules, texts, manifest, caches, accepted, resumed, budgetMinutes, spentSeconds, isProof: false },
    signal,
  )
  return { ...measured, evidence, ...(proven === null ? {} : { hostProof: proven.proof }) }
}

async function proofOf(effects: GateEffects, order: MeasureOrder, signal: AbortSignal): Promise<HostProven | null> {
  const { request, accepted, course, schedules, texts, facts } = order
  const { manifest, caches, resume, budgetMinutes } = request
  const { baseline } = accepted
  if (course !== 'proof' || baseline === null) return null
  const candidate = capacityRecord(facts)
  const startedAt = facts.createdAt
  return proveHost(
    effects,
    { manifest, baseline, candidate, caches, schedules, texts, startedAt, resume, budgetMinutes },
    signal,
  )
}

/** The plan that is followed, once it is known to fit its budget: its points, and the floors that are asked about. */
function planned(effects: GateEffects, request: RunRequest, accepted: AcceptedRecords, course: HostCourse) {
  const { manifest, caches } = request
  const plan = planOf(effects, request, accepted)
  const acceptedFloors = acceptedFloorsOf(manifest, request.acceptedLosses)
  const estimate = estimatePlan({ manifest, plan, caches, ...accepted, acceptedFloors, provesHost: course === 'proof' })
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
