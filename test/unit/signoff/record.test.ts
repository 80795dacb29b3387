import { describe, expect, it } from 'vitest'
import { checkSignOff } from '../../../src/core/signoff/check.ts'
import type { CheckInput } from '../../../src/core/signoff/check.ts'
import { decideSignOff } from '../../../src/core/signoff/decide.ts'
import type { SignOffInput } from '../../../src/core/signoff/gather.ts'
import { DEFAULT_POLICY } from '../../../src/core/signoff/policy.ts'
import { PREDICATE_MAX_BYTES, predicateJson, signOffPredicate } from '../../../src/core/signoff/predicate.ts'
import { TEST_RESULT_TYPE } from '../../../src/core/signoff/test-result-schema.ts'
import { heldCandidate } from '../gate/record-fixture.ts'
import { IMAGE, input, invalidCold, lostCold, NOW, pack, SUBJECT, undecidedCold, waiver } from './sign-off-fixture.ts'

const RUN = 'https://github.com/acme/engine/actions/runs/18'
const predicate = (over: Partial<SignOffInput> = {}) => signOffPredicate(decideSignOff(input(over)), '0.1.0', RUN)
const DAY_MS = 86_400_000

function checked(value: unknown, over: Partial<CheckInput> = {}) {
  const text = JSON.stringify(value)
  const { problems, exitCode } = checkSignOff({
    text,
    file: 'sign-off.json',
    subject: SUBJECT,
    requires: [],
    allowSimulated: false,
    nowMs: NOW,
    ...over,
  })
  return { codes: problems.map(({ code }) => code), exitCode }
}

describe('the predicate', () => {
  it('has the fields of the type, and its tests are the requirements', () => {
    const policy = {
      ...DEFAULT_POLICY,
      requires: ['cold', 'warm', 'drill', 'parity'] as const,
      waivers: [waiver({ requirement: 'drill' })],
    }
    const {
      capacityGateSignOff: _,
      configuration,
      ...fields
    } = predicate({ policy: { ...policy, requires: [...policy.requires] } })
    expect(fields).toEqual({
      result: 'FAILED',
      url: RUN,
      passedTests: ['cold', 'warm'],
      warnedTests: ['drill'],
      failedTests: ['parity'],
    })
    for (const item of configuration) {
      expect(item).toEqual({ name: expect.any(String), digest: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } })
    }
  })

  it('stays far under what an attestation takes, whatever stands in packs and policy', () => {
    const long = '\u{1F4A5}'.repeat(60_000)
    const waivers = Array.from({ length: 100 }, () => waiver({ by: long, reason: long, subject: '0'.repeat(64) }))
    const packs = Array.from({ length: 64 }, (_, index) =>
      pack(lostCold(), { source: `${index}${long}`, faults: [long], unverified: Array(50).fill(long) }),
    )
    const text = predicateJson(predicate({ policy: { ...DEFAULT_POLICY, waivers }, packs }))
    expect(Buffer.byteLength(text)).toBeLessThan(PREDICATE_MAX_BYTES / 4)
    expect(text.isWellFormed()).toBe(true)
  })

  it('is refused where it is over the limit all the same', () => {
    const made = predicate()
    made.capacityGateSignOff.notes = Array(9000).fill('x'.repeat(2000))
    expect(() => predicateJson(made)).toThrow(expect.objectContaining({ code: 'predicate_too_large' }))
  })
})

describe('a check', () => {
  const attested = (value: object, sha256 = IMAGE) => ({
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: 'vllm/vllm-openai', digest: { sha256 } }],
    predicateType: TEST_RESULT_TYPE,
    predicate: value,
  })

  it.each<[string, unknown]>([
    ['a record', predicate()],
    ['its attestation', attested(predicate())],
    ['one with a waiver', predicate({ policy: { ...DEFAULT_POLICY, waivers: [waiver()] }, packs: [pack(lostCold())] })],
  ])('holds for %s', (_, value) => {
    expect(checked(value)).toEqual({ codes: [], exitCode: 0 })
    expect(checked(value, { subject: IMAGE })).toEqual({ codes: [], exitCode: 0 })
  })

  it.each<[string, Partial<SignOffInput>, number]>([
    ['a loss', { packs: [pack(lostCold())] }, 2],
    ['an undecided state', { packs: [pack(undecidedCold())] }, 3],
    ['an invalid one', { packs: [pack(invalidCold())] }, 4],
    ['refused evidence', { packs: [pack(heldCandidate(), { faults: ['x'] })] }, 4],
  ])('does not hold for a record of %s', (_, over, exitCode) => {
    expect(checked(predicate(over)).exitCode).toBe(exitCode)
  })

  it('does not hold for another subject, nor an attestation of another', () => {
    expect(checked(predicate(), { subject: '0'.repeat(64) })).toEqual({ codes: ['subject_differs'], exitCode: 4 })
    expect(checked(attested(predicate(), '0'.repeat(64)))).toEqual({ codes: ['subject_differs'], exitCode: 4 })
  })

  it('does not hold once it has expired, with a waiver’s last day at the latest', () => {
    expect(checked(predicate(), { nowMs: NOW + 90 * DAY_MS }).codes).toEqual([])
    expect(checked(predicate(), { nowMs: NOW + 90 * DAY_MS + 1 })).toEqual({ codes: ['sign_off_expired'], exitCode: 4 })
    const waived = predicate({ policy: { ...DEFAULT_POLICY, waivers: [waiver()] }, packs: [pack(lostCold())] })
    expect(checked(waived, { nowMs: Date.parse('2026-12-31T23:00:00Z') }).codes).toEqual([])
    expect(checked(waived, { nowMs: Date.parse('2027-01-01T00:00:00Z') }).codes).toEqual(['sign_off_expired'])
  })

  it('does not hold where it was asked for less', () => {
    expect(checked(predicate(), { requires: ['cold', 'drill'] })).toEqual({
      codes: ['requirement_not_asked'],
      exitCode: 3,
    })
  })

  it('does not hold for a simulated one, unless that is allowed', () => {
    const candidate = { ...heldCandidate(), kind: 'simulated' as const }
    const simulated = predicate({ packs: [pack(candidate, { verdict: pack().verdict })], allowSimulated: true })
    expect(checked(simulated)).toEqual({ codes: ['sign_off_simulated'], exitCode: 4 })
    expect(checked(simulated, { allowSimulated: true }).codes).toEqual([])
  })

  it('takes the newest of several attestations, whatever it says', () => {
    const of = (value: object) => ({
      verificationResult: { statement: attested(value), verifiedTimestamps: [{ timestamp: '2026-11-26T09:00:00Z' }] },
    })
    const later = predicate({ nowMs: NOW + DAY_MS, packs: [pack(lostCold())] })
    expect(checked([of(later), of(predicate())], { nowMs: NOW + DAY_MS }).exitCode).toBe(2)
    expect(
      checked([of(predicate({ nowMs: NOW + DAY_MS })), of(predicate({ packs: [pack(lostCold())] }))], {
        nowMs: NOW + DAY_MS,
      }).exitCode,
    ).toBe(0)
  })

  it('passes over the drills that a verifier prints beside it, and still refuses a sign-off that is none', () => {
    const of = (value: object) => ({
      verificationResult: { statement: attested(value), verifiedTimestamps: [{ timestamp: '2026-11-26T09:00:00Z' }] },
    })
    const drill = { result: 'FAILED', configuration: [] }
    expect(checked([of(drill), of(predicate()), of(drill)])).toEqual({ codes: [], exitCode: 0 })
    const broken = { ...drill, capacityGateSignOff: { schema: 2 } }
    for (const value of [[of(drill)], [of(predicate()), of(broken)]])
      expect(() => checked(value)).toThrow(expect.objectContaining({ code: 'sign_off_invalid', exitCode: 4 }))
  })

  const edited = (edit: (value: ReturnType<typeof predicate>) => void, over: Partial<SignOffInput> = {}) => {
    const value = predicate(over)
    edit(value)
    return value
  }
  it.each<[string, ReturnType<typeof predicate>]>([
    ['whose result was raised', edited((value) => (value.result = 'PASSED'), { packs: [pack(lostCold())] })],
    [
      'whose refusals were kept',
      edited((value) => (value.result = 'PASSED'), { packs: [pack(heldCandidate(), { faults: ['x'] })] }),
    ],
    ['of a simulated run that says PASSED', edited((value) => (value.capacityGateSignOff.simulated = true))],
  ])('finds a record %s', (_, value) => {
    expect(checked(value, { allowSimulated: true }).codes).toContain('sign_off_contradictory')
  })

  it.each<[string, unknown]>([
    ['another tool’s test result', { result: 'PASSED', configuration: [] }],
    ['one without requirements', edited((value) => (value.capacityGateSignOff.requirements = []))],
    ['one of a later schema', edited((value) => Object.assign(value.capacityGateSignOff, { schema: 2 }))],
  ])('refuses %s', (_, value) => {
    expect(() => checked(value)).toThrow(expect.objectContaining({ code: 'sign_off_invalid', exitCode: 4 }))
  })
})
