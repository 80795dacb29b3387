import { ageRefusal, packRefusals } from './evidence.ts'
import type { AcceptedDigests, PackEvidence, PackTerms, UnreadablePack } from './evidence.ts'
import type { Policy } from './policy-schema.ts'
import type { Requirement } from './requirement.ts'
import type { Approval, Descriptor, SignOffRefusal, SourceRun } from './sign-off.ts'
import { isNamedBy, signedSubject } from './subject.ts'
import type { SignedSubject } from './subject.ts'
import type { ReadTestResult } from './test-result.ts'
import { isoTime } from './time.ts'

/** A test result that another tool left for a requirement. */
export interface TestEvidence extends ReadTestResult {
  requirement: Requirement
  source: string
  /** Of the file. */
  sha256: string
}

export interface SignOffInput {
  policy: Policy
  /** SHA-256 of the policy's file; null where there is none. */
  policySha256: string | null
  /** The subject that is to be signed off, as 64 hex digits; null: the packs' own. */
  subject: string | null
  packs: readonly (PackEvidence | UnreadablePack)[]
  tests: readonly TestEvidence[]
  accepted: AcceptedDigests
  allowSimulated: boolean
  approval: Approval | null
  packsFrom: SourceRun | null
  nowMs: number
}

/** What counts, and what was refused. */
export interface Gathered {
  packs: PackEvidence[]
  tests: TestEvidence[]
  subject: SignedSubject | null
  refusals: SignOffRefusal[]
}

/** Sorts what was handed in: what is of one subject, recent and whole, and what is refused. */
export function gather(input: SignOffInput): Gathered {
  const { policy, subject, accepted, allowSimulated, packsFrom, nowMs } = input
  const runUrl = packsFrom?.url ?? null
  const terms: PackTerms = { nowMs, maxAgeDays: policy.max_age_days, subject, accepted, allowSimulated, runUrl }
  const gathered: Gathered = { packs: [], tests: [], subject: null, refusals: [] }
  for (const pack of input.packs) {
    const refusals =
      pack.kind === 'unreadable'
        ? [{ source: pack.source, code: pack.code, text: pack.text }]
        : packRefusals(pack, gathered.packs[0] ?? null, terms)
    gathered.refusals.push(...refusals)
    if (pack.kind === 'pack' && refusals.length === 0) gathered.packs.push(pack)
  }
  const [first] = gathered.packs
  gathered.subject = first === undefined ? null : signedSubject(first.record)
  for (const test of newestOf(input.tests, terms)) {
    const refusal = testRefusal(test, gathered.subject, terms)
    if (refusal === null) gathered.tests.push(test)
    else gathered.refusals.push({ source: test.source, ...refusal })
  }
  return gathered
}

/**
 * Of what a verifier printed of one subject all attestations that it ever had: those that are too old do not speak for it any more where a
 * newer one does, and a sign-off of ours, of the same type, is none of them. Alone each is refused for what it is.
 */
function newestOf(tests: readonly TestEvidence[], terms: PackTerms): TestEvidence[] {
  const isPast = ({ predicate, atMs }: TestEvidence) =>
    'capacityGateSignOff' in predicate || (atMs !== null && ageRefusal(isoTime(atMs), terms)?.code === 'stale')
  const files = Map.groupBy(tests, ({ requirement, source }) => JSON.stringify([requirement, source]))
  return [...files.values()].flatMap((ofFile) => {
    const current = ofFile.filter((test) => !isPast(test))
    return current.length === 0 ? ofFile : current
  })
}

function testRefusal(
  { predicate, subjects, atMs }: TestEvidence,
  subject: SignedSubject | null,
  terms: PackTerms,
): { code: string; text: string } | null {
  // Of the same type and subject: what asks for a drill would else be answered by an earlier sign-off.
  if ('capacityGateSignOff' in predicate)
    return { code: 'test_is_sign_off', text: 'is a sign-off of a capacity, and no test of another tool' }
  if (subjects === null)
    return { code: 'test_without_subject', text: 'does not say what it is about: give the whole statement' }
  if (subject === null || !subjects.some((digest) => isNamedBy(subject, digest))) {
    return { code: 'subject_differs', text: 'is about another subject than the packs' }
  }
  const age = ageRefusal(atMs === null ? null : isoTime(atMs), terms)
  return age && { code: `test_${age.code}`, text: age.text }
}

/** Everything that the decision rests on, by digest. */
export function configurationOf({ policySha256 }: SignOffInput, { packs, tests }: Gathered): Descriptor[] {
  const of = (name: string, sha256: string): Descriptor => ({ name, digest: { sha256 } })
  const ofPack = ({ source, record, manifestSha256, capacitySha256 }: PackEvidence) => [
    of(`${source}/workload-manifest.yaml`, manifestSha256),
    of(`${source}/capacity.json`, capacitySha256),
    ...Object.entries(record.schedules).map(([cache, sha256]) => of(`${source}/schedules/${cache}.jsonl`, sha256)),
  ]
  return [
    ...(policySha256 === null ? [] : [of('sign-off.yaml', policySha256)]),
    ...packs.flatMap(ofPack),
    ...tests.map(({ source, sha256 }) => of(source, sha256)),
  ]
}
