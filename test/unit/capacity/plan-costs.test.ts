import { describe, expect, test } from 'vitest'
import { effectivePlan } from '../../../src/core/capacity/effective-plan.ts'
import { estimatePlan } from '../../../src/core/capacity/estimate.ts'
import { estimateManifest } from '../../../src/core/capacity/plan-costs.ts'
import type { Cache } from '../../../src/core/kernel/point.ts'
import { manifestOf } from './synthetic-point.ts'

const sweep = { rates_rps: [16, 20, 24, 28], refine_step: 0.02, repeats: 3 }
const manifest = manifestOf('worked-example', { sweep })
const caches: Cache[] = ['cold', 'warm']
const input = { manifest, caches, plans: ['confirm', 'sweep'] as const, baseline: null, anchor: null }

describe('what a manifest would take', () => {
  test('is what its plans are estimated at', () => {
    const accepted = { capacity: caches.map((cache) => ({ cache, passMilliRps: 24_000 })) }
    const found = estimateManifest({ ...input, baseline: accepted, pricePerGpuHour: 2.5 })
    for (const { plan, cost, ...rest } of found.plans) {
      const { lines: _, ...expected } = estimatePlan({ ...input, plan, baseline: accepted })
      expect(rest).toEqual(expected)
      expect(cost).toBeCloseTo((expected.gpuMinutes / 60) * 2.5, 9)
    }
    expect(found.carries).toEqual(caches.map((cache) => ({ cache, milliRps: 24_000, isAssumed: false })))
    expect(found.gpus).toBe(8)
  })

  test('is the sum of its cache states', () => {
    const { plans } = estimateManifest({ ...input, pricePerGpuHour: null })
    for (const { states, points, seconds, cost } of plans) {
      expect(states.map(({ cache }) => cache)).toEqual(caches)
      expect(states.reduce((total, state) => total + state.points, 0)).toBe(points)
      expect(states.reduce((total, state) => total + state.seconds, 0)).toBeCloseTo(seconds, 9)
      expect(cost).toBeNull()
    }
  })

  test('assumes a capacity where none is accepted, so that a confirmation is not estimated as nothing', () => {
    const { plans, carries } = estimateManifest({ ...input, pricePerGpuHour: null })
    expect(carries).toEqual(caches.map((cache) => ({ cache, milliRps: 24_000, isAssumed: true })))
    expect(plans[0]).toMatchObject({ plan: 'confirm', points: 2 })
  })

  test('assumes it for the state alone that nothing is accepted of', () => {
    const baseline = { capacity: [{ cache: 'warm' as const, passMilliRps: 30_000 }] }
    const { carries } = estimateManifest({ ...input, baseline, pricePerGpuHour: null })
    expect(carries.map(({ cache, milliRps, isAssumed }) => [cache, milliRps, isAssumed])).toEqual([
      ['cold', 24_000, true],
      ['warm', 30_000, false],
    ])
  })
})

test.each([
  ['confirm', 'fail', false, 'confirm'],
  ['confirm', 'record', false, 'sweep'],
  ['confirm', 'record', true, 'confirm'],
  ['sweep', 'fail', false, 'sweep'],
] as const)('asked to %s, with %s where nothing is accepted (%s): %s', (plan, onMissingBaseline, hasBaseline, runs) => {
  expect(effectivePlan({ plan, onMissingBaseline, hasBaseline, manifest })).toBe(runs)
})

test('what declares no rates is not swept', () => {
  const asked = { plan: 'confirm', onMissingBaseline: 'record', hasBaseline: false, manifest: {} } as const
  expect(effectivePlan(asked)).toBe('confirm')
})
