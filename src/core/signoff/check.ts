import { EXIT } from '../kernel/errors.ts'
import type { ExitCode } from '../kernel/errors.ts'
import { asSignOff, signOffExitCode } from './predicate.ts'
import type { SignOffPredicate } from './record-schema.ts'
import type { Requirement } from './requirement.ts'
import { isSigned, resultOf } from './sign-off.ts'
import { isNamedBy } from './subject.ts'
import { readTestResults } from './test-result.ts'
import type { ReadTestResult } from './test-result.ts'
import { timeOf } from './time.ts'

export interface CheckInput {
  text: string
  /** For messages. */
  file: string
  /** The subject that is to be used, as 64 hex digits. */
  subject: string
  /** What the record must have been asked for; empty: whatever it was. */
  requires: readonly Requirement[]
  allowSimulated: boolean
  nowMs: number
}

export interface CheckedSignOff {
  predicate: SignOffPredicate
  /** Empty: the record holds for this subject now. */
  problems: { code: string; text: string }[]
  exitCode: ExitCode
}

/**
 * Whether a sign-off still holds for a subject. Of several attestations the newest sign-off counts, whatever it says. It proves no signature:
 * that is `gh attestation verify`'s. Throws GateError, exit 4, for a file that is no sign-off.
 */
export function checkSignOff(input: CheckInput): CheckedSignOff {
  const all = readTestResults(input.text, input.file)
  const own = all.filter(({ predicate }) => 'capacityGateSignOff' in predicate)
  // A drill has the same type and subject, so that a verifier prints it too; alone it is refused for being none.
  const read = (own.length === 0 ? all : own).map((found) => ({
    found,
    predicate: asSignOff(found.predicate, input.file),
  }))
  const at = ({ predicate }: (typeof read)[number]) => timeOf(predicate.capacityGateSignOff.signedAt) ?? 0
  // Never empty: a list without entries is refused as it is read.
  const newest = read.reduce((best, one) => (at(one) > at(best) ? one : best))
  const problems = problemsOf(newest.predicate, newest.found, input)
  return { predicate: newest.predicate, problems, exitCode: exitCodeOf(newest.predicate, problems) }
}

function problemsOf(predicate: SignOffPredicate, found: ReadTestResult, input: CheckInput): CheckedSignOff['problems'] {
  const { requirements, refusals, subject, expiresOn, simulated } = predicate.capacityGateSignOff
  const problems: CheckedSignOff['problems'] = []
  const say = (code: string, text: string) => void problems.push({ code, text })
  if (predicate.result !== resultOf(requirements, refusals) || (simulated && predicate.result === 'PASSED')) {
    say('sign_off_contradictory', `it says ${predicate.result}, which does not follow from its requirements`)
  }
  for (const { requirement, status, text } of requirements) {
    if (!isSigned(status)) say('requirement_unmet', `${requirement} is ${status}: ${text}`)
  }
  for (const { source, text } of refusals) say('evidence_refused', `${source} ${text}`)
  if (subject === null || !isNamedBy(subject, input.subject)) {
    const own = subject === null ? 'no subject' : `sha256:${subject.subjectSha256}, image sha256:${subject.digest}`
    say('subject_differs', `it is about ${own}, and not about sha256:${input.subject}`)
  } else if (found.subjects !== null && !found.subjects.includes(subject.digest)) {
    say('subject_differs', 'it was attested for another subject than the one that it signs off')
  }
  const endMs = timeOf(expiresOn)
  if (endMs === null || endMs < input.nowMs) say('sign_off_expired', `it expired on ${expiresOn}`)
  const missing = input.requires.filter((name) => !requirements.some(({ requirement }) => requirement === name))
  for (const name of missing) say('requirement_not_asked', `it was not asked for ${name}`)
  if (simulated && !input.allowSimulated)
    say('sign_off_simulated', 'its numbers come from the embedded engine, a model')
  return problems
}

function exitCodeOf({ capacityGateSignOff }: SignOffPredicate, problems: CheckedSignOff['problems']): ExitCode {
  if (problems.length === 0) return EXIT.ok
  const own = signOffExitCode(capacityGateSignOff.requirements, capacityGateSignOff.refusals)
  if (own !== EXIT.ok) return own
  return problems.every(({ code }) => code === 'requirement_not_asked') ? EXIT.inconclusive : EXIT.invalid
}
