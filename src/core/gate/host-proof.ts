import type { Cache } from '../kernel/point.ts'
import type { Reason } from '../kernel/evidence.ts'
import { hostDifferences, hostDifferencesText } from '../capacity/host-change.ts'
import type { CapacityRecord, CapacityResult, HostProof } from '../capacity/record.ts'
import { contradictions } from './consistency.ts'
import { recordSha256 } from './read.ts'
import type { GateReasonCode } from './reason-table.ts'
import { judgeState } from './state.ts'
import type { Terms } from './terms.ts'
import type { Outcome } from './verdict.ts'
import { evidenceText, reason } from './wording.ts'

/** What follows from a machine that differs from the baseline's in what is only recorded. */
export type OnHostChange = 'remeasure' | 'accept' | 'fail'

export interface HostInput {
  candidate: CapacityRecord
  baseline: CapacityRecord
  onHostChange: OnHostChange
  terms: Terms
  /** The states that the run was asked for. */
  caches: readonly Cache[]
}

/** `bars`: why nothing is compared; `notes`: what a reader should know where it is. */
export interface HostFinding {
  bars: Reason[]
  notes: Reason[]
}

/** Whether the candidate may be held to a baseline of another machine: empty where it is the same one. */
export function hostFinding(input: HostInput): HostFinding {
  const { candidate, baseline, onHostChange } = input
  const differences = hostDifferences(candidate.hardware.recorded, baseline.hardware.recorded)
  if (differences.length === 0) return { bars: [], notes: [] }
  const what = `the machine is not the baseline’s: ${hostDifferencesText(differences)}`
  switch (onHostChange) {
    case 'accept':
      return { bars: [], notes: [reason('host_change_accepted', `${what}; compared all the same, as was asked for`)] }
    case 'fail':
      return { bars: [reason('host_changed', what)], notes: [] }
    case 'remeasure':
      return proofFinding(input, what)
  }
}

function proofFinding(input: HostInput, what: string): HostFinding {
  const { candidate, baseline, terms } = input
  const proof = candidate.hostProof
  const unproven = (why: string): HostFinding => ({ bars: [reason('host_unproven', `${what}; ${why}`)], notes: [] })
  if (proof === undefined || proof.baselineSha256 !== recordSha256(baseline)) {
    return unproven('the baseline’s own revision was not measured here')
  }
  const { capacity, boots } = proof
  const contradictory = contradictions({ ...candidate, capacity, boots }, terms, 'the baseline’s revision here')
  if (contradictory.length > 0) return { bars: contradictory, notes: [] }
  const stranger = strangerText(proof, baseline)
  if (stranger !== null) return unproven(`what was started here is not the baseline’s revision: ${stranger}`)
  const { bars, notes } = stateFindings(input, proof, what)
  const [first] = proof.reasons
  if (bars.length > 0 || first === undefined) return { bars, notes }
  return unproven(`the baseline’s own revision could not be measured here: ${first.text}`)
}

function stateFindings(input: HostInput, proof: HostProof, what: string): HostFinding {
  const { baseline, caches } = input
  const found: HostFinding = { bars: [], notes: [] }
  for (const cache of provenCaches(baseline, caches)) {
    const base = resultOf(baseline.capacity, cache)
    const now = resultOf(proof.capacity, cache)
    if (base !== null && now !== null) {
      const { holds, told } = stateFinding(input, { cache, base, now, boots: proof.boots }, what)
      found[holds ? 'notes' : 'bars'].push(told)
    } else if (found.bars.length === 0 && proof.reasons.length === 0) {
      // After one that does not hold, no other state is asked.
      found.bars.push(reason('host_unproven', `${what}; the baseline’s own revision was not measured ${cache}`))
    }
  }
  return found
}

interface ProvenState {
  cache: Cache
  base: CapacityResult
  now: CapacityResult
  boots: HostProof['boots']
}

function stateFinding(
  { baseline, terms }: HostInput,
  { cache, base, now, boots }: ProvenState,
  what: string,
): { holds: boolean; told: Reason } {
  const { outcome, reasons } = judgeState({
    cache,
    // The minimum is the candidate's to carry: a baseline may have been accepted below it.
    terms: { ...terms, minCapacityMilliRps: null },
    result: now,
    boots,
    comparison: { kind: 'baseline', result: base, boots: baseline.boots },
    anchorMilliRps: null,
    notes: [],
  })
  const [code, said] = neverStarts(now) ? NEVER_STARTS : SAID[outcome]
  const text = `${cache}: the baseline’s own revision ${said} (${reasons[0]?.text ?? outcome}); ${what}`
  return { holds: code === 'host_proven', told: reason(code, text) }
}

const NEVER_STARTS = ['host_unproven', 'does not start here'] as const
const SAID = {
  held: ['host_proven', 'was measured here first and holds'],
  improved: ['host_proven', 'was measured here first and holds'],
  recorded: ['host_proof_undecided', 'gave no answer here'],
  inconclusive: ['host_proof_undecided', 'gave no answer here'],
  invalid: ['host_proof_invalid', 'could not be measured validly here'],
  regressed: ['host_misses_baseline', 'misses its capacity here'],
} as const satisfies Record<Outcome, readonly [GateReasonCode, string]>

function neverStarts({ points }: CapacityResult): boolean {
  const isStartFailure = (probe: string): boolean => probe === 'stability.start_failed'
  return points.length > 0 && points.every(({ evidence }) => evidence.some(({ probe }) => isStartFailure(probe)))
}

/** The states in which a baseline's revision can be asked for what it carried. */
export function provenCaches(baseline: CapacityRecord, caches: readonly Cache[]): Cache[] {
  return caches.filter((cache) => (resultOf(baseline.capacity, cache)?.passMilliRps ?? null) !== null)
}

/** Why what was started is another revision than the one that was accepted, though it was asked for by the same words; else null. */
function strangerText(proof: HostProof, baseline: CapacityRecord): string | null {
  const evidence = evidenceOf(proof.capacity)
  const failed = evidence.find(({ probe, state }) => probe.startsWith('identity.') && state === 'fail')
  if (failed !== undefined) return evidenceText(failed)
  const accepted = new Map(digestsOf(baseline.capacity))
  const changed = digestsOf(proof.capacity).find(([file, sha256]) => (accepted.get(file) ?? sha256) !== sha256)
  return changed === undefined ? null : `${changed[0]} has other bytes than when the baseline was measured`
}

function digestsOf(capacity: readonly CapacityResult[]): [file: string, sha256: string][] {
  return evidenceOf(capacity).flatMap(({ probe, file, sha256 }): [string, string][] =>
    probe === 'identity.files' && file !== undefined && sha256 !== undefined ? [[file, sha256]] : [],
  )
}

function evidenceOf(capacity: readonly CapacityResult[]) {
  return capacity.flatMap(({ points }) => points.flatMap((point) => point.evidence))
}

function resultOf(capacity: readonly CapacityResult[], cache: Cache): CapacityResult | null {
  return capacity.find((result) => result.cache === cache) ?? null
}
