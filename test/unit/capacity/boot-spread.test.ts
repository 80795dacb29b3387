import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SpreadPoint } from '../../../src/core/capacity/boot-spread.ts'
import { bootSpreadOf } from '../../../src/core/capacity/boot-spread.ts'
import { capacityResult } from '../../../src/core/capacity/result.ts'
import type { PointOutcome } from '../../../src/core/capacity/record.ts'
import type { Evidence } from '../../../src/core/kernel/evidence.ts'
import { manifestSchema } from '../../../src/core/manifest/schema.ts'
import type { Manifest } from '../../../src/core/manifest/schema.ts'
import { point } from '../gate/record-fixture.ts'
import { manifestOf } from './synthetic-point.ts'

/** Log-odds of a miss for a tenth more of the rate: as steep as the worked example's knee. */
const STEEPNESS = 18
const PASS = 24_000

interface Made {
  rate: number
  boot: string
  /** The boot's capacity relative to the revision's, in natural logarithms. */
  ahead?: number
  outcome?: PointOutcome
  evidence?: Evidence[]
  /** Log-odds of a miss at the pass rate. */
  level?: number
}

/** A point whose worst class misses by a logistic law, so that the true spread is known exactly. */
function made({ rate, boot, ahead = 0, outcome = 'pass', evidence = [], level = -3.2 }: Made): SpreadPoint {
  const odds = Math.exp(level + STEEPNESS * (Math.log(rate / PASS) - ahead))
  const attainment = 1 / (1 + odds)
  return {
    key: { cache: 'cold', load: { openMilliRps: rate }, repeat: 1 },
    outcome,
    deployId: boot,
    evidence,
    // So many that the halves of the empirical logit do not show.
    slo: { classes: { worst: { attainment, successful_count: 1e9 }, easy: { attainment: 1, successful_count: 1e9 } } },
  }
}

const deviation = (values: readonly number[]): number => {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1))
}

/** Each boot at the pass rate, and the last one two per cent above it, as a sweep leaves them. */
function swept(ahead: readonly number[], more: Partial<Made> = {}): SpreadPoint[] {
  const atPass = ahead.map((one, index) => made({ rate: PASS, boot: `boot-${index}`, ahead: one, ...more }))
  const last = { boot: `boot-${ahead.length - 1}`, ahead: ahead.at(-1) ?? 0 }
  return [...atPass, made({ rate: 24_480, ...last, outcome: 'fail', ...more })]
}

describe('the spread from boot to boot', () => {
  test('is the deviation of the boots’ capacities, whatever they are', () => {
    const aheads = fc.array(fc.double({ min: -0.04, max: 0.04, noNaN: true }), { minLength: 3, maxLength: 8 })
    fc.assert(
      fc.property(aheads, (ahead) => {
        const { share, boots } = bootSpreadOf(swept(ahead), PASS)
        expect(boots).toBe(ahead.length)
        expect(share).toBeCloseTo(deviation(ahead), 6)
      }),
    )
  })

  test('takes the slope within boots: that boots differ from rate to rate does not move it', () => {
    // A fast boot above the pass rate and a slow one below it, as if attainment hardly fell.
    const points = [...swept([-0.01, 0, 0.01]), made({ rate: 23_500, boot: 'slow', ahead: -0.03 })]
    points.push(made({ rate: 24_900, boot: 'fast', ahead: 0.03 }))
    expect(bootSpreadOf(points, PASS).share).toBeCloseTo(0.01, 6)
  })

  test('without a boot at two rates is taken over all boots alike', () => {
    const points = swept([-0.01, 0, 0.01]).slice(0, 3)
    points.push(made({ rate: 23_000, boot: 'below' }), made({ rate: 25_000, boot: 'above', outcome: 'fail' }))
    expect(bootSpreadOf(points, PASS).share).toBeCloseTo(0.01, 4)
  })

  test('counts a boot once: its repeats are averaged', () => {
    const points = [...swept([-0.01, 0, 0.01]), made({ rate: PASS, boot: 'boot-1', ahead: 0 })]
    expect(bootSpreadOf(points, PASS)).toMatchObject({ boots: 3, share: expect.closeTo(0.01, 6) as number })
  })

  test('counts a boot that failed at the pass rate', () => {
    const points = [...swept([0, 0.01]), made({ rate: PASS, boot: 'slow', ahead: -0.02, outcome: 'fail' })]
    expect(bootSpreadOf(points, PASS).share).toBeCloseTo(deviation([0, 0.01, -0.02]), 6)
  })

  test.each(['stability.exit', 'cache_hit.rate'])('leaves out a point in which %s failed', (probe) => {
    const evidence: Evidence[] = [{ probe, state: 'fail', required: true, blames: 'engine' }]
    const points = [
      ...swept([-0.01, 0, 0.01]),
      made({ rate: PASS, boot: 'broken', ahead: -0.2, outcome: 'fail', evidence }),
    ]
    expect(bootSpreadOf(points, PASS)).toMatchObject({ boots: 3, share: expect.closeTo(0.01, 6) as number })
  })

  test('leaves out what says nothing, far rates and closed loops', () => {
    const points = [
      ...swept([-0.01, 0, 0.01]),
      made({ rate: PASS, boot: 'void', ahead: -0.2, outcome: 'invalid' }),
      made({ rate: 16_000, boot: 'boot-2', level: 5 }),
      { ...made({ rate: PASS, boot: 'closed', ahead: 0.3 }), key: closed },
    ]
    expect(bootSpreadOf(points, PASS)).toMatchObject({ boots: 3, share: expect.closeTo(0.01, 6) as number })
  })
})

const closed = { cache: 'cold', load: { closedConcurrency: 64 }, repeat: 1 } as const

describe('is not known', () => {
  test('without a pass rate', () => {
    expect(bootSpreadOf([], null)).toEqual({ share: null, boots: 0, why: 'no rate passed' })
  })

  test('from fewer than three boots', () => {
    expect(bootSpreadOf(swept([0, 0.01]), PASS)).toMatchObject({
      share: null,
      boots: 2,
      why: expect.stringContaining('2 of 3 boots') as string,
    })
  })

  test('where attainment does not fall with the rate', () => {
    const flat = [0, 1, 2].map((boot) => made({ rate: PASS, boot: `boot-${boot}`, level: -30 }))
    flat.push(made({ rate: 24_480, boot: 'boot-2', level: -30, outcome: 'fail' }))
    expect(bootSpreadOf(flat, PASS)).toMatchObject({
      share: null,
      boots: 3,
      why: expect.stringContaining('does not clearly fall') as string,
    })
  })

  test('where the fall is within what sampling does', () => {
    const few = swept([-0.01, 0, 0.01]).map((point) => ({
      ...point,
      slo: { classes: { worst: { attainment: point.slo.classes['worst']?.attainment ?? 0, successful_count: 200 } } },
    }))
    expect(bootSpreadOf(few, PASS)).toMatchObject({
      share: null,
      why: expect.stringContaining('does not clearly fall') as string,
    })
  })

  test('where no class has a success', () => {
    const dead = swept([0, 0, 0]).map((point) => ({
      ...point,
      slo: { classes: { worst: { attainment: null, successful_count: 0 } } },
    }))
    expect(bootSpreadOf(dead, PASS)).toMatchObject({ share: null, boots: 0 })
  })
})

describe('a result', () => {
  const points = [0.966, 0.964, 0.972].map((attainment, index) =>
    point({ milliRps: PASS, repeat: index + 1, deployId: `boot-${index}`, attainment }),
  )
  points.push(point({ milliRps: 24_500, outcome: 'fail', deployId: 'boot-2', attainment: 0.93 }))
  const { engine, ...manifest } = manifestOf('worked-example', { sweep: { rates_rps: [24, 24.5], repeats: 3 } })
  const spreadOf = (deploy: Manifest['engine']['deploy']) =>
    capacityResult({
      plan: 'sweep',
      manifest: { ...manifest, engine: { ...engine, ...(deploy ? { deploy } : {}) } },
      cache: 'cold',
      baseline: null,
      anchor: null,
      points,
      gpuMinutes: 0,
    }).bootSpread

  test('carries the spread of its points', () => {
    const { deploy } = manifestOf('embedded').engine
    expect(spreadOf(deploy)).toBeGreaterThan(0)
    expect(spreadOf(deploy)).toBe(bootSpreadOf(points, PASS).share)
  })

  test('carries none for an engine that somebody else started: it is one boot', () => {
    const { deploy } = manifestSchema.parse({ ...manifest, engine: { ...engine, deploy: endpoint } }).engine
    expect(spreadOf(deploy)).toBeNull()
    expect(spreadOf(undefined)).toBeNull()
  })
})

const endpoint = { kind: 'endpoint', urls: ['http://127.0.0.1:8000'] }
