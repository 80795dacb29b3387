import { expect, test } from 'vitest'
import type { CapacityRecord } from '../../../src/core/capacity/record.ts'
import { exitCodeOf } from '../../../src/core/gate/exit.ts'
import { gate } from '../../../src/core/gate/gate.ts'
import { outputsOf } from '../../../src/core/gate/outputs.ts'
import { promotionObstacles } from '../../../src/core/gate/promotion.ts'
import type { Outcome } from '../../../src/core/gate/verdict.ts'
import { allReasons, decidingState, worstOutcome } from '../../../src/core/gate/verdict.ts'
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
  sweep,
  withExperiment,
} from './record-fixture.ts'

const judge = (candidate: CapacityRecord, base: CapacityRecord | null = baseline()) =>
  gate({ candidate, baseline: base, anchor: null, onMissingBaseline: 'fail' })
const regressed = record([
  result('confirm', boots('cold', GUARD.cold, 'pass')),
  result('confirm', [
    ...boots('warm', GUARD.warm, 'fail', 'fail'),
    point({ cache: 'warm', milliRps: 27_000, deployId: 'warm-boot-3' }),
  ]),
])

test.each([
  ['held', 0],
  ['improved', 0],
  ['recorded', 0],
  ['regressed', 2],
  ['inconclusive', 3],
  ['invalid', 4],
] as const)('%s ends with exit code %i', (outcome, code) => {
  expect(exitCodeOf({ ...judge(heldCandidate()), outcome })).toBe(code)
  expect(exitCodeOf({ ...judge(heldCandidate()), outcome }, 'warn')).toBe(outcome === 'inconclusive' ? 0 : code)
})

test('a workload that was loosened is never only a warning', () => {
  const loosened = heldCandidate(withExperiment(experimentValue({ error_rate_max: 0.5 })))
  const verdict = judge(loosened)
  expect(verdict.outcome).toBe('inconclusive')
  expect(exitCodeOf(verdict, 'warn')).toBe(3)
})

test('a missing baseline is never only a warning', () => {
  const verdict = judge(heldCandidate(), null)
  expect(verdict.outcome).toBe('inconclusive')
  expect(exitCodeOf(verdict, 'warn')).toBe(3)
})

test('the outputs are plain numbers of the deciding state', () => {
  const { reasons, ...outputs } = outputsOf(judge(regressed), regressed)
  expect(outputs).toEqual({
    verdict: 'regressed',
    'cold-verdict': 'held',
    'warm-verdict': 'regressed',
    'capacity-rps': '27',
    'baseline-rps': '30',
    'delta-percent': '-10',
    'cold-capacity-rps': '23.04',
    'warm-capacity-rps': '27',
    'limiting-class': 'long_context',
    'gpu-minutes': '240',
  })
  expect(JSON.parse(reasons)).toMatchObject([
    { cache: 'cold', code: 'guard_held' },
    { cache: 'warm', code: 'below_baseline', value: 27, limit: 28.8 },
    { cache: 'warm', code: 'class_attainment', class: 'long_context' },
  ])
})

test('what was not found is empty, never zero', () => {
  const empty = record([])
  expect(
    outputsOf(gate({ candidate: empty, baseline: null, anchor: null, onMissingBaseline: 'record' }), empty),
  ).toMatchObject({
    verdict: 'invalid',
    'cold-verdict': '',
    'capacity-rps': '',
    'baseline-rps': '',
    'delta-percent': '',
    'limiting-class': '',
  })
  expect(outputsOf(judge(heldCandidate()), heldCandidate())['delta-percent']).toBe('')
})

test('the worst outcome is by the order of the words, and cold stands on a tie', () => {
  const order: Outcome[] = ['regressed', 'invalid', 'inconclusive', 'recorded', 'held', 'improved']
  for (const [index, outcome] of order.entries()) expect(worstOutcome(order.slice(index).toReversed())).toBe(outcome)
  expect(worstOutcome([])).toBeNull()
  expect(decidingState(judge(heldCandidate()))?.cache).toBe('cold')
  expect(decidingState(judge(regressed))?.cache).toBe('warm')
})

test('run reasons come before the states’', () => {
  const verdict = judge(heldCandidate({ kind: 'simulated' }))
  expect(allReasons(verdict)[0]).toMatchObject({ cache: null, code: 'kind_differs' })
})

test.each([
  ['a sweep with a narrow bracket', baseline(), []],
  ['a confirmation', heldCandidate(), ['not_a_sweep', 'not_a_sweep']],
  ['a wide bracket', record([sweep('cold', [20_000], [24_000])]), ['bracket_too_wide']],
  ['a bracket exactly as wide as the tolerance', record([sweep('cold', [24_000], [24_960])]), []],
  ['no ceiling', record([sweep('cold', [24_000], [])]), ['no_failing_rate']],
  ['no pass', record([sweep('cold', [], [24_000])]), ['no_passing_rate']],
  ['no state', record([]), ['nothing_measured']],
  [
    'an engine that stood before',
    baseline({ subject: { ...baseline().subject, image: null, argv: [] } }),
    ['not_deployed'],
  ],
  ['a lying revision', baseline({ identity: [evidence('identity.version', { state: 'fail' })] }), ['evidence_failed']],
  [
    'a contradiction',
    baseline({ capacity: [sweep('cold', [24_000], [24_500], { passMilliRps: 24_499 })] }),
    ['record_contradictory'],
  ],
  [
    'a tolerance that allows it',
    record([sweep('cold', [20_000], [24_000])], withExperiment(experimentValue({ capacity_tolerance: 0.25 }))),
    [],
  ],
] as const)('promotion of %s', (_, candidate, codes) => {
  expect(promotionObstacles(candidate).map((item) => item.code)).toEqual(codes)
})

const unstarted = {
  ...point({ milliRps: 16_000, outcome: 'fail' }),
  reasons: [{ code: 'start_failed', text: 'exit 1' }],
}

test.each([
  ['a rate that was too high', [point({ milliRps: 16_000, outcome: 'fail' })], 'sweep lower rates'],
  ['an engine that never started', [unstarted], 'the engine did not start'],
  ['nothing valid', [point({ milliRps: 16_000, outcome: 'invalid' })], 'no rate was judged'],
] as const)('a sweep without a pass is told to mend %s', (_, points, said) => {
  const [obstacle] = promotionObstacles(record([result('sweep', [...points])]))
  expect(obstacle).toMatchObject({ code: 'no_passing_rate', text: expect.stringContaining(said) })
})

test('a confirmation that had nothing to confirm says that alone', () => {
  const verdict = gate({
    candidate: record([result('confirm', [])]),
    baseline: null,
    anchor: null,
    onMissingBaseline: 'fail',
  })
  expect(verdict.outcome).toBe('inconclusive')
  expect(allReasons(verdict).map(({ code }) => code)).toEqual(['baseline_missing'])
})
