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

describe('an estimate of a sweep that finds its rates', () => {
  const auto = manifestOf('worked-example', { sweep: { rates_rps: 'auto', refine_step: 0.02, repeats: 3 } })

  test('counts its exploration, which is a small part of it, and is led by what is accepted', () => {
    const known = estimatePlan({ ...base, manifest: auto, plan: 'sweep', baseline: accepted(24_000) })
    const declared = estimatePlan({ ...base, plan: 'sweep', baseline: accepted(24_000) })
    expect(known.points).toBeGreaterThan(declared.points)
    expect(known.seconds).toBeLessThan(1.3 * declared.seconds)
    expect(known.admittedSeconds).toBeNull()
  })

  test('says between what it lies where nothing is accepted', () => {
    const { admittedSeconds, seconds, lines } = estimatePlan({ ...base, manifest: auto, plan: 'sweep' })
    const [least, most] = admittedSeconds ?? [0, 0]
    expect(seconds).toBeGreaterThan(least)
    expect(seconds).toBeLessThan(most)
    expect(lines.at(-1)).toMatch(
      /nothing is accepted yet, and the run finds its rates itself, from 6.112 RPS to 73.333 RPS/,
    )
    const part = {
      ...base,
      manifest: auto,
      plan: 'sweep' as const,
      baseline: { capacity: accepted(24_000).capacity.slice(1) },
    }
    expect(estimatePlan(part).admittedSeconds).not.toBeNull()
  })

  test('is refused only where no capacity that is admitted would fit the budget', () => {
    const estimate = estimatePlan({ ...base, manifest: auto, plan: 'sweep' })
    const [least] = estimate.admittedSeconds ?? [0]
    expect(() => requireWithinBudget(estimate, Math.ceil(least / 60))).not.toThrow()
    expect(() => requireWithinBudget(estimate, Math.floor(least / 60) - 1)).toThrowError(/the plan takes/)
  })

  test('of a confirmation is the guard rate alone', () => {
    expect(estimatePlan({ ...base, manifest: auto, plan: 'confirm', baseline: accepted(24_000) }).points).toBe(2)
  })
})
