import { expect, test } from 'vitest'
import { gate } from '../../../src/core/gate/gate.ts'
import { pointEpoch } from '../../../src/core/kernel/point.ts'
import { point, record, result } from './record-fixture.ts'

test.each([
  ['invalid', 'invalid', 'point_invalid'],
  ['fail', 'inconclusive', 'saturation_not_found'],
] as const)('a sweep that found no rates after %s closed loops is %s: %s', (outcome, expected, code) => {
  const closed = [1, 2].map((repeat) => {
    const judged = point({ milliRps: 16_000, outcome })
    const key = { ...judged.key, load: { closedConcurrency: 36 }, repeat }
    return { ...judged, key, epoch: pointEpoch(key) }
  })
  const text = 'no closed loop told what the engine completes'
  const candidate = record([result('sweep', closed, { reasons: [{ code: 'saturation_not_found', text }] })])
  const verdict = gate({ candidate, baseline: null, anchor: null, onMissingBaseline: 'record' })
  expect(verdict.outcome).toBe(expected)
  expect(verdict.states[0]?.reasons[0]).toMatchObject({ code, text })
})
