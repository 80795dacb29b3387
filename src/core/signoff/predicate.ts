import { EXIT, GateError } from '../kernel/errors.ts'
import type { ExitCode } from '../kernel/errors.ts'
import { signOffSchema } from './record-schema.ts'
import type { SignOffPredicate } from './record-schema.ts'
import { isSigned } from './sign-off.ts'
import type { RequirementResult, RequirementStatus, SignOff } from './sign-off.ts'
import type { TestResult } from './test-result-schema.ts'

/** What an attestation takes as predicate, in bytes. */
export const PREDICATE_MAX_BYTES = 16 * 1024 * 1024

/** Characters of a text from outside that the record keeps. */
const TEXT_MAX = 2000

/**
 * A sign-off as an in-toto test-result predicate (v0.1). Its tests are the requirements: one that was waived or has a warning is a warned
 * test, and whatever was not shown is a failed one.
 */
export function signOffPredicate(signOff: SignOff, toolVersion: string, runUrl: string | null): SignOffPredicate {
  const { result, configuration, requirements, ...facts } = signOff
  const named = (...statuses: RequirementStatus[]) =>
    requirements.filter(({ status }) => statuses.includes(status)).map(({ requirement }) => requirement)
  return bounded({
    result,
    configuration: configuration.map(({ name, digest }) => ({ name, digest: { ...digest } })),
    ...(runUrl === null ? {} : { url: runUrl }),
    passedTests: named('passed'),
    warnedTests: named('warned', 'waived'),
    failedTests: named('failed', 'invalid', 'undecided', 'missing'),
    capacityGateSignOff: { schema: 1, toolVersion, ...facts, requirements },
  })
}

export function predicateJson(predicate: SignOffPredicate): string {
  const text = `${JSON.stringify(predicate, null, 2)}\n`
  const size = new TextEncoder().encode(text).length
  if (size <= PREDICATE_MAX_BYTES) return text
  throw new GateError({
    code: 'predicate_too_large',
    message: `the sign-off has ${size} bytes; an attestation takes ${PREDICATE_MAX_BYTES}`,
    hint: 'hand in fewer packs',
    exitCode: EXIT.invalid,
  })
}

/** Every text cut to what is kept of it, and made whole where a cut halved a character. */
function bounded<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_, item: unknown) =>
    typeof item === 'string' ? item.slice(0, TEXT_MAX).toWellFormed() : item,
  ) as T
}

/** A predicate that was read as a test result, as a sign-off of ours. Throws GateError `sign_off_invalid`, exit 4. */
export function asSignOff(predicate: TestResult, name: string): SignOffPredicate {
  const parsed = signOffSchema.safeParse(predicate)
  if (parsed.success) return parsed.data
  const where = parsed.error.issues[0]?.path.map(String).join('.').slice(0, 200) ?? ''
  throw new GateError({
    code: 'sign_off_invalid',
    message: `${name} is no sign-off of a capacity: ${where === '' ? 'it' : where} is not as expected`,
    hint: 'give the sign-off.json that `sign-off` wrote, or its attestation as `gh attestation verify --format json` prints it',
    exitCode: EXIT.invalid,
  })
}

/** 0 signed off · 2 a requirement failed · 4 evidence is refused or invalid · 3 evidence is missing or undecided. */
export function signOffExitCode(
  requirements: readonly Pick<RequirementResult, 'status'>[],
  refusals: readonly unknown[],
): ExitCode {
  const has = (...statuses: RequirementStatus[]) => requirements.some(({ status }) => statuses.includes(status))
  if (has('failed')) return EXIT.regressed
  if (refusals.length > 0 || has('invalid')) return EXIT.invalid
  return requirements.length > 0 && requirements.every(({ status }) => isSigned(status)) ? EXIT.ok : EXIT.inconclusive
}
