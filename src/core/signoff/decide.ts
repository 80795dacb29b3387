import type { StateVerdict } from '../gate/verdict.ts'
import { ageRefusal, isMeasured, packRefusals } from './evidence.ts'
import type { AcceptedDigests, PackEvidence, PackTerms, UnreadablePack } from './evidence.ts'
import type { Policy, Waiver } from './policy-schema.ts'
import { isCapacity, REQUIREMENTS, sha256Of } from './requirement.ts'
import type { Requirement } from './requirement.ts'
import { resultOf } from './sign-off.ts'
import type {
  Approval,
  Descriptor,
  EvidenceRef,
  RequirementResult,
  RequirementStatus,
  SignOff,
  SignOffRefusal,
  SourceRun,
} from './sign-off.ts'
import { isNamedBy, signedSubject } from './subject.ts'
import type { SignedSubject } from './subject.ts'
import type { ReadTestResult } from './test-result.ts'
import { DAY_MS, endOfDay, isoTime } from './time.ts'
import { packNotes, stateText } from './wording.ts'

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
interface Gathered {
  packs: PackEvidence[]
  tests: TestEvidence[]
  subject: SignedSubject | null
  refusals: SignOffRefusal[]
}

/**
 * Decides whether a release is signed off: every requirement by the worst of its evidence, of one subject, recent and whole. Only a named
 * waiver for this very subject stands for a measured loss or for a drill or parity that is missing. Pure; never throws.
 */
export function decideSignOff(input: SignOffInput): SignOff {
  const { policy, nowMs } = input
  const gathered = gather(input)
  const results = policy.requires.map((requirement) => judge(requirement, gathered, input))
  const others = REQUIREMENTS.filter((name) => !policy.requires.includes(name))
  const beside = others.map((requirement) => judge(requirement, gathered, input))
  const first = gathered.packs[0]?.record ?? null
  const ends = results.flatMap(({ waiver }) => (waiver === null ? [] : [endOfDay(waiver.expires) ?? nowMs]))
  return {
    result: resultOf(results, gathered.refusals),
    subject: gathered.subject,
    gateId: first?.gateId ?? null,
    experimentSha256: first?.experiment.sha256 ?? null,
    simulated: gathered.packs.some(({ record }) => record.kind === 'simulated'),
    signedAt: isoTime(nowMs),
    expiresOn: isoTime(Math.min(nowMs + policy.valid_days * DAY_MS, ...ends)),
    maxAgeDays: policy.max_age_days,
    requirements: results,
    refusals: gathered.refusals,
    notes: [...besideNotes(beside), ...notesOn(input, gathered, results)],
    configuration: configurationOf(input, gathered),
    approval: input.approval,
    packsFrom: input.packsFrom,
  }
}

function gather(input: SignOffInput): Gathered {
  const { policy, subject, accepted, allowSimulated, nowMs } = input
  const terms: PackTerms = { nowMs, maxAgeDays: policy.max_age_days, subject, accepted, allowSimulated }
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
  for (const test of input.tests) {
    const refusal = testRefusal(test, gathered.subject, terms)
    if (refusal === null) gathered.tests.push(test)
    else gathered.refusals.push({ source: test.source, ...refusal })
  }
  return gathered
}

function testRefusal(
  { subjects, atMs }: TestEvidence,
  subject: SignedSubject | null,
  terms: PackTerms,
): { code: string; text: string } | null {
  if (subjects === null)
    return { code: 'test_without_subject', text: 'does not say what it is about: give the whole statement' }
  if (subject === null || !subjects.some((digest) => isNamedBy(subject, digest))) {
    return { code: 'subject_differs', text: 'is about another subject than the packs' }
  }
  const age = ageRefusal(atMs === null ? null : isoTime(atMs), terms)
  return age && { code: `test_${age.code}`, text: age.text }
}

function judge(requirement: Requirement, gathered: Gathered, input: SignOffInput): RequirementResult {
  const found = isCapacity(requirement) ? ofPacks(requirement, gathered) : ofTests(requirement, gathered)
  const worst = found.toSorted((a, b) => BEST_FIRST.indexOf(b.status) - BEST_FIRST.indexOf(a.status))[0]
  const seen = worst ?? {
    status: 'missing',
    isWaivable: !isCapacity(requirement),
    text: isCapacity(requirement) ? `no pack holds a ${requirement} verdict that counts` : 'no test result that counts',
  }
  const evidence = found.map(({ ref }) => ref)
  const plain = { requirement, status: seen.status, text: seen.text, evidence, waiver: null }
  if (seen.status === 'passed' || seen.status === 'warned') return plain
  const waiver = waiverFor(requirement, gathered.subject, input.policy.waivers)
  if (waiver === null) return plain
  if (!seen.isWaivable)
    return { ...plain, text: `${seen.text}; it cannot be waived, since nothing was measured that could be accepted` }
  if ((endOfDay(waiver.expires) ?? 0) < input.nowMs) {
    return { ...plain, text: `${seen.text}; the waiver by ${waiver.by} expired on ${waiver.expires}` }
  }
  const { by, reason, expires } = waiver
  // Another pack of this state may hold what no waiver can accept.
  const isCovered = found.every(({ status, isWaivable }) => status === 'passed' || status === 'warned' || isWaivable)
  return isCovered ? { ...plain, status: 'waived', waiver: { by, reason, expires } } : plain
}

const BEST_FIRST: readonly RequirementStatus[] = [
  'passed',
  'warned',
  'waived',
  'missing',
  'undecided',
  'invalid',
  'failed',
]

interface Seen {
  status: RequirementStatus
  isWaivable: boolean
  text: string
  ref: EvidenceRef
}

function ofPacks(cache: 'cold' | 'warm', { packs }: Gathered): Seen[] {
  return packs.flatMap((pack) => {
    const { states } = pack.verdict
    if (states.length === 0) return [ofNoState(pack)]
    return states.filter((state) => state.cache === cache).map((state) => ofState(pack, state))
  })
}

/** A run that came to no state at all says so of every state that it might have measured. */
function ofNoState({ source, record, verdict, url, capacitySha256 }: PackEvidence): Seen {
  const { outcome } = verdict
  const text = `${outcome}: ${verdict.reasons[0]?.text ?? 'nothing was measured'}`
  const ref = { source, sha256: capacitySha256, outcome, measuredAt: record.createdAt, url, text }
  return { status: outcome === 'regressed' ? 'failed' : 'invalid', isWaivable: false, text, ref }
}

function ofState({ source, record, verdict, url, capacitySha256 }: PackEvidence, state: StateVerdict): Seen {
  const text = stateText(state)
  const { outcome } = state
  const ref = { source, sha256: capacitySha256, outcome, measuredAt: record.createdAt, url, text }
  const isWaivable = isMeasured(state, verdict)
  switch (outcome) {
    case 'held':
    case 'improved': {
      const isExcepted = record.kind === 'simulated' || state.acceptedLoss !== undefined
      return { status: isExcepted ? 'warned' : 'passed', isWaivable, text, ref }
    }
    case 'regressed':
      return { status: 'failed', isWaivable, text, ref }
    case 'invalid':
      return { status: 'invalid', isWaivable: false, text, ref }
    case 'inconclusive':
    case 'recorded':
      return { status: 'undecided', isWaivable, text, ref }
  }
}

const TEST_STATUS = { PASSED: 'passed', WARNED: 'warned', FAILED: 'failed' } as const

function ofTests(requirement: Requirement, { tests }: Gathered): Seen[] {
  return tests
    .filter((test) => test.requirement === requirement)
    .map(({ source, sha256, predicate: { result, url, failedTests = [] }, atMs }) => {
      const which = failedTests.length === 0 ? '' : `: ${failedTests.slice(0, 5).join(', ')}`
      const text = `${result}${which}`
      const ref = { source, sha256, outcome: result, measuredAt: isoTime(atMs ?? 0), url: url ?? null, text }
      return { status: TEST_STATUS[result], isWaivable: true, text, ref }
    })
}

/** Of two for one subject, by its hash and by its image, the one that ends later. */
function waiverFor(requirement: Requirement, subject: SignedSubject | null, waivers: readonly Waiver[]): Waiver | null {
  const own = waivers.filter((waiver) => {
    const digest = sha256Of(waiver.subject)
    return waiver.requirement === requirement && subject !== null && digest !== null && isNamedBy(subject, digest)
  })
  return own.toSorted((a, b) => (a.expires < b.expires ? 1 : -1))[0] ?? null
}

/** What was handed in and not asked for decides nothing; it is not passed over in silence. */
function besideNotes(results: readonly RequirementResult[]): string[] {
  return results
    .filter(({ status, evidence }) => evidence.length > 0 && status !== 'passed')
    .map(({ requirement, text }) => `${requirement} is not required, and decides nothing: ${text}`)
}

function notesOn(input: SignOffInput, gathered: Gathered, results: readonly RequirementResult[]): string[] {
  const notes = packNotes(gathered.packs, input.accepted)
  if (input.policySha256 === null) notes.push('there is no policy file: what was asked for was said by the command')
  for (const { requirement, by, subject } of input.policy.waivers) {
    const digest = sha256Of(subject)
    const isOwn = gathered.subject !== null && digest !== null && isNamedBy(gathered.subject, digest)
    const result = results.find((item) => item.requirement === requirement)
    if (!isOwn) notes.push(`the waiver of ${requirement} by ${by} is for another subject`)
    else if (result === undefined || result.status === 'passed' || result.status === 'warned') {
      notes.push(`the waiver of ${requirement} by ${by} is not needed: remove it`)
    }
  }
  return notes
}

/** Everything that the decision rests on, by digest. */
function configurationOf({ policySha256 }: SignOffInput, { packs, tests }: Gathered): Descriptor[] {
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
