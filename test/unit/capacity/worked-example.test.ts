import { describe, expect, test } from 'vitest'
import { capacityResult } from '../../../src/core/capacity/result.ts'
import type { PointReport } from '../../../src/core/capacity/record.ts'
import { createProgress } from '../../../src/core/capacity/progress.ts'
import { scheduleBlocks } from '../../../src/core/schedule/blocks.ts'
import { codesOf, judged, manifestOf, syntheticPoint } from './synthetic-point.ts'
import type { Behaviour } from './synthetic-point.ts'

const changes = {
  client: { extension_requests: 2000 },
  sweep: { rates_rps: [16, 20, 24, 28], refine_step: 0 },
}
const manifest = manifestOf('worked-example', changes)

/** Requests in flight of a queue that is level, as the example's table says of all rates but the last. */
const level = () => 200
const growing = (second: number) => 200 + second

const point = (milliRps: number, behaviour: Partial<Behaviour> = {}): Promise<PointReport> =>
  judged(syntheticPoint({ manifest, milliRps, inFlight: level, ...behaviour }))

const at28 = {
  cohortRequests: 24_000,
  failed: { interactive: 1680, long_context: 480, generation_heavy: 240 },
  missed: { interactive: 1000, long_context: 300, generation_heavy: 475 },
  inFlight: growing,
}

const resultOf = (points: readonly PointReport[], over = manifest) =>
  capacityResult({ plan: 'sweep', manifest: over, cache: 'cold', baseline: null, anchor: null, points, gpuMinutes: 9 })

/** The same measured point, at another rate and with another outcome. */
const as = (report: PointReport, milliRps: number, outcome: PointReport['outcome']): PointReport => ({
  ...report,
  key: { ...report.key, load: { openMilliRps: milliRps } },
  outcome,
})

const passing = await point(24_000, {
  missed: { generation_heavy: 108, interactive: 300 },
  failed: { generation_heavy: 9 },
})

test('of 16, 20, 24 and 28 requests a second the service carries 24: 6 a replica, 3 a GPU', async () => {
  const points = [await point(16_000), await point(20_000), passing, await point(28_000, at28)]
  expect(points.map(({ outcome }) => outcome)).toEqual(['pass', 'pass', 'pass', 'fail'])
  expect(points[3]?.slo).toMatchObject({ error_rate: 0.1, queue_trend: 'growing' })
  expect(points[3]?.slo.classes['generation_heavy']).toMatchObject({ successful_count: 2160, sample_adequate: true })
  expect(points[3]?.slo.classes['generation_heavy']?.attainment).toBeCloseTo(0.8, 2)
  expect(new Set(codesOf(points[3] as PointReport))).toEqual(
    new Set(['class_attainment', 'error_rate', 'queue_growing', 'cannot_pass']),
  )
  const result = resultOf(points)
  expect(result).toMatchObject({ passMilliRps: 24_000, failMilliRps: 28_000, perReplicaRps: 6, perGpuRps: 3 })
  expect(result).toMatchObject({ flukeMilliRps: [], reasons: [], gpuMinutes: 9 })
  const worst = passing.slo.classes['generation_heavy']?.attainment ?? 0
  expect(worst).toBeCloseTo(0.951, 3)
  expect(result.attainmentSpread).toEqual([worst, worst])
})

describe('the traps', () => {
  test('a pass above a fail is a fluke: reported, not used', () => {
    const result = resultOf([as(passing, 16_000, 'pass'), as(passing, 20_000, 'fail'), as(passing, 24_000, 'pass')])
    expect(result).toMatchObject({ passMilliRps: 16_000, failMilliRps: 20_000, flukeMilliRps: [24_000] })
    expect(result.reasons.map(({ code }) => code)).toEqual(['fluke', 'rates_not_measured'])
  })

  test('all pass: no ceiling was found', () => {
    const points = [16_000, 20_000, 24_000, 28_000].map((rate) => as(passing, rate, 'pass'))
    expect(resultOf(points)).toMatchObject({
      passMilliRps: 28_000,
      failMilliRps: null,
      reasons: [{ code: 'no_ceiling_found' }],
    })
  })

  test('all fail: no capacity, below the lowest', () => {
    const result = resultOf([as(passing, 16_000, 'fail')])
    expect(result).toMatchObject({ passMilliRps: null, failMilliRps: 16_000, perReplicaRps: null, perGpuRps: null })
    expect(result.attainmentSpread).toBeNull()
    expect(result.reasons.map(({ code }) => code)).toEqual(['no_rate_passed', 'rates_not_measured'])
  })

  test('an unfinished sweep says so and claims no more than it measured', () => {
    const result = resultOf([as(passing, 16_000, 'pass'), as(passing, 20_000, 'unknown')])
    expect(result).toMatchObject({ passMilliRps: 16_000, failMilliRps: null })
    expect(result.reasons.map(({ code }) => code)).toContain('unfinished')
  })

  test('at 28 one class is starved at the first block’s end, and the extension gives it its floor', async () => {
    const { schedule, records } = syntheticPoint({ manifest, milliRps: 28_000, ...at28 })
    const progress = createProgress(manifest, scheduleBlocks(schedule))
    for (const record of records.slice(0, 22_000)) progress.add(record)
    expect(progress.extensionNeeded()).toBe(true)
    for (const record of records.slice(22_000)) progress.add(record)
    expect(progress.extensionNeeded()).toBe(false)
    const starved = {
      cohortRequests: 22_000,
      failed: { interactive: 1540, long_context: 440, generation_heavy: 220 },
    }
    const report = await point(28_000, starved)
    expect(report.slo.classes['generation_heavy']).toMatchObject({ successful_count: 1980, sample_adequate: false })
  })

  test('a global error rate of 1 % hides a loss of 10 % in the smallest class, unless it is declared', async () => {
    const hidden = { cohortRequests: 24_000, failed: { generation_heavy: 240 } }
    expect(await point(24_000, hidden)).toMatchObject({ outcome: 'pass', slo: { error_rate: 0.01 } })
    const strict = manifestOf('worked-example', { ...changes, acceptance: { class_error_rate_max: 0.01 } })
    const report = await point(24_000, { ...hidden, manifest: strict })
    expect(report).toMatchObject({ outcome: 'fail', limiting: { class: 'generation_heavy', metric: 'errors' } })
    expect(report.reasons[0]).toMatchObject({ code: 'class_error_rate', class: 'generation_heavy', value: 0.1 })
  })
})

test('a state’s result holds its own points alone, per GPU only where there are GPUs', () => {
  const warm = { ...passing, key: { ...passing.key, cache: 'warm' as const } }
  const embedded = manifestOf('embedded')
  const result = resultOf([warm, as(passing, 20_000, 'pass')], embedded)
  expect(result.points).toHaveLength(1)
  expect(result).toMatchObject({ perReplicaRps: 10, perGpuRps: null })
})
