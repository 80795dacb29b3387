import { beforeAll, describe, expect, test } from 'vitest'
import { runProgress } from '../../../src/app/cancelled.ts'
import { verifyPack } from '../../../src/app/verify/verify.ts'
import type { CapacityRecord } from '../../../src/core/capacity/record.ts'
import { exitCodeOf } from '../../../src/core/gate/exit.ts'
import type { Verdict } from '../../../src/core/gate/verdict.ts'
import { fakePack } from '../../fakes/pack.ts'
import { smallExample, smallSubject } from '../../virtual/virtual-manifest.ts'
import type { VirtualRun } from '../../virtual/virtual-run.ts'
import { runVirtually } from '../../virtual/virtual-run.ts'

const sweep = { rates_rps: [30, 40, 50, 60], refine_step: 0.04, repeats: 1 }
/** What is accepted is 1.0, what is asked for is 1.1. */
const accepted = smallExample({ sweep })
const candidate = smallExample({ sweep, engine: { version: '1.1' } })
const fast = smallSubject({ jitter: 0.02 })
const slow = { ...fast, faults: { prefillFactor: 1.6 } }
const HOME = { gpuUuids: 'GPU-home', gpuDriver: '580.65' }
const AWAY = { gpuUuids: 'GPU-away', gpuDriver: '580.65' }
let baseline: CapacityRecord

beforeAll(async () => {
  const { record } = await runVirtually({ manifest: accepted, subject: fast, plan: { bootSeconds: 2 }, recorded: HOME })
  baseline = record
})

function elsewhere(parts: Partial<VirtualRun> = {}) {
  return runVirtually({
    manifest: candidate,
    baseline,
    subject: fast,
    recorded: AWAY,
    ...parts,
    plan: { bootSeconds: 2, ...parts.plan },
    request: { plan: 'confirm', onMissingBaseline: 'fail', ...parts.request },
  })
}

const codesOf = (reasons: readonly { code: string }[]) => reasons.map(({ code }) => code)
const notesOf = (verdict: Verdict) => verdict.states.map(({ notes }) => codesOf(notes))
const pointsOf = (capacity: CapacityRecord['capacity'] = []) =>
  capacity.map(({ points }) => points.map(({ outcome, deployId }) => `${outcome} ${deployId}`))

describe('on another machine than the baseline’s', () => {
  test('the baseline’s revision is measured first, at its guard rate, then the candidate', async () => {
    const { record, verdict, world } = await elsewhere()
    expect(verdict.outcome).toBe('held')
    expect(pointsOf(record.hostProof?.capacity)).toEqual([['pass baseline-cold-boot-1'], ['pass baseline-warm-boot-1']])
    expect(pointsOf(record.capacity)).toEqual([['pass cold-boot-1'], ['pass warm-boot-1']])
    const starts = world.effects.progress.notes.filter((note) => note.includes(': starting'))
    expect(starts.map((note) => note.replace(/: starting fixture/, ''))).toEqual([
      'baseline-cold-boot-1 1.0',
      'baseline-warm-boot-1 1.0',
      'cold-boot-1 1.1',
      'warm-boot-1 1.1',
    ])
    for (const notes of notesOf(verdict)) expect(notes.filter((code) => code === 'host_proven')).toHaveLength(2)
    const { pack } = world.effects
    expect(pack.text('report.md')).toContain('the baseline’s own revision was measured here first and holds')
    expect(pack.text('report.md')).toContain('The baseline’s revision on this machine, cold: 1 point by rate')
    expect([...pack.files.keys()].filter((path) => path.endsWith('point.json'))).toHaveLength(4)
    expect((await verifyPack(pack)).discrepancies).toEqual([])
  })

  test('a slower candidate is regressed, and the machine is not to blame', async () => {
    const { record, verdict, world } = await elsewhere({ plan: { versions: { '1.1': slow } } })
    expect(verdict.outcome).toBe('regressed')
    expect(notesOf(verdict).every((codes) => codes.includes('host_proven'))).toBe(true)
    expect(pointsOf(record.hostProof?.capacity)).toHaveLength(2)
    expect((await verifyPack(world.effects.pack)).discrepancies).toEqual([])
  })

  test('that is slower the candidate is neither measured nor blamed', async () => {
    const { record, verdict, world } = await elsewhere({ subject: slow })
    expect([verdict.outcome, exitCodeOf(verdict)]).toEqual(['inconclusive', 3])
    expect(codesOf(verdict.reasons)).toEqual(['host_misses_baseline'])
    expect(verdict.reasons[0]?.text).toMatch(
      /^cold: the baseline’s own revision misses its capacity here \(.+ failed on 2 of 2 boots.*; the machine is not the baseline’s: gpuUuids \(GPU-home → GPU-away\)$/,
    )
    // Two boots agree, no lower rate is tried, and the other state is not asked.
    expect(pointsOf(record.hostProof?.capacity)).toEqual([['fail baseline-cold-boot-1', 'fail baseline-cold-boot-2']])
    expect(record.capacity).toEqual([])
    expect(world.deployer.standing).toBe(0)
    expect((await verifyPack(world.effects.pack)).discrepancies).toEqual([])
  })

  test('on which the client is late is invalid', async () => {
    const { verdict } = await elsewhere({ sendLagUs: 20_000 })
    expect(verdict.outcome).toBe('invalid')
    expect(codesOf(verdict.reasons)).toEqual(['host_proof_invalid'])
  })

  test('where the baseline’s image is gone nothing is blamed, and nothing started', async () => {
    const { record, verdict, world } = await elsewhere({ plan: { lacks: ['1.0'] } })
    expect([verdict.outcome, exitCodeOf(verdict)]).toEqual(['inconclusive', 3])
    expect(codesOf(verdict.reasons)).toEqual(['host_unproven'])
    expect(verdict.reasons[0]?.text).toContain('the registry has no image of 1.0')
    expect([world.deployer.boots, record.capacity]).toEqual([0, []])
    expect((await verifyPack(world.effects.pack)).discrepancies).toEqual([])
  })

  test('where the baseline’s revision does not come up the candidate is not blamed', async () => {
    const { verdict } = await elsewhere({ plan: { startFails: () => true } })
    expect(codesOf(verdict.reasons)).toEqual(['host_unproven'])
    expect(verdict.reasons[0]?.text).toContain('does not start')
  })

  test('a record without its whole subject cannot be deployed again', async () => {
    const { value: _value, ...subject } = baseline.subject
    const { verdict } = await elsewhere({ baseline: { ...baseline, subject } })
    expect(verdict.reasons.map(({ text }) => text).join()).toContain('its record does not hold its whole subject')
    const other = { ...baseline, subject: { ...baseline.subject, sha256: 'f'.repeat(64) } }
    const hash = await elsewhere({ baseline: other })
    expect(hash.verdict.reasons.map(({ text }) => text).join()).toContain('does not give its own hash')
  })

  test('a sweep is proven as well', async () => {
    const { record, verdict } = await elsewhere({ request: { plan: 'sweep' } })
    expect(verdict.outcome).toBe('held')
    expect(record.hostProof?.capacity.map(({ plan }) => plan)).toEqual(['confirm', 'confirm'])
    expect(record.capacity.map(({ plan }) => plan)).toEqual(['sweep', 'sweep'])
  })
})

describe('on-host-change', () => {
  test('accept compares all the same, and says so', async () => {
    const { record, verdict, world } = await elsewhere({ request: { onHostChange: 'accept' } })
    expect([verdict.outcome, record.hostProof]).toEqual(['held', undefined])
    expect(notesOf(verdict).every((codes) => codes.includes('host_change_accepted'))).toBe(true)
    expect(world.effects.pack.text('report.md')).toContain('compared all the same, as was asked for')
  })

  test('fail is inconclusive before anything is deployed, and names what differs', async () => {
    const { verdict, world } = await elsewhere({ request: { onHostChange: 'fail' } })
    expect([verdict.outcome, exitCodeOf(verdict)]).toEqual(['inconclusive', 3])
    expect(verdict.reasons).toEqual([
      { code: 'host_changed', text: 'the machine is not the baseline’s: gpuUuids (GPU-home → GPU-away)' },
    ])
    expect([world.deployer.boots, world.effects.calibrator.measurements]).toEqual([0, 0])
    expect((await verifyPack(world.effects.pack)).discrepancies).toEqual([])
  })

  test('asks for nothing on the baseline’s own machine', async () => {
    const { record, verdict } = await elsewhere({ recorded: { ...HOME, hostname: 'renamed' } })
    expect([verdict.outcome, record.hostProof]).toEqual(['held', undefined])
  })
})

describe('the proof', () => {
  test('counts in the estimate and in the budget', async () => {
    const { world } = await elsewhere()
    const { notes } = world.effects.progress
    expect(notes).toContainEqual(expect.stringMatching(/^cold, the baseline’s revision first.*1 point on 1 boot/))
    expect(notes).toContainEqual(expect.stringMatching(/^confirm: 4 points/))
    const refused = elsewhere({ request: { budgetMinutes: 1.5 } })
    await expect(refused).rejects.toMatchObject({ code: 'plan_over_budget' })
    expect((await elsewhere({ recorded: HOME, request: { budgetMinutes: 1.5 } })).verdict.outcome).toBe('held')
  })

  test('is gone on with after any of its points', async () => {
    for (const n of [1, 2, 3]) {
      const pack = fakePack()
      const controller = new AbortController()
      let judged = 0
      const onNote = (note: string) => {
        if (/^(cold|warm)-open-\d+-r\d+: pass/.test(note) && (judged += 1) === n) controller.abort(new Error('stop'))
      }
      await expect(elsewhere({ pack, onNote, signal: controller.signal })).rejects.toThrow('stop')
      await expect(elsewhere({ pack })).rejects.toMatchObject({ code: 'pack_in_use' })
      const { record, verdict, world } = await elsewhere({ pack, request: { resume: true } })
      expect(verdict.outcome).toBe('held')
      expect(record.hostProof?.capacity.flatMap(({ points }) => points)).toHaveLength(2)
      const again = world.effects.progress.notes.filter((note) => /-r\d+: pass/.test(note))
      expect(again).toHaveLength(4 - n)
      expect((await verifyPack(pack)).discrepancies).toEqual([])
    }
  })

  test('is not taken over to another machine by a resumed run', async () => {
    const pack = fakePack()
    const controller = new AbortController()
    const onNote = (note: string) => {
      if (note.includes('-r1: pass')) controller.abort(new Error('stop'))
    }
    await expect(elsewhere({ pack, onNote, signal: controller.signal })).rejects.toThrow('stop')
    const third = elsewhere({ pack, recorded: { ...AWAY, gpuUuids: 'GPU-third' }, request: { resume: true } })
    await expect(third).rejects.toMatchObject({ code: 'resume_mismatch', message: expect.stringContaining('the host') })
  })

  test('that was changed afterwards does not verify', async () => {
    const { world } = await elsewhere()
    const { pack } = world.effects
    const path = [...pack.files.keys()].find((name) => /^host-proof\/points\/cold-.*point\.json$/.test(name)) ?? ''
    await pack.write(path, (pack.text(path) ?? '').replace('"outcome": "pass"', '"outcome": "fail"'))
    const { discrepancies } = await verifyPack(pack)
    expect(discrepancies).toContainEqual({ code: 'point', path, text: 'does not follow from the point’s raw files' })
  })

  test('whose figures were changed in the record does not verify', async () => {
    const { world, record } = await elsewhere()
    const { pack } = world.effects
    const [cold] = record.hostProof?.capacity ?? []
    const better = { ...record, hostProof: { ...record.hostProof, capacity: [{ ...cold, passMilliRps: 99_000 }] } }
    await pack.write('capacity.json', `${JSON.stringify(better, null, 2)}\n`)
    const { discrepancies } = await verifyPack(pack)
    expect(discrepancies.map(({ code, path: wrong }) => `${code} ${wrong}`)).toContain('capacity capacity.json')
  })
})

test('a run that was ended while the baseline’s revision was measured names the point that it was at', async () => {
  const { world } = await elsewhere()
  const left = fakePack()
  const withPoints = (path: string, points: readonly string[]) => {
    const session = JSON.parse(world.effects.pack.text(path) ?? '') as object
    left.files.set(path, new TextEncoder().encode(JSON.stringify({ ...session, points })))
  }
  for (const [path, bytes] of world.effects.pack.files) if (path.startsWith('host-proof/')) left.files.set(path, bytes)
  const [first = '', second = ''] = [...left.files.keys()]
    .filter((path) => path.endsWith('/point.json'))
    .map((path) => path.split('/')[2])
    .toSorted()
  withPoints('run.json', [])
  withPoints('host-proof/run.json', [first])
  expect(await runProgress(left)).toEqual({ judgedPoints: 1, plannedPoints: 4, point: `host-proof/${second}` })
})
