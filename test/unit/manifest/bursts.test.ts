import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Draft } from '../../../src/core/manifest/salvage.ts'
import { BURST_RULES } from '../../../src/core/manifest/rules/bursts.ts'
import type { RuleInput } from '../../../src/core/manifest/rules/rule.ts'
import { burstTime } from '../../../src/core/schedule/intensity.ts'

interface Cohort {
  burst: { height: number; width_share: number; period_requests: number }
  initial: number
  extension?: number
  blocks?: number
}

function saidOf({ burst, initial, extension = 0, blocks = 1 }: Cohort): string | null {
  const client = {
    burst,
    initial_scheduled_requests: initial,
    extension_requests: extension,
    extension_blocks: blocks,
    offered_rate_min_share: 0.99,
  }
  const draft: Draft = { client }
  const rule = BURST_RULES.find(({ id }) => id === 'burst-cut')
  return rule?.check({ draft } as unknown as RuleInput)[0]?.message ?? null
}

describe('a burst period that is cut', () => {
  it('is told with the rate that the schedule then has', () => {
    const cohort = fc.record({
      share: fc.double({ min: 0.05, max: 0.95, noNaN: true }),
      ofMost: fc.double({ min: 0, max: 1, noNaN: true }),
      period: fc.integer({ min: 10, max: 500 }),
      // Few periods, so that what is left of the last one weighs and many of the cohorts are told.
      periods: fc.double({ min: 1, max: 8, noNaN: true }),
    })
    let told = 0
    fc.assert(
      fc.property(cohort, ({ share, ofMost, period, periods }) => {
        const initial = Math.ceil(period * periods)
        const height = 1 + (1 / share - 1) * ofMost * 0.999
        const seconds = burstTime({ height, widthShare: share, periodRequests: period }, period, initial)
        const off = initial / seconds - 1
        const said = saidOf({ burst: { height, width_share: share, period_requests: period }, initial })
        fc.pre(Math.abs(Math.abs(off) - 0.01) > 1e-6)
        const isTold = Math.abs(off) > 0.01
        told += Number(isTold)
        const side = off < 0 ? 'below' : 'above'
        const figure = isTold ? `${(Math.abs(off) * 100).toFixed(1)} % ${side}` : undefined
        expect(said?.match(/lies (.* % \w+) the one/)?.[1]).toBe(figure)
      }),
      { numRuns: 2000 },
    )
    expect(told).toBeGreaterThan(50)
  })

  it('is looked for at the end of each extension block too', () => {
    const burst = { height: 5, width_share: 0.2, period_requests: 1000 }
    expect(saidOf({ burst, initial: 10_000 })).toBeNull()
    expect(saidOf({ burst, initial: 10_000, extension: 1000, blocks: 3 })).toBeNull()
    expect(saidOf({ burst, initial: 10_000, extension: 505, blocks: 2 })).toContain(
      '11,010 requests cut the last period',
    )
  })
})
