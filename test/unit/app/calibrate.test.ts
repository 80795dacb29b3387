import { describe, expect, test } from 'vitest'
import { replayPoint } from '../../../src/app/replay-point.ts'
import { verifyPack } from '../../../src/app/verify/verify.ts'
import { compare } from '../../../src/app/compare.ts'
import { packJson } from '../../../src/app/point/files.ts'
import { exitCodeOf } from '../../../src/core/gate/exit.ts'
import type { PointKey } from '../../../src/core/kernel/point.ts'
import { parseCalibration } from '../../../src/core/telemetry/calibration-file.ts'
import type { FakeClient } from '../../fakes/calibrator.ts'
import { FAKE_CLIENT } from '../../fakes/calibrator.ts'
import { fakePack } from '../../fakes/pack.ts'
import type { FakePack } from '../../fakes/pack.ts'
import { manifestText, smallExample, smallSubject } from '../../virtual/virtual-manifest.ts'
import { runVirtually } from '../../virtual/virtual-run.ts'
import type { VirtualRun } from '../../virtual/virtual-run.ts'
import { virtualWorld } from '../../virtual/virtual-world.ts'

const manifest = smallExample({ sweep: { rates_rps: [40, 60], refine_step: 0.1, repeats: 1 } })
const run = (find?: (measurement: number) => FakeClient | string, more: Partial<VirtualRun> = {}) =>
  runVirtually({
    manifest,
    subject: smallSubject(),
    plan: { bootSeconds: 2 },
    ...more,
    ...(find ? { findClient: find } : {}),
  })

/** 2 % of the tightest TTFT cutoff of 300 ms are 6 ms. */
const SLOW: FakeClient = { ttftP99Us: 7000 }

const stored = (pack: FakePack) => parseCalibration(pack.text('calibration.json') ?? '')

describe('a run’s calibration', () => {
  test('comes before anything is deployed, stands in the pack and the record, and verifies', async () => {
    const { record, world } = await run()
    const { notes } = world.effects.progress
    const at = (what: string) => notes.findIndex((note) => note.includes(what))
    expect(at('calibrating the client')).toBeGreaterThan(-1)
    expect(at('calibrating the client')).toBeLessThan(at('starting fixture'))
    expect(stored(world.effects.pack)).toMatchObject({ made: true, attempt: 1, need: { dialect: 'fixture' } })
    expect(record.evidence.map(({ probe, state }) => `${probe} ${state}`)).toEqual([
      'host.preflight.disk pass',
      'host.preflight.load pass',
      'client.calibration.rate pass',
      'client.calibration.ttft pass',
      'client.calibration.tpot pass',
      'client.calibration.send_lag pass',
    ])
    expect((await verifyPack(world.effects.pack)).discrepancies).toEqual([])
    expect(world.effects.pack.text('report.md')).toContain('client.calibration.ttft')
  })

  test('that is not good enough, twice, ends the run invalid with nothing deployed, and so does its record in the gate', async () => {
    const { record, verdict, world } = await run(() => SLOW)
    expect([verdict.outcome, exitCodeOf(verdict, 'warn')]).toEqual(['invalid', 4])
    expect(verdict.states.map(({ outcome }) => outcome)).toEqual(['invalid', 'invalid'])
    expect(verdict.reasons[0]).toMatchObject({ code: 'evidence_failed' })
    expect(verdict.reasons[0]?.text).toMatch(/^client\.calibration\.ttft: own error in TTFT .*p99 7 ms/)
    expect([record.capacity, record.boots, world.deployer.boots]).toEqual([[], [], 0])
    expect(world.effects.calibrator.measurements).toBe(2)
    expect(stored(world.effects.pack)).toMatchObject({ made: true, attempt: 2 })
    expect((await verifyPack(world.effects.pack)).discrepancies).toEqual([])
    const text = packJson(record)
    const none = { baseline: null, anchor: null, acceptedLosses: null }
    const again = compare({
      candidate: { file: 'c', text },
      ...none,
      onMissingBaseline: 'record',
      onHostChange: 'remeasure',
    })
    expect(again.verdict.outcome).toBe('invalid')
  })

  test('is made once more where the first was disturbed, and the second counts', async () => {
    const { verdict, world } = await run((measurement) => (measurement === 1 ? SLOW : {}))
    expect(verdict.outcome).toBe('recorded')
    expect(stored(world.effects.pack)).toMatchObject({ attempt: 2 })
    expect(world.effects.progress.warnings.join()).toContain('calibrated once more: own error in TTFT')
  })

  test('is kept for the next run where it is good enough, and not where it is not, though it counts', async () => {
    const { calibrator } = (await run()).world.effects
    const need = stored((await run()).world.effects.pack).need
    expect(await calibrator.kept(need)).toMatchObject({ need })
    expect(await (await run(() => SLOW)).world.effects.calibrator.kept(need)).toBeNull()
  })

  test('that could not be made is unknown, and nothing is deployed: invalid, with the cause', async () => {
    const { verdict, world } = await run(() => 'the null server could not be started: EPERM')
    expect(verdict.outcome).toBe('invalid')
    expect(verdict.reasons.map(({ code }) => code)).toEqual(['evidence_unknown', 'nothing_measured'])
    expect(verdict.reasons[0]?.text).toContain('EPERM')
    expect(world.deployer.boots).toBe(0)
    expect(stored(world.effects.pack)).toMatchObject({ made: false })
    expect((await verifyPack(world.effects.pack)).discrepancies).toEqual([])
  })

  test('that could not be made is no hindrance where evidence of the client is not required', async () => {
    const acceptance = { required_evidence: ['identity', 'queue', 'cache_hit', 'stability'] }
    const lax = smallExample({ sweep: { rates_rps: [40], refine_step: 0, repeats: 1 }, acceptance })
    const { verdict, world } = await run(() => 'EPERM', { manifest: lax })
    expect(verdict.outcome).toBe('recorded')
    expect(world.deployer.boots).toBeGreaterThan(0)
  })

  test('is asked at the highest rate of the manifest’s plans, the guard rate’s included', async () => {
    const { world } = await run()
    expect(stored(world.effects.pack).need.milliRps).toBeGreaterThanOrEqual(60_000)
    const acceptance = { min_capacity_rps: 80 }
    const more = smallExample({ sweep: { rates_rps: [40, 60], refine_step: 0.1, repeats: 1 }, acceptance })
    expect(stored((await run(undefined, { manifest: more })).world.effects.pack).need.milliRps).toBeGreaterThanOrEqual(
      80_000,
    )
  })

  test('is not made where the records cannot be compared: nothing will be measured', async () => {
    const { record } = await run()
    const request = { plan: 'confirm', onMissingBaseline: 'fail' } as const
    const loosened = smallExample({ acceptance: { error_rate_max: 0.02 } })
    const { verdict, world } = await run(() => SLOW, { manifest: loosened, baseline: record, request })
    expect(verdict.outcome).toBe('inconclusive')
    expect(world.effects.calibrator.measurements).toBe(0)
  })
})

describe('a calibration in the pack', () => {
  /** A pack whose run was interrupted after its first point. */
  async function interrupted(): Promise<FakePack> {
    const pack = fakePack()
    const controller = new AbortController()
    const onNote = (note: string) => {
      if (/-r1: (pass|fail)/.test(note)) controller.abort(new Error('interrupted'))
    }
    await expect(run(undefined, { pack, onNote, signal: controller.signal })).rejects.toThrow('interrupted')
    return pack
  }

  test('serves a resumed run of the same client, and not one of another', async () => {
    const resume = { request: { resume: true } }
    const same = await run(() => SLOW, { pack: await interrupted(), ...resume })
    expect(same.world.effects.calibrator.measurements).toBe(0)
    expect(same.verdict.outcome).toBe('recorded')
    const newer = { ...FAKE_CLIENT, node: '26.0.0' }
    const other = await run(() => ({ ...SLOW, client: newer }), { pack: await interrupted(), ...resume })
    expect(other.world.effects.calibrator.measurements).toBe(2)
    expect(other.verdict.outcome).toBe('invalid')
    const elsewhere = { ...FAKE_CLIENT, machine: 'another of its kind' }
    const moved = await run(() => ({ ...SLOW, client: elsewhere }), { pack: await interrupted(), ...resume })
    expect(moved.world.effects.calibrator.measurements).toBe(2)
  })

  test('serves a run that is resumed within a day, and no later one', async () => {
    const resumedAt = async (measuredAt: string) => {
      const pack = await interrupted()
      await pack.write('calibration.json', packJson({ ...stored(pack), measuredAt }))
      const { world } = await run(undefined, { pack, request: { resume: true } })
      return world.effects.calibrator.measurements
    }
    expect(await resumedAt('2025-12-31T12:00:00.000Z')).toBe(0)
    expect(await resumedAt('2025-12-30T12:00:00.000Z')).toBe(1)
    expect(await resumedAt('2026-01-02T12:00:00.000Z')).toBe(1)
  })

  test.each<[what: string, change: (text: string) => string | null]>([
    ['was made better', (text) => text.replace('"p99Us": 7000', '"p99Us": 700')],
    ['was left out', () => null],
    ['is of another load', (text) => text.replace('"outputTokens": 64', '"outputTokens": 32')],
    ['was cut', (text) => text.slice(0, 100)],
  ])('that %s does not verify', async (_, change) => {
    const pack = fakePack()
    await run(() => ({ ttftP99Us: 5900, decodeP99Us: 7000 }), { pack })
    const text = change(pack.text('calibration.json') ?? '')
    if (text === null) await pack.remove('calibration.json')
    else await pack.write('calibration.json', text)
    const { discrepancies } = await verifyPack(pack)
    expect(discrepancies.map(({ code }) => code)).toContainEqual(expect.stringMatching(/^(capacity|unreadable)$/))
  })
})

describe('a point that is replayed alone', () => {
  const key: PointKey = { cache: 'cold', load: { openMilliRps: 40_000 }, repeat: 1 }
  const replay = (find?: (measurement: number) => FakeClient | string, at: PointKey = key) => {
    const world = virtualWorld({ subject: smallSubject(), ...(find ? { findClient: find } : {}) })
    const request = { manifest, manifestText: manifestText(manifest), key: at }
    const point = replayPoint(world.effects, request, new AbortController().signal)
    return { point, world }
  }

  test('is calibrated for at its own rate, and says so in its evidence', async () => {
    const { point, world } = replay()
    expect((await point).evidence).toContainEqual(
      expect.objectContaining({ probe: 'client.calibration.rate', state: 'pass', required: true }),
    )
    const { need } = parseCalibration(world.effects.pack.text('points/cold-open-40000-r1/calibration.json') ?? '')
    expect(need.milliRps).toBeLessThan(51_000)
    expect((await verifyPack(world.effects.pack)).discrepancies).toEqual([])
  })

  test('is invalid with an empty cohort where the client is not good enough, and the engine is left alone', async () => {
    const { point, world } = replay(() => SLOW)
    expect(await point).toMatchObject({ outcome: 'invalid', slo: { attempted: 0 } })
    expect((await point).reasons[0]?.text).toContain('client.calibration.ttft')
    expect(world.deployer.boots).toBe(0)
    expect((await verifyPack(world.effects.pack)).discrepancies).toEqual([])
  })

  test('is not begun where the client could not be calibrated', async () => {
    await expect(replay(() => 'EPERM').point).rejects.toMatchObject({ code: 'calibration_failed', exitCode: 4 })
  })

  test('of a closed loop is calibrated for at the rate that its cutoffs allow', async () => {
    const { point, world } = replay(undefined, { ...key, load: { closedConcurrency: 8 } })
    await point
    const { need } = parseCalibration(world.effects.pack.text('points/cold-closed-8-r1/calibration.json') ?? '')
    expect(need.milliRps).toBeGreaterThan(8000)
  })
})
