import { beforeAll, describe, expect, test } from 'vitest'
import type { CapacityRecord } from '../../../src/core/capacity/record.ts'
import type { Verdict } from '../../../src/core/gate/verdict.ts'
import type { Manifest } from '../../../src/core/manifest/schema.ts'
import { smallExample, smallSubject } from '../../virtual/virtual-manifest.ts'
import { runVirtually } from '../../virtual/virtual-run.ts'
import type { VirtualRun } from '../../virtual/virtual-run.ts'

const manifest: Manifest = smallExample({ sweep: { rates_rps: [30, 40, 50, 60, 70], refine_step: 0.04, repeats: 1 } })
const subject = smallSubject({ jitter: 0.02 })
const plan = { bootSeconds: 2 }
let baseline: CapacityRecord

beforeAll(async () => {
  baseline = (await runVirtually({ manifest, subject, plan })).record
})

function confirm(parts: Partial<VirtualRun> = {}) {
  return runVirtually({
    manifest,
    baseline,
    subject,
    plan,
    ...parts,
    request: { plan: 'confirm', onMissingBaseline: 'fail', ...parts.request },
  })
}

function stateOf(verdict: Verdict, cache: 'cold' | 'warm') {
  const state = verdict.states.find((one) => one.cache === cache)
  if (!state) throw new Error(`no ${cache} state`)
  return state
}

const codesOf = (reasons: readonly { code: string }[]) => reasons.map(({ code }) => code)
const outcomesOf = (record: CapacityRecord) =>
  record.capacity.map(({ points }) => points.map(({ outcome, deployId }) => `${outcome} ${deployId}`))

describe('a confirmation in virtual time', () => {
  test('of the same revision holds with one point a state', async () => {
    const { verdict, record, world } = await confirm({ subject: smallSubject({ jitter: 0.02, seed: 7 }) })
    expect(verdict.outcome).toBe('held')
    expect(outcomesOf(record)).toEqual([['pass cold-boot-1'], ['pass warm-boot-1']])
    for (const { cache, passMilliRps } of baseline.capacity) {
      const state = stateOf(verdict, cache)
      expect(state).toMatchObject({ outcome: 'held', repeats: 1, baselineMilliRps: passMilliRps })
      expect(state.guardMilliRps).toBe(Math.round((passMilliRps ?? 0) * 0.96))
    }
    expect(world.effects.pack.text('baseline.json')).not.toBeNull()
    expect(world.deployer.standing).toBe(0)
  })

  test('of a revision with slower prefill regresses on two boots, and states the loss', async () => {
    const slower = { ...subject, faults: { prefillFactor: 1.6 } }
    const { verdict, record } = await confirm({ subject: slower })
    expect(verdict.outcome).toBe('regressed')
    for (const { cache, points, passMilliRps } of record.capacity) {
      const state = stateOf(verdict, cache)
      expect(state).toMatchObject({ outcome: 'regressed', repeats: 2 })
      const atGuard = points.filter(({ key }) => JSON.stringify(key.load).includes(`:${state.guardMilliRps}}`))
      expect(new Set(atGuard.map(({ deployId }) => deployId)).size).toBe(2)
      expect(codesOf(state.reasons)).toContain('below_baseline')
      expect(passMilliRps).toBeGreaterThan(20_000)
      expect(passMilliRps).toBeLessThan(state.guardMilliRps ?? 0)
    }
  })

  test('of a revision whose prefix cache stopped hitting regresses on warm alone', async () => {
    const { verdict, record } = await confirm({ subject: { ...subject, faults: { cacheHits: false } } })
    expect(verdict.outcome).toBe('regressed')
    expect(stateOf(verdict, 'cold').outcome).toBe('held')
    expect(stateOf(verdict, 'warm')).toMatchObject({ outcome: 'regressed', repeats: 2 })
    const warm = record.capacity[1]?.points[0]
    expect(warm?.evidence.find(({ probe }) => probe === 'cache_hit.warm')).toMatchObject({ state: 'fail', value: 0 })
  })

  test('boots again after a start that failed, and lets two of three boots decide', async () => {
    const once = await confirm({ plan: { bootSeconds: 2, startFails: (boot) => boot === 1 } })
    expect(outcomesOf(once.record)[0]).toEqual(['fail cold-boot-1', 'pass cold-boot-2', 'pass cold-boot-3'])
    expect(once.verdict.outcome).toBe('held')
    expect(stateOf(once.verdict, 'cold')).toMatchObject({ outcome: 'held', repeats: 3 })
  })

  test('of a revision that never starts regresses', async () => {
    const { verdict, record, world } = await confirm({ plan: { bootSeconds: 2, startFails: () => true } })
    expect(verdict.outcome).toBe('regressed')
    expect(record.capacity.map(({ passMilliRps }) => passMilliRps)).toEqual([null, null])
    expect(record.boots).toEqual([])
    expect(world.deployer.boots).toBeLessThanOrEqual(6)
  })

  test('survives one crash, told in its point, and not two', async () => {
    const crashing = (boots: number) => ({
      bootSeconds: 2,
      crash: (boot: number) => (boot <= boots ? { replica: 1, atRequest: 150 } : null),
    })
    const once = await confirm({ plan: crashing(1) })
    expect(once.verdict.outcome).toBe('held')
    const [first] = once.record.capacity[0]?.points ?? []
    expect(first).toMatchObject({ outcome: 'fail', stoppedEarly: true })
    expect(codesOf(first?.reasons ?? [])).toEqual(expect.arrayContaining(['error_rate', 'exit']))
    expect(Object.keys(first?.slo.error_codes ?? {})).toEqual(['connect_failed', 'connection_reset'])
    const twice = await confirm({ plan: crashing(9) })
    expect(twice.verdict.outcome).toBe('regressed')
  })

  test('is invalid when the client fell behind', async () => {
    const { verdict, record } = await confirm({ sendLagUs: 20_000 })
    expect(verdict.outcome).toBe('invalid')
    expect(record.capacity[0]?.points.map(({ outcome }) => outcome)).toEqual(['invalid', 'invalid'])
    expect(record.capacity[0]?.points[0]?.reasons[0]?.text).toContain('client.send_lag')
  })

  test('of another experiment measures nothing and says which field differs', async () => {
    const loosened = smallExample({ acceptance: { error_rate_max: 0.02 } })
    const { verdict, world } = await confirm({ manifest: loosened })
    expect(verdict.outcome).toBe('inconclusive')
    expect(JSON.stringify(verdict.reasons)).toContain('error_rate_max')
    expect(world.deployer.boots).toBe(0)
  })
})

describe('a sweep in virtual time', () => {
  test('of a faster revision improves', async () => {
    const { verdict } = await runVirtually({ manifest, baseline, plan, subject: { ...subject, speed: 1.15 } })
    expect(verdict.outcome).toBe('improved')
    expect(stateOf(verdict, 'cold').changeShare).toBeGreaterThan(0.04)
  })

  test('that finds less confirms it at the guard rate before it says regressed', async () => {
    const slower = { ...subject, speed: 0.85 }
    const { verdict, record } = await runVirtually({ manifest, baseline, plan, subject: slower })
    expect(verdict.outcome).toBe('regressed')
    const guard = stateOf(verdict, 'cold').guardMilliRps
    const atGuard =
      record.capacity[0]?.points.filter(({ key }) => JSON.stringify(key.load).includes(`:${guard}}`)) ?? []
    expect(new Set(atGuard.map(({ deployId }) => deployId)).size).toBe(2)
  })

  test('stops a hopeless point early, and boots anew after it', async () => {
    const stopped = baseline.capacity.flatMap(({ points }) => points.filter(({ stoppedEarly }) => stoppedEarly))
    expect(stopped.length).toBeGreaterThan(2)
    expect(new Set(stopped.map(({ deployId }) => deployId)).size).toBe(stopped.length)
    for (const { outcome, reasons } of stopped) {
      expect(outcome).toBe('fail')
      expect(codesOf(reasons)).toContain('cannot_pass')
    }
    expect(Math.min(...stopped.map(({ slo }) => slo.attempted))).toBeLessThan(500)
  })

  test('extends a point whose smallest class is short of its floor, and is undersampled where it may not', async () => {
    const client = { class_schedule_counts: { interactive: 432, long_context: 120, generation_heavy: 48 } }
    const one = { rates_rps: [30], refine_step: 0, repeats: 1 }
    const extended = await runVirtually({ manifest: smallExample({ client, sweep: one }), subject, plan })
    const [point] = extended.record.capacity[0]?.points ?? []
    expect(point).toMatchObject({ outcome: 'pass', slo: { attempted: 700 } })
    expect(point?.slo.classes.generation_heavy?.successful_count).toBe(56)
    const without = smallExample({ client: { ...client, extension_requests: 0 }, sweep: one })
    const { record, verdict } = await runVirtually({ manifest: without, subject, plan })
    expect(record.capacity[0]?.points.map(({ outcome }) => outcome)).toEqual(['undersampled', 'undersampled'])
    expect(verdict.outcome).toBe('inconclusive')
  })

  test('begins no further point once its budget is used up, and is refused where it cannot fit', async () => {
    const slowBoots = { bootSeconds: 600 }
    const { record, verdict } = await runVirtually({
      manifest,
      subject,
      plan: slowBoots,
      request: { budgetMinutes: 15 },
    })
    expect(codesOf(record.capacity.flatMap(({ reasons }) => reasons))).toContain('budget_reached')
    expect(record.capacity[0]?.points.length).toBeGreaterThan(0)
    expect(verdict.outcome).toBe('inconclusive')
    const refused = runVirtually({ manifest, subject, plan, request: { budgetMinutes: 1 } })
    await expect(refused).rejects.toMatchObject({ code: 'plan_over_budget', exitCode: 4 })
  })
})
