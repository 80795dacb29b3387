import { expect, test } from 'vitest'
import { compareAtPassRate } from '../../../src/core/gate/deltas.ts'
import { minimumDetectableLoss } from '../../../src/core/gate/detectable.ts'
import { readTerms } from '../../../src/core/gate/terms.ts'
import type { Terms } from '../../../src/core/gate/terms.ts'
import { baseline, boots, experimentValue, point, record, result, sweep, withExperiment } from './record-fixture.ts'

const terms = readTerms(baseline()) as Terms
const base = sweep('cold', [20_000, 24_000], [24_500])

test('the terms are the experiment’s own', () => {
  expect(terms).toMatchObject({
    toleranceShare: 0.04,
    minCapacityMilliRps: null,
    samplesMin: 2000,
    classes: ['interactive', 'long_context', 'generation_heavy'],
  })
  expect(readTerms(record([], withExperiment(experimentValue({ min_capacity_rps: 20.5 }))))?.minCapacityMilliRps).toBe(
    20_500,
  )
})

test('like is compared with like where the same rate was tested', () => {
  const now = sweep('cold', [23_040, 24_000], [25_000])
  expect(compareAtPassRate(base, now, 23_040, terms)).toMatchObject({
    deltaRates: { baseMilliRps: 24_000, nowMilliRps: 24_000 },
  })
})

test('else the guard rate, its last decisive repeat, with each class and metric', () => {
  const now = result('confirm', boots('cold', 23_040, 'pass', 'fail', 'invalid'))
  const { deltas, deltaRates } = compareAtPassRate(base, now, 23_040, terms)
  expect(deltaRates).toEqual({ baseMilliRps: 24_000, nowMilliRps: 23_040 })
  const marked = deltas.filter((delta) => delta.regression).map((delta) => `${delta.class} ${delta.metric}`)
  expect(marked).toEqual(['long_context attainment', 'long_context goodput_rps'])
  expect(deltas.find((delta) => delta.class === 'long_context' && delta.metric === 'attainment')?.now).toBeCloseTo(
    0.912,
    3,
  )
  expect(deltas).toHaveLength(3 + 3 * 5)
})

test('rates further apart than the tolerance are not compared', () => {
  expect(compareAtPassRate(base, sweep('cold', [20_000], [22_000]), 30_000, terms)).toEqual({
    deltas: [],
    deltaRates: null,
  })
})

test('the minimum detectable loss is the grid’s and the sampling’s', () => {
  const deciding = point({ milliRps: 23_040 })
  // grid 1 − 23.04/24.5; sampling 0.006 · 0.5 / (0.971 − 0.912) / 24, over long_context’s counts.
  const slope = (4272 - 4013) / 4400
  expect(minimumDetectableLoss(base, 23_040, deciding)).toBeCloseTo(1 - 23.04 / 24.5 + (0.006 * 0.5) / slope / 24, 5)
  expect(minimumDetectableLoss(base, 23_040, null)).toBeCloseTo(1 - 23.04 / 24.5, 5)
  expect(minimumDetectableLoss(sweep('cold', [24_000], []), 23_040, deciding)).toBeNull()
})
