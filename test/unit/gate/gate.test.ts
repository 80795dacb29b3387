import { describe, expect, test } from 'vitest'
import type { CapacityRecord } from '../../../src/core/capacity/record.ts'
import { gate } from '../../../src/core/gate/gate.ts'
import type { StateVerdict, Verdict } from '../../../src/core/gate/verdict.ts'
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

const against = (
  candidate: CapacityRecord,
  base: CapacityRecord | null = baseline(),
  anchor: CapacityRecord | null = null,
) => gate({ candidate, baseline: base, anchor, onMissingBaseline: 'fail' })
const first = (candidate: CapacityRecord) =>
  gate({ candidate, baseline: null, anchor: null, onMissingBaseline: 'record' })

function state(verdict: Verdict, cache = 'cold'): StateVerdict {
  const found = verdict.states.find((item) => item.cache === cache)
  if (found === undefined) throw new Error(`no ${cache} state`)
  return found
}
const codes = (reasons: readonly { code: string }[]) => reasons.map((item) => item.code)
const withCold = (...outcomes: Parameters<typeof boots>[2][]) =>
  record([
    result('confirm', boots('cold', GUARD.cold, ...outcomes)),
    result('confirm', boots('warm', GUARD.warm, 'pass')),
  ])

describe('a confirmation', () => {
  test('that passes at the guard rate is held, with no measured change', () => {
    const verdict = against(heldCandidate())
    expect(verdict.outcome).toBe('held')
    expect(state(verdict)).toMatchObject({
      outcome: 'held',
      baselineMilliRps: 24_000,
      guardMilliRps: 23_040,
      guardFrom: 'baseline',
      candidateMilliRps: 23_040,
      changeShare: null,
      repeats: 1,
    })
    expect(state(verdict, 'warm')).toMatchObject({ outcome: 'held', guardMilliRps: 28_800 })
  })

  test('is never improved, however high it passed', () => {
    const candidate = record([
      result('confirm', boots('cold', 40_000, 'pass')),
      result('confirm', boots('warm', 40_000, 'pass')),
    ])
    expect(against(candidate).outcome).toBe('held')
  })

  test.each([
    [['fail'], 'inconclusive', 'boots_undecided'],
    [['fail', 'pass'], 'inconclusive', 'boots_undecided'],
    [['fail', 'pass', 'pass'], 'held', 'guard_held'],
    [['fail', 'pass', 'fail'], 'regressed', 'below_baseline'],
    [['fail', 'fail'], 'regressed', 'below_baseline'],
    [['pass', 'fail', 'fail'], 'regressed', 'below_baseline'],
    [['invalid', 'pass'], 'held', 'guard_held'],
    [['invalid', 'invalid'], 'invalid', 'point_invalid'],
    [['undersampled', 'undersampled'], 'inconclusive', 'point_undersampled'],
    [['unknown', 'unknown'], 'inconclusive', 'point_unknown'],
    [['fail', 'invalid', 'invalid'], 'inconclusive', 'boots_undecided'],
  ] as const)('with boots %j is %s', (outcomes, outcome, code) => {
    const verdict = against(withCold(...outcomes))
    expect(state(verdict)).toMatchObject({ outcome, repeats: outcomes.length })
    expect(state(verdict).reasons[0]?.code).toBe(code)
    expect(state(verdict, 'warm').outcome).toBe('held')
    expect(verdict.outcome).toBe(outcome)
  })

  test('that holds by two of three boots says so', () => {
    expect(state(against(withCold('fail', 'pass', 'pass'))).reasons).toMatchObject([
      { code: 'guard_held', text: 'passes at 23.04 RPS on 2 of 3 boots; the guard rate is 23.04' },
    ])
  })

  test('whose fails come from one boot is not decided by them', () => {
    const points = boots('cold', GUARD.cold, 'fail', 'fail').map((item) => ({ ...item, deployId: 'the-same' }))
    expect(
      state(against(record([result('confirm', points), result('confirm', boots('warm', GUARD.warm, 'pass'))]))),
    ).toMatchObject({
      outcome: 'inconclusive',
      reasons: [{ code: 'boots_undecided' }, { code: 'class_attainment' }],
    })
  })

  test('that lost capacity says how much, by the downward search, and which class', () => {
    const points = [...boots('cold', GUARD.cold, 'fail', 'fail'), point({ milliRps: 21_600, deployId: 'cold-boot-3' })]
    const cold = state(
      against(record([result('confirm', points), result('confirm', boots('warm', GUARD.warm, 'pass'))])),
    )
    expect(cold).toMatchObject({ outcome: 'regressed', candidateMilliRps: 21_600, changeShare: -0.1 })
    expect(cold.limiting).toEqual({ class: 'long_context', metric: 'ttft' })
    expect(cold.reasons[0]).toMatchObject({ code: 'below_baseline', value: 21.6, limit: 23.04 })
    expect(cold.reasons[0]?.text).toBe(
      '23.04 RPS failed on 2 of 2 boots; carries 21.6 RPS, a loss of 10.0 %; baseline asks for 23.04',
    )
  })

  test('under which nothing passes says that the loss is more than what was tested', () => {
    const cold = state(against(withCold('fail', 'fail')))
    expect(cold).toMatchObject({ candidateMilliRps: null, changeShare: null })
    expect(cold.reasons[0]?.text).toContain('no tested rate passed, a loss of more than 4.0 %')
  })

  test('at another rate than this guard rate decides only where it can', () => {
    const at = (milliRps: number, ...outcomes: Parameters<typeof boots>[2][]) =>
      state(
        against(
          record([
            result('confirm', boots('cold', milliRps, ...outcomes)),
            result('confirm', boots('warm', GUARD.warm, 'pass')),
          ]),
        ),
      )
    expect(at(24_000, 'pass').outcome).toBe('held')
    expect(at(22_000, 'fail', 'fail').outcome).toBe('regressed')
    expect(at(22_000, 'pass')).toMatchObject({ outcome: 'inconclusive', reasons: [{ code: 'guard_not_tested' }] })
    expect(at(25_000, 'fail', 'fail').reasons[0]?.code).toBe('guard_not_tested')
  })
})

describe('a sweep', () => {
  const swept = (pass: number[], fail: number[], ...more: ReturnType<typeof boots>) => {
    const points = [...sweep('cold', pass, fail).points, ...more]
    const cold = result('sweep', points)
    return state(against(record([cold, sweep('warm', [30_000], [30_600])])))
  }

  test('within the tolerance of the baseline is held, with its change', () => {
    expect(swept([20_000, 23_500], [24_000])).toMatchObject({ outcome: 'held', changeShare: -500 / 24_000 })
    expect(swept([20_000, 24_900], [25_400]).outcome).toBe('held')
  })

  test('above the baseline’s fail rate and the tolerance is improved', () => {
    expect(swept([20_000, 26_000], [26_500])).toMatchObject({ outcome: 'improved', changeShare: 2000 / 24_000 })
  })

  test('is not improved over a baseline that never failed', () => {
    const base = baseline({ capacity: [sweep('cold', [24_000], []), sweep('warm', [30_000], [])] })
    const verdict = against(record([sweep('cold', [26_000], [26_500]), sweep('warm', [30_000], [])]), base)
    expect(state(verdict)).toMatchObject({ outcome: 'held', minimumDetectableLoss: null })
    expect(codes(state(verdict).notes)).toContain('improvement_unproven')
  })

  test('that saw a drop must have it confirmed at the guard rate on a second boot', () => {
    expect(swept([20_000], [22_000])).toMatchObject({
      outcome: 'inconclusive',
      reasons: [{ code: 'drop_not_confirmed' }, {}],
    })
    expect(swept([20_000], [22_000], ...boots('cold', GUARD.cold, 'fail', 'fail')).outcome).toBe('regressed')
    expect(swept([20_000], [22_000], ...boots('cold', GUARD.cold, 'invalid')).outcome).toBe('invalid')
    expect(swept([20_000], [22_000], ...boots('cold', GUARD.cold, 'pass')).reasons[0]?.code).toBe('drop_not_confirmed')
  })

  test('is not held by a pass above a failing rate', () => {
    const cold = result('sweep', sweep('cold', [20_000, 24_000], [22_000]).points, { flukeMilliRps: [24_000] })
    const verdict = state(against(record([cold, sweep('warm', [30_000], [30_600])])))
    expect(verdict.outcome).toBe('inconclusive')
    expect(verdict.notes).toContainEqual({ code: 'flukes_not_used', text: 'passed above a failing rate: 24.0 RPS' })
  })

  test('is held where two boots pass at the guard rate after a single fail below: no loss is claimed', () => {
    const held = swept([20_000], [22_000], ...boots('cold', GUARD.cold, 'pass', 'pass'))
    expect(held).toMatchObject({ outcome: 'held', candidateMilliRps: GUARD.cold, changeShare: null })
    expect(held.notes).toContainEqual({
      code: 'drop_refuted',
      text: '22.0 RPS failed, and the guard rate above it passes on 2 boots',
    })
  })

  test('is not held by two boots at the guard rate where two boots fail below it', () => {
    const below = boots('cold', 22_000, 'fail', 'fail')
    const points = [point({ milliRps: 20_000 }), ...below, ...boots('cold', GUARD.cold, 'pass', 'pass')]
    const verdict = against(record([result('sweep', points), sweep('warm', [30_000], [30_600])]))
    expect(state(verdict)).toMatchObject({
      outcome: 'inconclusive',
      changeShare: null,
      reasons: [{ code: 'boots_contradict' }, {}],
    })
    expect(state(verdict).reasons[0]?.text).toBe(
      'two boots pass at the guard rate 23.04 RPS, and two fail below it (cold-open-22000-r1, cold-open-22000-r2)',
    )
  })
})

describe('the guard rate', () => {
  test('is set by the anchor where small losses added up', () => {
    const anchor = record([sweep('cold', [25_000], [25_500]), sweep('warm', [30_000], [30_600])])
    const verdict = against(withCold('pass'), baseline(), anchor)
    expect(state(verdict)).toMatchObject({ guardMilliRps: 24_000, guardFrom: 'anchor', anchorMilliRps: 25_000 })
    expect(state(verdict).outcome).toBe('inconclusive')
    const lost = record([
      result('confirm', boots('cold', 24_000, 'fail', 'fail')),
      result('confirm', boots('warm', GUARD.warm, 'pass')),
    ])
    expect(codes(state(against(lost, baseline(), anchor)).reasons)).toContain('below_anchor')
  })

  test('leaves out an anchor that cannot be compared, and says so', () => {
    const anchor = record([sweep('cold', [40_000], [41_000])], withExperiment(experimentValue({ error_rate_max: 0.5 })))
    const verdict = against(heldCandidate(), baseline(), anchor)
    expect(verdict.outcome).toBe('held')
    expect(state(verdict)).toMatchObject({ guardFrom: 'baseline', anchorMilliRps: null })
    expect(codes(state(verdict).notes)).toContain('anchor_not_compared')
  })

  test('takes no capacity from an anchor that found none, and says so', () => {
    const anchor = record([sweep('cold', [], [16_000])])
    const verdict = against(heldCandidate(), baseline(), anchor)
    expect(verdict.outcome).toBe('held')
    for (const cache of ['cold', 'warm'] as const) {
      expect(state(verdict, cache).notes).toContainEqual({
        code: 'anchor_not_compared',
        text: `the anchor holds no ${cache} capacity`,
      })
    }
  })

  test('set by the minimum above the baseline claims no loss against the baseline', () => {
    const experiment = withExperiment(experimentValue({ min_capacity_rps: 30 }))
    const points = [point({ milliRps: 26_000 }), ...boots('cold', 30_000, 'fail', 'fail')]
    const candidate = record([result('sweep', points), sweep('warm', [30_000], [30_600])], experiment)
    const cold = state(against(candidate, baseline(experiment)))
    expect(cold).toMatchObject({ outcome: 'regressed', guardFrom: 'min_capacity' })
    expect(cold.reasons[0]?.text).toBe('30.0 RPS failed on 2 of 2 boots; carries 26.0 RPS; min capacity asks for 30.0')
  })

  test('is never below the declared minimum', () => {
    const experiment = withExperiment(experimentValue({ min_capacity_rps: 23.5 }))
    const base = baseline(experiment)
    const verdict = against(record(withCold('fail', 'fail').capacity, experiment), base)
    expect(state(verdict)).toMatchObject({ guardMilliRps: 23_500, guardFrom: 'min_capacity' })
    const lost = record(
      [result('confirm', boots('cold', 23_500, 'fail', 'fail')), result('confirm', boots('warm', GUARD.warm, 'pass'))],
      experiment,
    )
    expect(codes(state(against(lost, base)).reasons).slice(0, 2)).toEqual(['below_baseline', 'below_min_capacity'])
  })
})

describe('without a baseline', () => {
  test('the first run is recorded only where that is asked for', () => {
    const candidate = record([sweep('cold', [24_000], [24_500])])
    expect(first(candidate)).toMatchObject({ outcome: 'recorded', states: [{ reasons: [{ code: 'first_record' }] }] })
    expect(against(candidate, null)).toMatchObject({
      outcome: 'inconclusive',
      states: [{ reasons: [{ code: 'baseline_missing' }] }],
    })
  })

  test('a run below the declared minimum is regressed all the same', () => {
    const experiment = withExperiment(experimentValue({ min_capacity_rps: 25 }))
    const points = [...sweep('cold', [20_000], [24_000]).points, ...boots('cold', 25_000, 'fail', 'fail')]
    const candidate = record([result('sweep', points)], experiment)
    for (const verdict of [first(candidate), against(candidate, null), against(candidate, baseline())]) {
      expect(verdict.outcome).toBe('regressed')
      expect(codes(state(verdict).reasons)).toContain('below_min_capacity')
    }
    expect(first(record([sweep('cold', [26_000], [27_000])], experiment)).outcome).toBe('recorded')
  })

  test('a loss against the anchor is no first record: it is regressed', () => {
    const anchor = baseline()
    const points = [point({ milliRps: 10_000 }), ...boots('cold', GUARD.cold, 'fail', 'fail')]
    const lost = record([result('sweep', points), sweep('warm', [30_000], [30_600])])
    const judge = (candidate: CapacityRecord) =>
      gate({ candidate, baseline: null, anchor, onMissingBaseline: 'record' })
    expect(state(judge(lost))).toMatchObject({ outcome: 'regressed', guardFrom: 'anchor', anchorMilliRps: 24_000 })
    expect(codes(state(judge(lost)).reasons)).toContain('below_anchor')
    const dropped = record([sweep('cold', [10_000], [10_200]), sweep('warm', [30_000], [30_600])])
    expect(state(judge(dropped))).toMatchObject({
      outcome: 'inconclusive',
      reasons: [{ code: 'drop_not_confirmed' }, {}],
    })
    expect(judge(record([sweep('cold', [24_000], [24_500]), sweep('warm', [30_000], [30_600])])).outcome).toBe(
      'recorded',
    )
  })

  test('a run in which nothing passed is not recorded', () => {
    expect(first(record([sweep('cold', [], [16_000])]))).toMatchObject({
      outcome: 'inconclusive',
      states: [{ reasons: [{ code: 'no_passing_rate' }, { code: 'class_attainment' }] }],
    })
    expect(first(record([result('sweep', [point({ milliRps: 16_000, outcome: 'invalid' })])])).outcome).toBe('invalid')
  })
})

describe('records that may not be compared', () => {
  test('another experiment is inconclusive and names each differing field with both values', () => {
    const loosened = withExperiment(experimentValue({ error_rate_max: 0.05, class_slo_attainment_min: 0.9 }))
    const verdict = against(heldCandidate(loosened))
    expect(verdict.outcome).toBe('inconclusive')
    expect(verdict.reasons.map((item) => item.text)).toEqual([
      'acceptance.class_slo_attainment_min: baseline 0.95, candidate 0.9',
      'acceptance.error_rate_max: baseline 0.01, candidate 0.05',
    ])
    expect(state(verdict)).toMatchObject({
      outcome: 'inconclusive',
      baselineMilliRps: null,
      guardMilliRps: null,
      deltas: [],
    })
  })

  test('a run that measured nothing because it could not have been compared is inconclusive, not invalid', () => {
    const { schedules } = heldCandidate()
    const barred = record([], { ...withExperiment(experimentValue({ error_rate_max: 0.05 })), schedules })
    const verdict = against(barred)
    expect(verdict).toMatchObject({ outcome: 'inconclusive', reasons: [{ code: 'experiment_differs' }] })
    expect(verdict.states.map(({ outcome }) => outcome)).toEqual(['inconclusive', 'inconclusive'])
  })

  test('simulated is never compared with measured', () => {
    expect(codes(against(heldCandidate({ kind: 'simulated' })).reasons)).toEqual(['kind_differs'])
    expect(against(heldCandidate({ kind: 'simulated' }), baseline({ kind: 'simulated' })).outcome).toBe('held')
  })

  test('other or unknown hardware is inconclusive and names the fact', () => {
    const mustEqual = { ...baseline().hardware.mustEqual, gpu: 'NVIDIA H200' }
    expect(against(heldCandidate({ hardware: { mustEqual, recorded: {} } })).reasons).toEqual([
      { code: 'hardware_differs', text: 'gpu: baseline NVIDIA H100 80GB HBM3, candidate NVIDIA H200' },
    ])
    const unknown = { ...baseline().hardware.mustEqual, gpu: 'Unknown' }
    const both = { hardware: { mustEqual: unknown, recorded: {} } }
    expect(codes(against(heldCandidate(both), baseline(both)).reasons)).toEqual(['hardware_unknown'])
    const none = { hardware: { mustEqual: {}, recorded: {} } }
    expect(against(heldCandidate(none), baseline(none)).outcome).toBe('inconclusive')
  })

  test('recorded hardware that differs is noted', () => {
    const hardware = { ...baseline().hardware, recorded: { host: 'gpu-runner-4', driver: '580.12' } }
    const verdict = against(heldCandidate({ hardware }))
    expect(verdict.outcome).toBe('held')
    expect(state(verdict).notes).toEqual([
      { code: 'recorded_hardware_differs', text: 'differs from the baseline’s machine: host' },
    ])
  })

  test('another schedule stops its own cache state only', () => {
    const schedules = { cold: 'c'.repeat(64), warm: 'b'.repeat(64) }
    const warm = boots('warm', GUARD.warm, 'pass').map((item) => ({ ...item, scheduleSha256: 'b'.repeat(64) }))
    const verdict = against(
      record([result('confirm', boots('cold', GUARD.cold, 'pass')), result('confirm', warm)], { schedules }),
    )
    expect(state(verdict).outcome).toBe('held')
    expect(state(verdict, 'warm')).toMatchObject({ outcome: 'inconclusive', reasons: [{ code: 'schedule_differs' }] })
  })

  test('a cache state missing on either side is inconclusive', () => {
    const points = [result('confirm', boots('cold', GUARD.cold, 'pass'))]
    const cold = record(points, { schedules: heldCandidate().schedules })
    expect(state(against(cold), 'warm').reasons).toMatchObject([{ code: 'candidate_state_missing' }])
    const base = baseline({ capacity: [sweep('cold', [24_000], [24_500])] })
    const verdict = against(heldCandidate(), base)
    expect(state(verdict, 'warm').reasons).toMatchObject([{ code: 'baseline_state_missing' }])
    expect(verdict.outcome).toBe('inconclusive')
  })

  test('a state that the run was not asked for is named and not judged', () => {
    const verdict = against(record([result('confirm', boots('cold', GUARD.cold, 'pass'))]))
    expect(verdict).toMatchObject({ outcome: 'held', states: [{ cache: 'cold' }] })
    expect(codes(state(verdict).notes)).toContain('state_not_asked')
  })

  test('a baseline that found no capacity holds nobody to anything', () => {
    const nothing = baseline({ capacity: [sweep('cold', [], [24_500]), sweep('warm', [30_000], [30_600])] })
    expect(state(against(heldCandidate(), nothing)).reasons).toMatchObject([{ code: 'baseline_without_capacity' }])
    expect(state(against(heldCandidate(), heldCandidate())).reasons).toMatchObject([{ code: 'baseline_not_a_sweep' }])
  })

  test('boots whose KV sizes are more than 1 % apart are inconclusive', () => {
    const candidate = withCold('fail', 'fail')
    const at = (kvTokens: number) => candidate.boots.map((boot, index) => (index === 0 ? { ...boot, kvTokens } : boot))
    expect(against({ ...candidate, boots: at(1_195_000) }).outcome).toBe('regressed')
    expect(state(against({ ...candidate, boots: at(1_190_000) }))).toMatchObject({
      outcome: 'inconclusive',
      reasons: [{ code: 'boots_incomparable', limit: 0.01 }],
    })
  })
})

describe('evidence of the whole run', () => {
  test('a revision that is not what is pinned is invalid, whatever it carries', () => {
    const identity = [
      evidence('identity.version', { state: 'fail', blames: 'engine', text: 'says 0.31.9, pinned 0.32.0' }),
    ]
    const verdict = against({ ...withCold('fail', 'fail'), identity })
    expect(verdict).toMatchObject({
      outcome: 'invalid',
      reasons: [{ code: 'identity_failed', text: 'identity.version: says 0.31.9, pinned 0.32.0' }],
    })
    expect(verdict.states.map((item) => item.outcome)).toEqual(['invalid', 'invalid'])
  })

  test.each([
    [{ state: 'fail', blames: 'host' }, 'invalid', 'evidence_failed'],
    [{ state: 'fail', blames: 'engine' }, 'regressed', 'engine_failed'],
    [{ state: 'unknown', blames: 'host' }, 'inconclusive', 'evidence_unknown'],
    [{ state: 'fail', blames: 'host', required: false }, 'held', undefined],
  ] as const)('%j makes it %s', (over, outcome, code) => {
    const verdict = against(heldCandidate({ evidence: [evidence('host.probe', over)] }))
    expect(verdict.outcome).toBe(outcome)
    expect(verdict.reasons[0]?.code).toBe(code)
  })

  test('an engine that never started is regressed; a run without a state and without a reason is invalid', () => {
    const started = evidence('stability.start', { state: 'fail', blames: 'engine' })
    expect(against(record([], { evidence: [started] })).outcome).toBe('regressed')
    expect(against(record([]))).toMatchObject({ outcome: 'invalid', reasons: [{ code: 'nothing_measured' }] })
    expect(first(record([])).outcome).toBe('invalid')
  })

  test('a missing probe does not hide a proven loss', () => {
    const candidate = { ...withCold('fail', 'fail'), evidence: [evidence('host.clocks', { state: 'unknown' })] }
    expect(against(candidate).outcome).toBe('regressed')
  })
})

test('the worst state counts, and a record of a later schema is refused', () => {
  const candidate = record([
    result('confirm', boots('cold', GUARD.cold, 'invalid')),
    result('confirm', boots('warm', GUARD.warm, 'fail', 'fail')),
  ])
  expect(against(candidate).outcome).toBe('regressed')
  expect(() => against({ ...heldCandidate(), schema: 2 as 1 })).toThrow(
    expect.objectContaining({ code: 'record_schema_newer', exitCode: 4 }),
  )
})
