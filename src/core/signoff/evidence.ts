import type { CapacityRecord } from '../capacity/record.ts'
import { isImported } from '../gate/imported.ts'
import { wasDeployed } from '../gate/promotion.ts'
import type { StateVerdict, Verdict } from '../gate/verdict.ts'
import { CLOCK_AHEAD_MAX_MS } from '../kernel/clock-ahead.ts'
import type { SignOffRefusal } from './sign-off.ts'
import { isNamedBy, signedSubject } from './subject.ts'
import { DAY_MS, timeOf } from './time.ts'

/** A pack that was read and verified. */
export interface PackEvidence {
  kind: 'pack'
  source: string
  record: CapacityRecord
  verdict: Verdict
  /** The workflow run's page, where the pack knows it. */
  url: string | null
  capacitySha256: string
  manifestSha256: string
  /** What of it does not follow from its raw files; empty where it is whole. */
  faults: readonly string[]
  /** What of it could be neither proven nor refuted. */
  unverified: readonly string[]
}

/** A pack that could not be read. */
export interface UnreadablePack {
  kind: 'unreadable'
  source: string
  /** Of the failure. */
  code: string
  text: string
}

/** Digests of the records that were accepted as baseline; null where no store was named. */
export type AcceptedDigests = {
  all: readonly string[]
  /** The one that counts now. */
  current: string | null
  /** The last release's; null where there is none. */
  anchor: string | null
} | null

export interface PackTerms {
  nowMs: number
  maxAgeDays: number
  /** The subject that is to be signed off, as 64 hex digits; null: the packs' own. */
  subject: string | null
  accepted: AcceptedDigests
  allowSimulated: boolean
  /** The page of the run that they were taken from; null where none is named. */
  runUrl: string | null
}

/** Why a pack does not count, whatever it says; empty where it does. `first` is the first that counted: all are to be of one subject and experiment. */
export function packRefusals(pack: PackEvidence, first: PackEvidence | null, terms: PackTerms): SignOffRefusal[] {
  const { source, record, faults } = pack
  const refuse = (code: string, text: string): SignOffRefusal => ({ source, code, text })
  const found: SignOffRefusal[] = []
  if (faults.length > 0) {
    const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''
    found.push(refuse('pack_altered', `does not follow from its raw files: ${faults[0]}${more}`))
  }
  const age = ageRefusal(record.createdAt, terms)
  if (age !== null) found.push(refuse(`pack_${age.code}`, age.text))
  if (isImported(record)) found.push(refuse('pack_imported', 'another tool sent its requests: nothing proves its load'))
  if (record.kind === 'simulated' && !terms.allowSimulated) {
    found.push(refuse('pack_simulated', 'is of the embedded engine, a model of no hardware'))
  }
  if (!wasDeployed(record)) {
    found.push(refuse('pack_not_deployed', 'the run did not start the engine: nothing proves which revision it was'))
  }
  return [
    ...found,
    ...runRefusals(pack, terms),
    ...strangerRefusals(pack, first, terms),
    ...baselineRefusals(pack, terms),
  ]
}

/** GitHub says that a run was trusted, of that run alone: a pack of another one may lie in its artifacts. */
function runRefusals({ source, url }: PackEvidence, { runUrl }: PackTerms): SignOffRefusal[] {
  if (runUrl === null || (url !== null && runOf(url) === runOf(runUrl))) return []
  const own = url === null ? 'does not say of which run it is' : `is of the run ${url}`
  return [{ source, code: 'pack_of_another_run', text: `${own}, and was taken from ${runUrl}` }]
}

/** A run's page without its attempt, in the case in which GitHub compares names. */
function runOf(url: string): string {
  return url.replace(/\/attempts\/\d+\/?$/, '').toLowerCase()
}

function strangerRefusals(pack: PackEvidence, first: PackEvidence | null, terms: PackTerms): SignOffRefusal[] {
  const { source, record } = pack
  const subject = signedSubject(record)
  const found: SignOffRefusal[] = []
  const refuse = (code: string, text: string) => void found.push({ source, code, text })
  const own = `sha256:${record.subject.sha256}`
  if (terms.subject !== null && !isNamedBy(subject, terms.subject)) {
    refuse(
      'subject_differs',
      `is of the subject ${own}, image sha256:${subject.digest}, and not of sha256:${terms.subject}`,
    )
  }
  if (first === null) return found
  if (first.record.subject.sha256 !== record.subject.sha256) {
    refuse('subject_differs', `is of the subject ${own}; ${first.source} is of sha256:${first.record.subject.sha256}`)
  }
  if (first.record.gateId !== record.gateId || first.record.experiment.sha256 !== record.experiment.sha256) {
    refuse('experiment_differs', `was measured under another experiment than ${first.source}`)
  }
  if (first.record.kind !== record.kind)
    refuse('kind_differs', `is ${record.kind}; ${first.source} is ${first.record.kind}`)
  return found
}

/** A verdict against a record that nobody accepted says nothing: whoever can write a pack can write its baseline. */
function baselineRefusals({ source, verdict }: PackEvidence, { accepted }: PackTerms): SignOffRefusal[] {
  const { baselineSha256 } = verdict
  if (accepted === null || baselineSha256 === null || accepted.all.includes(baselineSha256)) return []
  const text = `was compared with sha256:${baselineSha256}, which was never accepted as baseline`
  return [{ source, code: 'baseline_not_accepted', text }]
}

/** Why evidence of that time does not count; null where it does. */
export function ageRefusal(
  at: string | null,
  { nowMs, maxAgeDays }: Pick<PackTerms, 'nowMs' | 'maxAgeDays'>,
): { code: 'undated' | 'from_future' | 'stale'; text: string } | null {
  const atMs = at === null ? null : timeOf(at)
  if (atMs === null) return { code: 'undated', text: 'does not say when it was measured' }
  if (atMs > nowMs + CLOCK_AHEAD_MAX_MS)
    return { code: 'from_future', text: `says that it was measured in the future: ${at}` }
  const days = (nowMs - atMs) / DAY_MS
  if (days <= maxAgeDays) return null
  return { code: 'stale', text: `was measured ${Math.floor(days)} days ago (${at}); at most ${maxAgeDays} days count` }
}

/** A state's measured result is what a waiver can accept. Where nothing was measured, or not of what, there is none. */
export function isMeasured(
  { reasons, candidateMilliRps, candidateFailMilliRps }: StateVerdict,
  verdict: Verdict,
): boolean {
  const unknown = [...verdict.reasons, ...reasons].some(({ code }) => NOT_A_RESULT.has(code))
  return !unknown && (candidateMilliRps !== null || candidateFailMilliRps !== null)
}

/** Reasons of an inconclusive verdict under which it is not known what was measured, or on what evidence. */
const NOT_A_RESULT: ReadonlySet<string> = new Set([
  'identity_unknown',
  'evidence_unknown',
  'point_unknown',
  'hardware_unknown',
  'candidate_state_missing',
  'imported_cohort',
])
