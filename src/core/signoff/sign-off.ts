import type { Requirement } from './requirement.ts'
import type { SignedSubject } from './subject.ts'

/** A requirement's state. Only the first three are signed off. */
export type RequirementStatus = 'passed' | 'warned' | 'waived' | 'failed' | 'invalid' | 'undecided' | 'missing'

/** A pack or a test result that counts for a requirement. */
export interface EvidenceRef {
  /** The pack's folder, or the file. */
  source: string
  /** Of a pack its capacity.json, else the file. */
  sha256: string
  /** A verdict's, or a test result's. */
  outcome: string
  /** ISO 8601. */
  measuredAt: string
  /** The workflow run's page, where it is known. */
  url: string | null
  /** One line for people: what was seen. */
  text: string
}

/** A waiver that was used: who answers for what, until when. */
interface UsedWaiver {
  by: string
  reason: string
  /** Its last day, YYYY-MM-DD. */
  expires: string
}

export interface RequirementResult {
  requirement: Requirement
  status: RequirementStatus
  /** One line for people: why. */
  text: string
  evidence: EvidenceRef[]
  waiver: UsedWaiver | null
}

/** Why a pack or a file does not count. One of them is enough for nothing to be signed off. */
export interface SignOffRefusal {
  source: string
  /** Stable, snake_case. */
  code: string
  text: string
}

/** Of what a sign-off was made: in-toto's resource descriptors. */
export interface Descriptor {
  name: string
  digest: { sha256: string }
}

/** Reviewers who approved the environment of the job that signed off. */
export interface Approval {
  environment: string
  by: string[]
}

/** The workflow run that the packs were taken from, as GitHub has it. */
export interface SourceRun {
  url: string
  event: string
  branch: string
  commit: string
}

export interface SignOff {
  result: 'PASSED' | 'WARNED' | 'FAILED'
  /** Null where no pack could be trusted. */
  subject: SignedSubject | null
  gateId: string | null
  experimentSha256: string | null
  /** The numbers come from the embedded engine. */
  simulated: boolean
  /** ISO 8601. */
  signedAt: string
  /** ISO 8601: from then on it counts no more. */
  expiresOn: string
  maxAgeDays: number
  requirements: RequirementResult[]
  refusals: SignOffRefusal[]
  /** What a reader should know, and what decided nothing. */
  notes: string[]
  configuration: Descriptor[]
  approval: Approval | null
  /** Null: nobody asked. */
  packsFrom: SourceRun | null
}

const SIGNED: readonly RequirementStatus[] = ['passed', 'warned', 'waived']

export function isSigned(status: RequirementStatus): boolean {
  return SIGNED.includes(status)
}

/** PASSED only where every requirement passed and nothing was refused; WARNED where one was waived or has a warning. */
export function resultOf(
  requirements: readonly Pick<RequirementResult, 'status'>[],
  refusals: readonly unknown[],
): SignOff['result'] {
  if (requirements.length === 0 || refusals.length > 0) return 'FAILED'
  if (!requirements.every(({ status }) => isSigned(status))) return 'FAILED'
  return requirements.every(({ status }) => status === 'passed') ? 'PASSED' : 'WARNED'
}
