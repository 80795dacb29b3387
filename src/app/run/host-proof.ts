import { hostDifferences } from '../../core/capacity/host-change.ts'
import type { CapacityRecord, HostProof } from '../../core/capacity/record.ts'
import { dialectFor } from '../../core/dialect/choose.ts'
import { baselineManifest } from '../../core/gate/baseline-manifest.ts'
import type { Comparable } from '../../core/gate/comparable.ts'
import { incomparabilities } from '../../core/gate/comparable.ts'
import { hostFinding, provenCaches } from '../../core/gate/host-proof.ts'
import type { OnHostChange } from '../../core/gate/host-proof.ts'
import { recordSha256 } from '../../core/gate/read.ts'
import { readTerms } from '../../core/gate/terms.ts'
import { GateError } from '../../core/kernel/errors.ts'
import type { Cache } from '../../core/kernel/point.ts'
import type { Manifest } from '../../core/manifest/schema.ts'
import type { Effects } from '../context.ts'
import type { Pack } from '../ports/pack.ts'
import { newSession } from './new-session.ts'
import { packFolder } from './pack-folder.ts'
import { PROOF_FOLDER, resumeOrBegin } from './resume.ts'
import type { Schedules } from './schedules.ts'
import { readSession } from './session.ts'
import { measureStates } from './states.ts'

/** What the machine asks for before the candidate: nothing, a proof by the baseline's revision, or that nothing is measured. */
export type HostCourse = 'nothing' | 'proof' | 'refusal'

/** Decided before anything is deployed. What cannot be compared for another reason is nothing to prove. */
export function hostCourse(now: Comparable, baseline: CapacityRecord | null, onHostChange: OnHostChange): HostCourse {
  if (baseline === null || incomparabilities(now, baseline).length > 0) return 'nothing'
  if (hostDifferences(now.hardware.recorded, baseline.hardware.recorded).length === 0) return 'nothing'
  return ({ accept: 'nothing', fail: 'refusal', remeasure: 'proof' } as const)[onHostChange]
}

export interface ProofOrder {
  manifest: Manifest
  baseline: CapacityRecord
  /** The run's record, in which nothing was measured yet. */
  candidate: CapacityRecord
  caches: readonly Cache[]
  schedules: Schedules
  texts: readonly string[] | undefined
  startedAt: string
  resume: boolean
  budgetMinutes: number | null
}

export interface HostProven {
  proof: HostProof
  /** Whether the candidate may be measured. */
  holds: boolean
  heldSeconds: number
}

/** How a revision that is no longer there, or cannot be fetched, makes itself known. */
const NOT_THERE = /^(image_|engine_start_failed$|not_deployable$)/

/** The folder of the pack that holds the proof's own session, points and log. */
export function proofPack(pack: Pack): Pack {
  return packFolder(pack, PROOF_FOLDER)
}

/**
 * Deploys the baseline's own revision on this machine and confirms it at its own guard rate, a state after the other up to the first that
 * does not hold. That it cannot be deployed is a finding of the proof; what ends any run is thrown.
 */
export async function proveHost(effects: Effects, order: ProofOrder, signal: AbortSignal): Promise<HostProven> {
  const { baseline, candidate } = order
  const proof: HostProof = { baselineSha256: recordSha256(baseline), capacity: [], boots: [], reasons: [] }
  const spent = { heldSeconds: 0 }
  const found = baselineManifest(order.manifest, baseline)
  if ('why' in found) addWhy(proof, found.why)
  else {
    try {
      await measureBaseline(
        { ...effects, pack: proofPack(effects.pack) },
        { ...order, ...found },
        { proof, spent },
        signal,
      )
    } catch (error) {
      if (!(error instanceof GateError && NOT_THERE.test(error.code))) throw error
      addWhy(proof, error.message)
    }
  }
  return { proof, holds: isProven(candidate, proof, order, order.caches), ...spent }
}

function addWhy(proof: HostProof, text: string): void {
  proof.reasons.push({ code: 'baseline_not_deployable', text })
}

interface Found {
  proof: HostProof
  spent: { heldSeconds: number }
}

async function measureBaseline(
  effects: Effects,
  order: ProofOrder,
  { proof, spent }: Found,
  signal: AbortSignal,
): Promise<void> {
  const { manifest, baseline, candidate, caches, schedules, texts, budgetMinutes } = order
  const { name, version } = manifest.engine
  effects.progress.note(`the machine is not the baseline’s: its revision, ${name} ${version}, is measured here first`)
  const say = (line: string): void => effects.progress.note(line)
  await effects.deployer.stage({ manifest, dialect: dialectFor(manifest), say }, signal)
  const asked = provenCaches(baseline, caches)
  const accepted = { baseline, anchor: null }
  const session = newSession({
    manifest,
    plan: 'confirm',
    caches: asked,
    schedules,
    hardware: candidate.hardware,
    accepted,
    acceptedFloors: {},
    startedAt: order.startedAt,
    plannedPoints: asked.length,
  })
  const isResumed = order.resume && (await readSession(effects.pack)) !== null
  const resumed = await resumeOrBegin(effects.pack, session, isResumed)
  const states = { manifest, plan: 'confirm', accepted, schedules, texts, resumed, budgetMinutes } as const
  const held = (): number =>
    Object.values(resumed.session.states).reduce((sum, { heldSeconds }) => sum + heldSeconds, 0)
  for (const [index, cache] of asked.entries()) {
    const measured = await measureStates(
      effects,
      { ...states, caches: [cache], spentSeconds: 0, isProof: true },
      signal,
    ).finally(() => (spent.heldSeconds = held()))
    proof.capacity.push(...measured.results)
    proof.boots.push(...measured.boots)
    if (!isProven(candidate, proof, order, asked.slice(0, index + 1))) return
  }
}

/** As the gate sees it: it alone decides. */
function isProven(
  candidate: CapacityRecord,
  hostProof: HostProof,
  { baseline }: ProofOrder,
  caches: readonly Cache[],
): boolean {
  const terms = readTerms(candidate)
  if (terms === null) return false
  const judged = { candidate: { ...candidate, hostProof }, baseline, onHostChange: 'remeasure', terms, caches } as const
  return hostFinding(judged).bars.length === 0
}
