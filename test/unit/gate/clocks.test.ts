import { describe, expect, it } from 'vitest'
import { gate } from '../../../src/core/gate/gate.ts'
import type { CapacityRecord } from '../../../src/core/capacity/record.ts'
import { boots, evidence, record, result, sweep } from './record-fixture.ts'

/** A record whose points ran at a median clock, capped by the power limit for a share of the load. */
function clocked(of: CapacityRecord, clockMhz: number, cappedShare: number): CapacityRecord {
  const shared = { blames: 'host', required: false } as const
  for (const point of of.capacity.flatMap(({ points }) => points)) {
    point.evidence.push(
      evidence('host.clocks', { ...shared, value: clockMhz, unit: 'MHz' }),
      evidence('host.power_cap', { ...shared, value: cappedShare, unit: 'share' }),
    )
  }
  return of
}

const base = (clockMhz: number) => clocked(record([sweep('cold', [20_000, 24_000], [24_400])]), clockMhz, 0)
const verdictAt = (clockMhz: number, cappedShare: number, outcome: 'pass' | 'fail' = 'pass') => {
  const outcomes = outcome === 'pass' ? ['pass' as const] : ['fail' as const, 'fail' as const]
  const now = clocked(record([result('confirm', boots('cold', 23_040, ...outcomes))]), clockMhz, cappedShare)
  return gate({ candidate: now, baseline: base(1980), anchor: null, onMissingBaseline: 'fail' })
}

describe('median clocks below the baseline’s', () => {
  it('by more than 3 % without power capping are inconclusive, whatever the points say', () => {
    for (const outcome of ['pass', 'fail'] as const) {
      const verdict = verdictAt(1900, 0, outcome)
      expect(verdict.outcome).toBe('inconclusive')
      expect(verdict.states[0]?.reasons).toMatchObject([{ code: 'clocks_below_baseline', value: 1900 }])
    }
  })

  it('by less, above it, or under the power limit decide nothing', () => {
    expect(verdictAt(1925, 0).outcome).toBe('held')
    expect(verdictAt(2100, 0).outcome).toBe('held')
    expect(verdictAt(1500, 0.6).outcome).toBe('held')
    expect(verdictAt(1500, 0.6, 'fail').outcome).toBe('regressed')
  })

  it('that either record does not tell decide nothing', () => {
    const now = record([result('confirm', boots('cold', 23_040, 'pass'))])
    const verdict = gate({ candidate: now, baseline: base(1980), anchor: null, onMissingBaseline: 'fail' })
    expect(verdict.outcome).toBe('held')
  })
})
