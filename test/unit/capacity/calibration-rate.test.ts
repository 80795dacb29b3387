import { describe, expect, it } from 'vitest'
import { neededMilliRps } from '../../../src/core/capacity/calibration-rate.ts'
import { smallExample } from '../../virtual/virtual-manifest.ts'

const accepted = (cold: number | null, warm: number | null) => ({
  capacity: [
    { cache: 'cold' as const, passMilliRps: cold },
    { cache: 'warm' as const, passMilliRps: warm },
  ],
})
const declared = smallExample({ sweep: { rates_rps: [40, 60], refine_step: 0.1, repeats: 1 } })
const { sweep: _, ...plain } = declared

describe('the rate that a calibration needs', () => {
  it('is the highest declared one, where no record stands', () => {
    expect(neededMilliRps(declared, null, null)).toBe(60_000)
  })

  it('is the highest that auto may choose', () => {
    expect(neededMilliRps(smallExample({ sweep: { rates_rps: 'auto' } }), null, null)).toBe(60_000)
  })

  it('is the guard rate of the state that carries most, of the baseline or of the anchor', () => {
    expect(neededMilliRps(plain, accepted(50_000, 100_000), null)).toBe(96_000)
    expect(neededMilliRps(plain, accepted(50_000, null), accepted(200_000, 150_000))).toBe(192_000)
    expect(neededMilliRps(declared, accepted(50_000, 100_000), null)).toBe(96_000)
  })

  it('is none where nothing will be measured', () => {
    expect(neededMilliRps(plain, null, null)).toBeNull()
    expect(neededMilliRps(plain, accepted(null, null), null)).toBeNull()
  })
})
