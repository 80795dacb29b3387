import { beforeAll, describe, expect, test } from 'vitest'
import { acceptedFacts, requireAcceptedLosses } from '../../../src/app/accepted-losses.ts'
import { verifyPack } from '../../../src/app/verify/verify.ts'
import { openMilliRps } from '../../../src/core/capacity/by-rate.ts'
import type { CapacityRecord } from '../../../src/core/capacity/record.ts'
import type { AcceptedLosses } from '../../../src/core/gate/accepted/loss.ts'
import { gateId, identify } from '../../../src/core/manifest/identity.ts'
import type { Manifest } from '../../../src/core/manifest/schema.ts'
import { fakePack } from '../../fakes/pack.ts'
import { smallExample, smallSubject } from '../../virtual/virtual-manifest.ts'
import { runVirtually } from '../../virtual/virtual-run.ts'
import type { VirtualRun } from '../../virtual/virtual-run.ts'
import { fileOf } from '../gate/accepted/accepted-fixture.ts'
import type { Entry } from '../gate/accepted/accepted-fixture.ts'

const manifest: Manifest = smallExample({ sweep: { rates_rps: [30, 40, 50, 60], refine_step: 0.04, repeats: 1 } })
const subject = smallSubject({ jitter: 0.02 })
const plan = { bootSeconds: 2 }
const slower = { ...subject, speed: 0.85 }
let baseline: CapacityRecord
let guardRps = 0

beforeAll(async () => {
  baseline = (await runVirtually({ manifest, subject, plan })).record
  guardRps = Math.round((baseline.capacity[0]?.passMilliRps ?? 0) * 0.96) / 1000
})

const ASOF = '2026-11-30'

function accepted(change: Partial<Entry> = {}): AcceptedLosses {
  const own = { gate: gateId(manifest), subject: identify(manifest).subject.sha256, guard_rps: guardRps, ...change }
  return requireAcceptedLosses({ file: 'accepted.yaml', text: fileOf(own) }, acceptedFacts(manifest, ASOF))
}

/** A share of the guard rate, as a rate that may stand in the file. */
const share = (of: number) => Math.round(guardRps * of * 1000) / 1000

function confirm(acceptedLosses: AcceptedLosses | null, parts: Partial<VirtualRun> = {}) {
  const request = {
    plan: 'confirm',
    caches: ['cold'],
    onMissingBaseline: 'fail',
    acceptedLosses,
    ...parts.request,
  } as const
  return runVirtually({ manifest, baseline, subject: slower, plan, ...parts, request })
}

const ratesOf = (record: CapacityRecord) => record.capacity[0]?.points.map((point) => openMilliRps(point)) ?? []
const discrepancies = async (pack: Parameters<typeof verifyPack>[0]) =>
  (await verifyPack(pack)).discrepancies.map(({ path }) => path)

describe('a run under an accepted loss', () => {
  test('measures the floor itself once the guard rate is lost, and is held by it', async () => {
    const losses = accepted({ floor_rps: share(0.8) })
    const { verdict, record, world } = await confirm(losses)
    const guard = Math.round(guardRps * 1000)
    expect(ratesOf(record)).toEqual([guard, guard, Math.round(share(0.8) * 1000)])
    expect([verdict.outcome, verdict.states[0]?.acceptedLoss?.acceptedBy]).toEqual(['held', '@ada'])
    expect(record.capacity[0]?.reasons.map(({ code }) => code)).toEqual(['guard_lost', 'floor_held'])
    expect(world.effects.pack.text('accepted.yaml')).toBe(losses.text)
    expect(await discrepancies(world.effects.pack)).toEqual([])
  })

  test('stays regressed where the floor is lost on two boots too, and says by how much', async () => {
    const { verdict, record, world } = await confirm(accepted({ floor_rps: share(0.97) }))
    expect(verdict.outcome).toBe('regressed')
    expect(verdict.states[0]?.reasons.map(({ code }) => code)).toContain('below_accepted_floor')
    expect(record.capacity[0]?.reasons.map(({ code }) => code)).toEqual(['guard_lost', 'floor_lost', 'loss_found'])
    expect(await discrepancies(world.effects.pack)).toEqual([])
  })

  test('measures what it would have where the acceptance does not apply', async () => {
    const none = ratesOf((await confirm(null)).record)
    const others: Partial<Entry>[] = [
      { subject: 'e'.repeat(64) },
      { gate: 'another' },
      { expires: '2026-11-29' },
      { guard_rps: guardRps - 0.001 },
      { cache: 'warm' },
    ]
    for (const change of others) {
      const { verdict, record } = await confirm(accepted({ floor_rps: share(0.8), ...change }))
      expect([change, verdict.outcome, ratesOf(record)]).toEqual([change, 'regressed', none])
    }
  })

  test('of a revision that still carries the guard rate says that it is not needed', async () => {
    const { verdict, record } = await confirm(accepted({ floor_rps: share(0.8) }), { subject })
    expect([verdict.outcome, ratesOf(record).length]).toEqual(['held', 1])
    expect(verdict.states[0]?.notes.map(({ code }) => code)).toContain('accepted_loss_not_needed')
  })

  test('does not accept a revision that crashes', async () => {
    const crashing = { bootSeconds: 2, crash: () => ({ replica: 1, atRequest: 150 }) }
    const { verdict } = await confirm(accepted({ floor_rps: share(0.5) }), { subject, plan: crashing })
    expect(verdict.outcome).toBe('regressed')
    expect(verdict.states[0]?.acceptedLoss).toBeUndefined()
  })

  test('is not gone on with under another floor', async () => {
    const pack = fakePack()
    const controller = new AbortController()
    const onNote = (note: string) => {
      if (/: fail/.test(note)) controller.abort(new Error('interrupted'))
    }
    const first = confirm(accepted({ floor_rps: share(0.8) }), { pack, onNote, signal: controller.signal })
    await expect(first).rejects.toThrow('interrupted')
    const again = confirm(accepted({ floor_rps: share(0.7) }), { pack, request: { resume: true } })
    await expect(again).rejects.toMatchObject({
      code: 'resume_mismatch',
      message: expect.stringContaining('the accepted losses changed since'),
    })
    const same = await confirm(accepted({ floor_rps: share(0.8) }), { pack, request: { resume: true } })
    expect(same.verdict.outcome).toBe('held')
  })
})

describe('verify finds', () => {
  test('a floor, a reason or a day that was changed, and a file that was taken away', async () => {
    const { world } = await confirm(accepted({ floor_rps: share(0.8) }))
    const { pack } = world.effects
    const tampered = async (path: string, from: RegExp | string, to: string | null) => {
      const copy = fakePack()
      for (const [name, bytes] of pack.files) copy.files.set(name, bytes)
      if (to === null) await copy.remove(path)
      else await copy.write(path, (pack.text(path) ?? '').replace(from, to))
      return discrepancies(copy)
    }
    expect(await tampered('accepted.yaml', /floor_rps: .*/, `floor_rps: ${share(0.9)}`)).toContain('verdict.json')
    expect(await tampered('accepted.yaml', 'security fix', 'speed')).toContain('verdict.json')
    expect(await tampered('report-context.json', `"${ASOF}"`, '"2026-12-21"')).toContain('verdict.json')
    expect(await tampered('report-context.json', /"acceptedAsOf": .*,\n/, '')).toContain('verdict.json')
    expect((await tampered('accepted.yaml', '', null)).length).toBeGreaterThan(0)
  })
})
