import fc from 'fast-check'
import { expect, it } from 'vitest'
import { checkSignOff } from '../../../src/core/signoff/check.ts'
import { decideSignOff } from '../../../src/core/signoff/decide.ts'
import type { PackEvidence } from '../../../src/core/signoff/evidence.ts'
import type { Waiver } from '../../../src/core/signoff/policy-schema.ts'
import { predicateJson, signOffExitCode, signOffPredicate } from '../../../src/core/signoff/predicate.ts'
import { REQUIREMENTS } from '../../../src/core/signoff/requirement.ts'
import type { Requirement } from '../../../src/core/signoff/requirement.ts'
import { heldCandidate } from '../gate/record-fixture.ts'
import {
  drill,
  IMAGE,
  input,
  invalidCold,
  lostCold,
  NOW,
  only,
  pack,
  SUBJECT,
  undecidedCold,
  waiver,
} from './sign-off-fixture.ts'

type Seen = 'held' | 'regressed' | 'invalid' | 'inconclusive'

/** Packs, what each says of a state, and whether it may count at all: written down apart from the code. */
const PACKS: { pack: PackEvidence; says: Partial<Record<'cold' | 'warm', Seen>>; counts: boolean }[] = [
  { pack: pack(heldCandidate()), says: { cold: 'held', warm: 'held' }, counts: true },
  { pack: pack(lostCold()), says: { cold: 'regressed', warm: 'held' }, counts: true },
  { pack: pack(invalidCold()), says: { cold: 'invalid', warm: 'held' }, counts: true },
  { pack: pack(undecidedCold()), says: { cold: 'inconclusive', warm: 'held' }, counts: true },
  { pack: pack(only('cold')), says: { cold: 'held' }, counts: true },
  { pack: pack(only('warm')), says: { warm: 'held' }, counts: true },
  { pack: pack(heldCandidate(), { faults: ['x'] }), says: {}, counts: false },
  { pack: pack(heldCandidate({ createdAt: '2026-01-01T00:00:00.000Z' })), says: {}, counts: false },
  { pack: pack(heldCandidate({ kind: 'simulated' })), says: {}, counts: false },
  {
    pack: pack({ ...heldCandidate(), subject: { ...heldCandidate().subject, sha256: '0'.repeat(64), image: null } }),
    says: {},
    counts: false,
  },
]

const RESULTS = ['PASSED', 'WARNED', 'FAILED'] as const
const tests = fc.array(
  fc.record({
    requirement: fc.constantFrom<Requirement>('drill', 'parity'),
    result: fc.constantFrom(...RESULTS),
    isOwn: fc.boolean(),
  }),
  { maxLength: 3 },
)
const waivers = fc.array(
  fc.record({
    requirement: fc.constantFrom(...REQUIREMENTS),
    subject: fc.constantFrom(SUBJECT, `vllm/vllm-openai@sha256:${IMAGE}`, '0'.repeat(64)),
    expires: fc.constantFrom('2026-11-25', '2026-11-26', '2026-12-31'),
  }),
  { maxLength: 4 },
)
const cases = fc.record({
  packs: fc.array(fc.nat(PACKS.length - 1), { minLength: 1, maxLength: 3 }),
  tests,
  waivers,
  requires: fc.uniqueArray(fc.constantFrom(...REQUIREMENTS), { minLength: 1 }),
})

/** Whether a waiver of this subject that still holds names the requirement. */
function isWaived(requirement: Requirement, all: readonly Waiver[]): boolean {
  return all.some(
    (item) => item.requirement === requirement && !item.subject.startsWith('0') && item.expires >= '2026-11-26',
  )
}

it('signs nothing off with a requirement that failed or is missing, or with evidence that was refused', () => {
  fc.assert(
    fc.property(cases, ({ packs, tests: given, waivers: some, requires }) => {
      const chosen = packs.map((index) => PACKS[index]!)
      const evidence = given.map(({ requirement, result, isOwn }) =>
        drill({ requirement, subjects: [isOwn ? IMAGE : '0'.repeat(64)], predicate: { result, configuration: [] } }),
      )
      const policy = { requires, max_age_days: 30, valid_days: 90, waivers: some.map((item) => waiver(item)) }
      const signOff = decideSignOff(
        input({ policy, subject: SUBJECT, packs: chosen.map((item) => item.pack), tests: evidence }),
      )
      const exitCode = signOffExitCode(signOff.requirements, signOff.refusals)
      const isWhole = chosen.every(({ counts }) => counts) && given.every(({ isOwn }) => isOwn)
      const saw = (requirement: Requirement): string[] =>
        requirement === 'cold' || requirement === 'warm'
          ? chosen.flatMap(({ counts, says }) => (counts ? (says[requirement] ?? []) : []))
          : given.flatMap((item) => (item.requirement === requirement && item.isOwn ? [item.result] : []))
      const passed = (requirement: Requirement) => {
        const seen = saw(requirement)
        return seen.length > 0 && seen.every((one) => one === 'held' || one === 'PASSED')
      }
      const excused = (requirement: Requirement) => {
        const seen = saw(requirement)
        const isCapacity = requirement === 'cold' || requirement === 'warm'
        if (seen.includes('invalid') || (isCapacity && seen.length === 0)) return false
        return (
          isWaived(requirement, policy.waivers) ||
          (seen.length > 0 && seen.every((one) => one === 'PASSED' || one === 'WARNED'))
        )
      }
      const expected = !isWhole
        ? 'FAILED'
        : requires.every(passed)
          ? 'PASSED'
          : requires.every((name) => passed(name) || excused(name))
            ? 'WARNED'
            : 'FAILED'
      expect(signOff.result).toBe(expected)
      expect(exitCode === 0).toBe(expected !== 'FAILED')
      const text = predicateJson(signOffPredicate(signOff, '0.1.0', null))
      const check = checkSignOff({ text, file: 'x', subject: SUBJECT, requires, allowSimulated: false, nowMs: NOW })
      expect(check.exitCode === 0).toBe(expected !== 'FAILED')
      expect(check.problems.map(({ code }) => code)).not.toContain('sign_off_contradictory')
    }),
    { numRuns: 500 },
  )
})
