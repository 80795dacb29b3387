import { configurationOf, gather } from './gather.ts'
import type { Gathered, SignOffInput } from './gather.ts'
import type { Waiver } from './policy-schema.ts'
import { isCapacity, REQUIREMENTS, sha256Of } from './requirement.ts'
import type { Requirement } from './requirement.ts'
import { acceptedUntilMs, seenOf } from './seen.ts'
import { resultOf } from './sign-off.ts'
import type { RequirementResult, RequirementStatus, SignOff } from './sign-off.ts'
import { isNamedBy } from './subject.ts'
import type { SignedSubject } from './subject.ts'
import { DAY_MS, endOfDay, isoTime } from './time.ts'
import { packNotes } from './wording.ts'

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
  const waived = results.flatMap(({ waiver }) => (waiver === null ? [] : [endOfDay(waiver.expires) ?? nowMs]))
  const ends = [...waived, ...acceptedEnds(gathered, input)]
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

/** What was accepted until a day is signed off until that day at most. */
function acceptedEnds({ packs }: Gathered, { policy, nowMs }: SignOffInput): number[] {
  const states = packs.flatMap(({ verdict }) => verdict.states).filter(({ cache }) => policy.requires.includes(cache))
  return states
    .flatMap(({ acceptedLoss }) => (acceptedLoss === undefined ? [] : [acceptedUntilMs(acceptedLoss)]))
    .filter((endMs) => endMs >= nowMs)
}

function judge(requirement: Requirement, gathered: Gathered, input: SignOffInput): RequirementResult {
  const found = seenOf(requirement, gathered, input.nowMs)
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
