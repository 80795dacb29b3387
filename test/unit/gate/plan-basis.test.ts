import { describe, expect, it } from 'vitest'
import type { CapacityRecord } from '../../../src/core/capacity/record.ts'
import { gate } from '../../../src/core/gate/gate.ts'
import { planBasis } from '../../../src/core/gate/plan-basis.ts'
import type { MeasuredRun } from '../../../src/core/gate/plan-basis.ts'
import type { Verdict } from '../../../src/core/gate/verdict.ts'
import { canonicalSha256 } from '../../../src/core/kernel/canonical.ts'
import type { JsonValue } from '../../../src/core/kernel/canonical.ts'
import {
  baseline,
  boots,
  evidence,
  experimentValue,
  GUARD,
  heldCandidate,
  record,
  result,
  sweep,
} from './record-fixture.ts'

const BOTH = ['cold', 'warm'] as const
const verdictOf = (candidate: CapacityRecord): Verdict =>
  gate({ candidate, baseline: baseline(), anchor: null, onMissingBaseline: 'fail' })
const judged = (candidate: CapacityRecord): MeasuredRun => ({ record: candidate, verdict: verdictOf(candidate) })
const accepted = (candidate: CapacityRecord): MeasuredRun => ({ record: candidate, verdict: 'accepted' })
const codes = (run: MeasuredRun, caches: readonly ('cold' | 'warm')[] = BOTH) =>
  planBasis(run, caches).warnings.map(({ code }) => code)
const refused = (why: RegExp) =>
  expect.objectContaining({ code: 'plan_basis', exitCode: 4, message: expect.stringMatching(why) })

function withPlacement(placement: JsonValue): CapacityRecord {
  const value = { ...(experimentValue() as Record<string, JsonValue>), engine: { placement } }
  return { ...baseline(), experiment: { value, sha256: canonicalSha256(value) } }
}

describe('what a record gives a plan', () => {
  it('is the capacity a cache state with the placement that it was measured on', () => {
    const { placement, states, missing, warnings } = planBasis(accepted(baseline()), BOTH)
    expect(placement).toEqual({ tp: 2, pp: 1, dp: 4, replicas: 4, gpus: 8 })
    expect(states.map(({ cache }) => cache)).toEqual(['cold', 'warm'])
    expect(states[0]?.measured).toEqual({ capacityMilliRps: 24_000, replicas: 4, gpusPerReplica: 2 })
    expect([missing, warnings]).toEqual([[], []])
  })

  it('is a lower bound of a confirmation, and that is said', () => {
    expect(codes(judged(heldCandidate()))).toEqual(['not_a_sweep', 'not_a_sweep'])
  })

  it('is a lower bound where no rate failed', () => {
    expect(codes(accepted(record([sweep('cold', [16_000, 24_000], [])])), ['cold'])).toEqual(['no_failing_rate'])
  })

  it('names the state that has no figure, and goes on with the other', () => {
    const half = record([sweep('cold', [24_000], [24_960]), sweep('warm', [], [16_000])])
    const { states, missing } = planBasis(accepted(half), BOTH)
    expect(states.map(({ cache }) => cache)).toEqual(['cold'])
    expect(missing).toEqual([{ cache: 'warm', why: 'no rate passed' }])
    expect(planBasis(accepted(record([sweep('cold', [24_000], [24_960])])), BOTH).missing).toEqual([
      { cache: 'warm', why: 'it was not measured' },
    ])
    expect(() => planBasis(accepted(record([sweep('cold', [24_000], [24_960])])), ['warm'])).toThrow(
      refused(/warm: it was not measured$/),
    )
  })

  it('takes no figure from a state whose measurement is invalid', () => {
    const half = record([sweep('cold', [24_000], [24_960]), sweep('warm', [30_000], [31_200])])
    const verdict = verdictOf(half)
    const states = verdict.states.map((state) =>
      state.cache === 'warm' ? { ...state, outcome: 'invalid' as const } : state,
    )
    const run: MeasuredRun = { record: half, verdict: { ...verdict, outcome: 'invalid', states } }
    expect(planBasis(run, BOTH)).toMatchObject({
      states: [{ cache: 'cold' }],
      missing: [{ cache: 'warm', why: 'its measurement is invalid' }],
    })
    expect(() => planBasis(run, ['warm'])).toThrowError(refused(/warm: its measurement is invalid/))
  })

  it('says what verdict the figures stand under, where it is not that they were accepted', () => {
    const dropped = record([
      result('confirm', [...boots('cold', GUARD.cold, 'fail', 'fail'), ...boots('cold', 20_000, 'pass')]),
      result('confirm', boots('warm', GUARD.warm, 'pass')),
    ])
    expect(codes(judged(dropped), ['cold'])).toContain('verdict_regressed')
    expect(codes({ record: baseline(), verdict: null })).toEqual(['no_verdict'])
    const other = { ...baseline(), hardware: { mustEqual: { gpu: 'another' }, recorded: {} } }
    const warnings = planBasis(judged(other), BOTH).warnings.map(({ code }) => code)
    expect(warnings).toContain('verdict_inconclusive')
  })

  it('says under which accepted loss a state is held', () => {
    const verdict = verdictOf(heldCandidate())
    const acceptedLoss = {
      subjectSha256: 'd'.repeat(64),
      guardMilliRps: 23_040,
      floorMilliRps: 20_000,
      reason: 'meant',
      acceptedBy: 'somebody',
      expires: '2026-12-20',
      covers: [],
    }
    const states = verdict.states.map((state) => ({ ...state, acceptedLoss }))
    const { warnings } = planBasis({ record: heldCandidate(), verdict: { ...verdict, states } }, ['cold'])
    expect(warnings[0]?.text).toBe('cold: held under an accepted loss, which ends on 2026-12-20')
  })

  it('says of a simulated record that no engine stands behind it', () => {
    expect(codes(accepted({ ...baseline(), kind: 'simulated' }))).toEqual(['simulated'])
  })

  it.each<[string, CapacityRecord, RegExp]>([
    ['another tool’s requests', { ...baseline(), kind: 'imported' }, /another tool sent its requests/],
    ['an empty record', record([]), /cold: it was not measured; warm: it was not measured/],
    ['no rate that passed', record([sweep('cold', [], [16_000])]), /cold: no rate passed; warm: it was not measured/],
    [
      'a conclusion that its points do not show',
      record([sweep('cold', [24_000], [24_960], { passMilliRps: 48_000, failMilliRps: null })]),
      /no point shows the pass rate 48000/,
    ],
    [
      'the wrong revision',
      { ...baseline(), identity: [evidence('identity.version', { state: 'fail', blames: 'engine' })] },
      /identity\.version is fail/,
    ],
    ['no placement', withPlacement({}), /does not hold its placement/],
    ['a part of a GPU', withPlacement({ tp: 1, pp: 1, dp: 3, replicas: 3, gpus: 8 }), /8 GPUs are no whole number/],
    ['no replica', withPlacement({ tp: 1, pp: 1, dp: 1, replicas: 0, gpus: 8 }), /does not hold its placement/],
  ])('refuses %s', (_, candidate, why) => {
    expect(() => planBasis(accepted(candidate), BOTH)).toThrowError(refused(why))
  })
})
