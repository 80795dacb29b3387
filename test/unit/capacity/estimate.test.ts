import { describe, expect, test } from 'vitest'
import { estimatePlan, requireWithinBudget } from '../../../src/core/capacity/estimate.ts'
import type { Cache } from '../../../src/core/kernel/point.ts'
import { manifestOf } from './synthetic-point.ts'

const manifest = manifestOf('worked-example', {
  sweep: { rates_rps: [16, 20, 24, 28], refine_step: 0.02, repeats: 3 },
})
const caches: Cache[] = ['cold', 'warm']
const accepted = (passMilliRps: number) => ({ capacity: caches.map((cache) => ({ cache, passMilliRps })) })
const base = { manifest, caches, baseline: null, anchor: null }

describe('an estimate', () => {
  test('of a confirmation of an unchanged revision is one point a state', () => {
    const estimate = estimatePlan({ ...base, plan: 'confirm', baseline: accepted(24_000) })
    // 5 s of preparation, 60 s of warm-up, 22,000 requests at 23.04 a second, and the slowest answer; five minutes a boot.
    const point = 5 + 60 + 22_000 / 23.04 + (800 + 45 * 1023) / 1000
    expect(estimate.points).toBe(2)
    expect(estimate.seconds).toBeCloseTo(2 * (300 + point), 6)
    expect(estimate.gpuMinutes).toBeCloseTo((estimate.seconds / 60) * 8, 6)
    expect(estimate.ifLessSeconds).toBeGreaterThan(2 * estimate.seconds)
    expect(estimate.lines).toHaveLength(4)
  })

  test('of a confirmation is at most a quarter of the sweep’s', () => {
    const confirm = estimatePlan({ ...base, plan: 'confirm', baseline: accepted(24_000) })
    const sweep = estimatePlan({ ...base, plan: 'sweep', baseline: accepted(24_000) })
    expect(confirm.gpuMinutes / sweep.gpuMinutes).toBeLessThan(0.25)
  })

  test('of a grid alone is the four rates of each state', () => {
    const grid = manifestOf('worked-example', { sweep: { rates_rps: [16, 20, 24, 28], refine_step: 0 } })
    expect(estimatePlan({ ...base, manifest: grid, plan: 'sweep' }).points).toBe(8)
  })

  test('without GPUs counts none', () => {
    const embedded = manifestOf('embedded')
    const estimate = estimatePlan({ ...base, manifest: embedded, plan: 'sweep' })
    expect(estimate.gpuMinutes).toBe(0)
    expect(estimate.points).toBeGreaterThan(4)
  })
})

test('a plan over its budget is refused before anything is deployed', () => {
  const estimate = estimatePlan({ ...base, plan: 'sweep' })
  expect(() => requireWithinBudget(estimate, null)).not.toThrow()
  expect(() => requireWithinBudget(estimate, Math.ceil(estimate.seconds / 60))).not.toThrow()
  const refused = expect.objectContaining({ code: 'plan_over_budget', exitCode: 4 })
  expect(() => requireWithinBudget(estimate, 60)).toThrowError(refused)
})
