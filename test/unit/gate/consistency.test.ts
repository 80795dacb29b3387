import { expect, test } from 'vitest'
import { canonicalSha256 } from '../../../src/core/kernel/canonical.ts'
import type { CapacityRecord, PointReport } from '../../../src/core/capacity/record.ts'
import { gate } from '../../../src/core/gate/gate.ts'
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
  withExperiment,
} from './record-fixture.ts'

const judge = (candidate: CapacityRecord, base: CapacityRecord = baseline()) =>
  gate({ candidate, baseline: base, anchor: null, onMissingBaseline: 'fail' })

/** A held candidate whose one cold point was edited. */
function edited(change: (point: PointReport) => PointReport): CapacityRecord {
  return record([
    result('confirm', boots('cold', GUARD.cold, 'pass').map(change)),
    result('confirm', boots('warm', GUARD.warm, 'pass')),
  ])
}

function withClass(point: PointReport, over: Partial<PointReport['slo']['classes'][string]>): PointReport {
  const own = point.slo.classes['long_context']
  if (own === undefined) throw new Error('no such class')
  return { ...point, slo: { ...point.slo, classes: { ...point.slo.classes, long_context: { ...own, ...over } } } }
}
const withSlo = (point: PointReport, over: Partial<PointReport['slo']>) => ({
  ...point,
  slo: { ...point.slo, ...over },
})

const planted: [string, CapacityRecord, RegExp][] = [
  [
    'an upside-down bracket',
    record([sweep('cold', [24_000], [24_500], { failMilliRps: 23_000 })]),
    /pass rate 24000 is not below fail rate 23000/,
  ],
  [
    'a pass rate that no point shows',
    record([sweep('cold', [24_000], [24_500], { passMilliRps: 24_400 })]),
    /no point shows the pass rate 24400/,
  ],
  [
    'a fail rate that no point shows',
    record([sweep('cold', [24_000], [], { failMilliRps: 25_000 })]),
    /no point shows the fail rate/,
  ],
  [
    'a pass above a fail',
    record([sweep('cold', [20_000, 24_000], [22_000], { passMilliRps: 24_000, failMilliRps: null })]),
    /not below 22000, which failed/,
  ],
  [
    'a state twice',
    record([sweep('cold', [24_000], []), sweep('cold', [26_000], [])]),
    /two results for one cache state/,
  ],
  [
    'points of one name',
    record([result('sweep', [...boots('cold', 24_000, 'pass'), ...boots('cold', 24_000, 'pass')])]),
    /two points of one name/,
  ],
  [
    'a point of the other state',
    record([result('sweep', boots('warm', 24_000, 'pass'), { cache: 'cold' })]),
    /a point of the other cache state/,
  ],
  [
    'a point of another schedule',
    edited((point) => ({ ...point, scheduleSha256: 'b'.repeat(64) })),
    /a point of another schedule/,
  ],
  [
    'an experiment that does not give its hash',
    heldCandidate({
      experiment: { sha256: canonicalSha256(experimentValue()), value: experimentValue({ error_rate_max: 0.5 }) },
    }),
    /does not give its sha256/,
  ],
  [
    'a pass that misses its attainment',
    edited((point) => withClass(point, { passing_count: 4000, attainment: 4000 / 4400 })),
    /long_context misses its attainment/,
  ],
  [
    'an attainment that is not its counts’',
    edited((point) => withClass(point, { passing_count: 4000 })),
    /counts of long_context do not add up/,
  ],
  [
    'a pass short of its samples',
    edited((point) => withClass(point, { successful_count: 1999, passing_count: 1999, attainment: 1 })),
    /short of its samples/,
  ],
  [
    'a pass with too many errors',
    edited((point) => withSlo(point, { successful: 21_000, failed: 1000 })),
    /too many errors/,
  ],
  [
    'a pass with a growing queue',
    edited((point) => withSlo(point, { queue_trend: 'growing' })),
    /its queue is growing/,
  ],
  [
    'a pass rate below the highest that its points show',
    record([sweep('cold', [16_000, 20_000, 24_000], [24_500], { passMilliRps: 16_000 })]),
    /its points show 24000 passing and 24500 failing, not 16000 and 24500/,
  ],
  [
    'a fail rate taken away',
    record([sweep('cold', [24_000], [24_500], { failMilliRps: null })]),
    /its points show 24000 passing and 24500 failing, not 24000 and nothing/,
  ],
  [
    'a pass rate below which one rate fails by two boots of three',
    record([
      result('sweep', [...boots('cold', 22_000, 'pass', 'fail', 'fail'), ...boots('cold', 24_000, 'pass')], {
        passMilliRps: 24_000,
        failMilliRps: null,
      }),
    ]),
    /its points show nothing passing and 22000 failing/,
  ],
  [
    'errors behind a planned cancellation',
    edited((point) =>
      withSlo(point, {
        successful: 20_000,
        failed: 2000,
        error_rate: 0,
        status_counts: { ...point.slo.status_counts, ok: 20_000, error: 1999, cancelled: 1 },
      }),
    ),
    /too many errors/,
  ],
  [
    'prompts of another point',
    edited((point) => ({ ...point, epoch: point.epoch + 1 })),
    /prompts are another point’s/,
  ],
  [
    'a pass that was stopped early',
    edited((point) => ({ ...point, stoppedEarly: true })),
    /passes although it was stopped early/,
  ],
  [
    'a pass of which a required group of probes says nothing',
    {
      ...edited((point) => ({ ...point, evidence: point.evidence.filter(({ probe }) => probe !== 'queue.trend') })),
      ...withExperiment(experimentValue({ required_evidence: ['client', 'queue'] })),
    },
    /passes although no probe of queue is there/,
  ],
  [
    'a pass against its report',
    edited((point) => withSlo(point, { capacity_gate_pass: false })),
    /its report does not/,
  ],
  [
    'a pass without its evidence',
    edited((point) => ({ ...point, evidence: [evidence('client.send_lag', { state: 'unknown' })] })),
    /passes although client.send_lag is unknown/,
  ],
]

test.each(planted)('%s makes the record invalid', (_, candidate, text) => {
  const verdict = judge(candidate)
  expect(verdict.outcome).toBe('invalid')
  expect(verdict.reasons[0]).toMatchObject({ code: 'record_contradictory', text: expect.stringMatching(text) })
})

test('a contradictory baseline is named as such', () => {
  const base = baseline({
    capacity: [sweep('cold', [24_000], [24_500], { passMilliRps: 10_000 }), sweep('warm', [30_000], [30_600])],
  })
  expect(judge(heldCandidate(), base)).toMatchObject({
    outcome: 'invalid',
    reasons: [{ text: 'baseline: cold: no point shows the pass rate 10000' }],
  })
})

test('a record without its acceptance terms is invalid', () => {
  const value = { acceptance: {} }
  expect(judge(heldCandidate({ experiment: { sha256: canonicalSha256(value), value } })).reasons[0]?.code).toBe(
    'experiment_unreadable',
  )
})

test('a planned cancellation that the manifest leaves out is no contradiction', () => {
  const candidate = edited((point) =>
    withSlo(point, {
      attempted: 21_500,
      successful: 21_500,
      status_counts: { ...point.slo.status_counts, ok: 21_500, cancelled: 500 },
    }),
  )
  expect(judge(candidate).outcome).toBe('held')
})
