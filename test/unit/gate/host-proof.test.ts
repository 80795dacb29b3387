import { describe, expect, test } from 'vitest'
import type { CapacityRecord, CapacityResult } from '../../../src/core/capacity/record.ts'
import { gate } from '../../../src/core/gate/gate.ts'
import type { OnHostChange } from '../../../src/core/gate/host-proof.ts'
import { outputsOf } from '../../../src/core/gate/outputs.ts'
import { parseCapacityRecord, recordSha256 } from '../../../src/core/gate/read.ts'
import {
  baseline,
  boots,
  evidence,
  experimentValue,
  GUARD,
  heldCandidate,
  point,
  record,
  result,
  withExperiment,
} from './record-fixture.ts'

const AT_HOME = { hardware: { ...baseline().hardware, recorded: { gpuUuids: 'GPU-a' } } }
const AWAY = { hardware: { ...baseline().hardware, recorded: { gpuUuids: 'GPU-b' } } }
const base = baseline(AT_HOME)
const [cold, warm] = [
  result('confirm', boots('cold', GUARD.cold, 'pass')),
  result('confirm', boots('warm', GUARD.warm, 'pass')),
]

function proven(capacity: CapacityResult[], over: Partial<CapacityRecord> = {}): CapacityRecord {
  const hostProof = { baselineSha256: recordSha256(base), capacity, boots: [], reasons: [] }
  return { ...heldCandidate({ ...AWAY, ...over }), hostProof }
}

function judged(candidate: CapacityRecord, onHostChange?: OnHostChange, anchor: CapacityRecord | null = null) {
  const asked = onHostChange === undefined ? {} : { onHostChange }
  return gate({ candidate, baseline: base, anchor, onMissingBaseline: 'fail', ...asked })
}

const codes = (reasons: readonly { code: string }[]) => reasons.map(({ code }) => code)

describe('a record of another machine', () => {
  test('without a proof is inconclusive, whatever it says: it is never held by default', () => {
    const verdict = judged(heldCandidate(AWAY))
    expect([verdict.outcome, codes(verdict.reasons)]).toEqual(['inconclusive', ['host_unproven']])
    expect(judged(heldCandidate(AWAY), 'fail').reasons).toEqual([
      { code: 'host_changed', text: 'the machine is not the baseline’s: gpuUuids (GPU-a → GPU-b)' },
    ])
    expect(judged(heldCandidate(AWAY), 'accept').outcome).toBe('held')
  })

  test('is held once the baseline’s revision is proven in each state', () => {
    expect(judged(proven([cold, warm])).outcome).toBe('held')
    expect(codes(judged(proven([cold])).reasons)).toEqual(['host_unproven'])
  })

  test('with another baseline’s proof is not proven', () => {
    const candidate = proven([cold, warm])
    const other = baseline({ ...AT_HOME, createdAt: '2027-01-01T00:00:00.000Z' })
    const verdict = gate({ candidate, baseline: other, anchor: null, onMissingBaseline: 'fail' })
    expect(codes(verdict.reasons)).toEqual(['host_unproven'])
  })

  test('whose proof contradicts itself is invalid', () => {
    const claimed = { ...cold, passMilliRps: 30_000 }
    const verdict = judged(proven([claimed, warm]))
    expect([verdict.outcome, codes(verdict.reasons)]).toEqual(['invalid', ['record_contradictory']])
  })

  test('whose proof is lost blames nobody’s revision, and no other state is asked', () => {
    const lost = result('confirm', boots('cold', GUARD.cold, 'fail', 'fail'))
    const verdict = judged(proven([lost]))
    expect([verdict.outcome, codes(verdict.reasons)]).toEqual(['inconclusive', ['host_misses_baseline']])
  })

  test.each([
    [
      'a failed identity',
      [evidence('identity.version', { state: 'fail', blames: 'host', text: 'says "9.9"' })],
      'says "9.9"',
    ],
    [
      'other files under the same name',
      [evidence('identity.files', { file: '/opt/engine', sha256: '2'.repeat(64) })],
      '/opt/engine has other bytes',
    ],
  ])('whose proof shows %s proves nothing', (_what, found, text) => {
    const files = evidence('identity.files', { file: '/opt/engine', sha256: '1'.repeat(64) })
    const accepted = baseline(AT_HOME)
    for (const state of accepted.capacity) for (const each of state.points) each.evidence.push(files)
    const strange = point({ cache: 'cold', milliRps: GUARD.cold, outcome: 'invalid' })
    strange.evidence.push(...found)
    const candidate = proven([result('confirm', [strange])])
    const hostProof = {
      baselineSha256: recordSha256(accepted),
      capacity: [],
      boots: [],
      reasons: [],
      ...candidate.hostProof,
    }
    const verdict = gate({
      candidate: { ...candidate, hostProof: { ...hostProof, baselineSha256: recordSha256(accepted) } },
      baseline: accepted,
      anchor: null,
      onMissingBaseline: 'fail',
    })
    expect([verdict.outcome, codes(verdict.reasons)]).toEqual(['inconclusive', ['host_unproven']])
    expect(verdict.reasons[0]?.text).toContain(text)
  })

  test('does not let the declared minimum, above what the baseline carried, speak against the machine', () => {
    const terms = withExperiment(experimentValue({ min_capacity_rps: 26 }))
    const low = baseline({ ...AT_HOME, ...terms })
    const hostProof = { baselineSha256: recordSha256(low), capacity: [cold, warm], boots: [], reasons: [] }
    const lost = result('confirm', boots('cold', 26_000, 'fail', 'fail'))
    const held = result('confirm', boots('warm', GUARD.warm, 'pass'))
    const candidate = { ...record([lost, held], { ...AWAY, ...terms }), hostProof }
    const verdict = gate({ candidate, baseline: low, anchor: null, onMissingBaseline: 'fail' })
    expect(verdict.outcome).toBe('regressed')
    expect(codes(verdict.states[0]?.reasons ?? [])).toContain('below_min_capacity')
  })
})

describe('an anchor of another machine', () => {
  const anchor = record(
    [result('sweep', [point({ milliRps: 26_000 }), point({ milliRps: 26_500, outcome: 'fail' })])],
    AT_HOME,
  )
  const slower = (over: Partial<CapacityRecord>) =>
    record([result('confirm', boots('cold', 24_960, 'fail', 'fail')), warm], over)

  test('takes part where this one is proven, and that is said', () => {
    const candidate = { ...proven([cold, warm]), ...slower(AWAY) }
    const verdict = judged({ ...candidate, hostProof: proven([cold, warm]).hostProof ?? never() }, 'remeasure', anchor)
    expect(codes(verdict.states[0]?.reasons ?? [])).toContain('below_anchor')
    expect(codes(verdict.states[0]?.notes ?? [])).toContain('anchor_of_another_machine')
  })

  test('takes no part where this one is not: the loss may be the machine’s', () => {
    const verdict = judged(slower(AWAY), 'remeasure', anchor)
    expect(verdict.outcome).toBe('inconclusive')
    expect(codes(verdict.states[0]?.notes ?? [])).toContain('anchor_not_compared')
  })
})

test('a proof is read back, and its GPU-minutes count', () => {
  const candidate = proven([cold, warm])
  expect(parseCapacityRecord(JSON.stringify(candidate))).toEqual(candidate)
  const verdict = judged(candidate)
  expect(outputsOf(verdict, candidate)['gpu-minutes']).toBe('480')
  const broken = { ...candidate, hostProof: { ...candidate.hostProof, capacity: 'none' } }
  expect(() => parseCapacityRecord(JSON.stringify(broken))).toThrow(/hostProof\.capacity/)
})

function never(): never {
  throw new Error('there is a proof')
}
