import { gate } from '../../../src/core/gate/gate.ts'
import { recordSha256 } from '../../../src/core/gate/read.ts'
import type { CapacityRecord } from '../../../src/core/capacity/record.ts'
import type { SignOffInput, TestEvidence } from '../../../src/core/signoff/gather.ts'
import type { PackEvidence } from '../../../src/core/signoff/evidence.ts'
import type { Waiver } from '../../../src/core/signoff/policy-schema.ts'
import { DEFAULT_POLICY } from '../../../src/core/signoff/policy.ts'
import { TEST_RESULT_TYPE } from '../../../src/core/signoff/test-result-schema.ts'
import { baseline, boots, GUARD, heldCandidate, record, result } from '../gate/record-fixture.ts'

/** Six days after the records of the fixture were measured. */
export const NOW = Date.parse('2026-11-26T08:00:00.000Z')
export const SUBJECT = 'd'.repeat(64)
export const IMAGE = 'e'.repeat(64)

const ACCEPTED = baseline()
const ACCEPTED_SHA256 = recordSha256(ACCEPTED)

/** A whole pack of a record, judged against the accepted one. */
export function pack(candidate: CapacityRecord = heldCandidate(), over: Partial<PackEvidence> = {}): PackEvidence {
  return {
    kind: 'pack',
    source: 'pack',
    record: candidate,
    verdict: over.verdict ?? gate({ candidate, baseline: ACCEPTED, anchor: null, onMissingBaseline: 'fail' }),
    url: 'https://github.com/acme/engine/actions/runs/17',
    capacitySha256: 'b'.repeat(64),
    manifestSha256: 'a'.repeat(64),
    faults: [],
    unverified: [],
    ...over,
  }
}

/** Cold lost a tenth on two boots; warm holds. */
export function lostCold(over: Partial<CapacityRecord> = {}): CapacityRecord {
  const cold = [...boots('cold', GUARD.cold, 'fail', 'fail')]
  return record([result('confirm', cold), result('confirm', boots('warm', GUARD.warm, 'pass'))], over)
}

/** The client disturbed cold; warm holds. */
export function invalidCold(): CapacityRecord {
  return record([
    result('confirm', boots('cold', GUARD.cold, 'invalid')),
    result('confirm', boots('warm', GUARD.warm, 'pass')),
  ])
}

/** Boots disagree on cold, measured all the same; warm holds. */
export function undecidedCold(): CapacityRecord {
  return record([
    result('confirm', boots('cold', GUARD.cold, 'fail')),
    result('confirm', boots('warm', GUARD.warm, 'pass')),
  ])
}

export function only(cache: 'cold' | 'warm', over: Partial<CapacityRecord> = {}): CapacityRecord {
  return record([result('confirm', boots(cache, GUARD[cache], 'pass'))], over)
}

export function waiver(over: Partial<Waiver> = {}): Waiver {
  return {
    requirement: 'cold',
    subject: `sha256:${SUBJECT}`,
    by: 'ada',
    reason: 'known, mended in the next patch',
    expires: '2026-12-31',
    ...over,
  }
}

/** What another tool says of the fixture's image. */
export function drill(over: Partial<TestEvidence> = {}): TestEvidence {
  return {
    requirement: 'drill',
    source: 'drill.json',
    sha256: 'b'.repeat(64),
    predicate: { result: 'PASSED', configuration: [] },
    subjects: [IMAGE],
    atMs: NOW - 86_400_000,
    ...over,
  }
}

export function statement(over: Record<string, unknown> = {}, predicate: Record<string, unknown> = {}): object {
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: 'vllm/vllm-openai', digest: { sha256: IMAGE } }],
    predicateType: TEST_RESULT_TYPE,
    predicate: { result: 'PASSED', configuration: [], finishedOn: '2026-11-25T08:00:00Z', ...predicate },
    ...over,
  }
}

export function input(over: Partial<SignOffInput> = {}): SignOffInput {
  return {
    policy: DEFAULT_POLICY,
    policySha256: 'c'.repeat(64),
    subject: null,
    packs: over.packs ?? [pack()],
    tests: [],
    accepted: { all: [ACCEPTED_SHA256], current: ACCEPTED_SHA256, anchor: null },
    allowSimulated: false,
    approval: null,
    packsFrom: null,
    nowMs: NOW,
    ...over,
  }
}
