import { beforeAll, describe, expect, test } from 'vitest'
import type { CapacityRecord } from '../../../src/core/capacity/record.ts'
import { fakePack } from '../../fakes/pack.ts'
import type { FakePack } from '../../fakes/pack.ts'
import { smallExample, smallSubject } from '../../virtual/virtual-manifest.ts'
import { runVirtually } from '../../virtual/virtual-run.ts'
import type { VirtualRun } from '../../virtual/virtual-run.ts'

const manifest = smallExample({ sweep: { rates_rps: [40, 60], refine_step: 0.1, repeats: 1 } })
/** Without noise an engine booted for a resumed run is the engine that it replaces. */
const init: VirtualRun = { manifest, subject: smallSubject(), plan: { bootSeconds: 2 } }

/** What a resumed run must come to: all but the boots that it took, and the time with an engine. */
function measuredOf(record: CapacityRecord): CapacityRecord {
  const capacity = record.capacity.map((state) => ({
    ...state,
    gpuMinutes: 0,
    points: state.points.map((point) => ({ ...point, deployId: '' })),
  }))
  return { ...record, boots: [], capacity }
}

let whole: CapacityRecord
let boundaries = 0

beforeAll(async () => {
  const { record, world } = await runVirtually(init)
  whole = record
  boundaries = world.effects.progress.notes.filter(isOutcome).length
})

const isOutcome = (note: string) => /^(cold|warm)-open-\d+-r\d+: (pass|fail)/.test(note)

/** Runs until the n-th point was judged, and is interrupted there. */
async function interruptedAfter(n: number): Promise<FakePack> {
  const pack = fakePack()
  const controller = new AbortController()
  let judged = 0
  const onNote = (note: string) => {
    if (isOutcome(note) && (judged += 1) === n) controller.abort(new Error('interrupted'))
  }
  const end = await runVirtually({ ...init, pack, onNote, signal: controller.signal }).catch(
    (error: Error) => error.message,
  )
  // After the last point nothing is left to interrupt but the reports.
  expect(n < boundaries ? end : 'interrupted').toBe('interrupted')
  return pack
}

describe('a run that is resumed', () => {
  test('after any of its points comes to the same capacity', async () => {
    expect(boundaries).toBeGreaterThanOrEqual(6)
    for (let n = 1; n <= boundaries; n += 1) {
      const pack = await interruptedAfter(n)
      const { record, world } = await runVirtually({ ...init, pack, request: { resume: true } })
      expect(measuredOf(record)).toEqual(measuredOf(whole))
      // No point was measured twice.
      expect(world.effects.progress.notes.filter(isOutcome)).toHaveLength(boundaries - n)
      expect(JSON.parse(pack.text('capacity.json') ?? '')).toEqual(record)
    }
  })

  test('in the middle of a point measures that point again, and keeps the journal until then', async () => {
    const pack = fakePack()
    const controller = new AbortController()
    const onPoint = ({ point, resolved }: { point: string; resolved: number }) => {
      if (point === 'warm-open-40000-r1' && resolved > 200) controller.abort(new Error('interrupted'))
    }
    await expect(runVirtually({ ...init, pack, onPoint, signal: controller.signal })).rejects.toThrow('interrupted')
    const journal = pack.text('points/warm-open-40000-r1/journal.jsonl')?.trimEnd().split('\n') ?? []
    expect(journal.length).toBeGreaterThan(200)
    expect(pack.text('points/warm-open-40000-r1/requests.csv')).toBeNull()
    expect(pack.text('capacity.json')).toBeNull()
    const { record, world } = await runVirtually({ ...init, pack, request: { resume: true } })
    expect(measuredOf(record)).toEqual(measuredOf(whole))
    expect(pack.text('points/warm-open-40000-r1/journal.jsonl')).toBeNull()
    expect(world.deployer.standing).toBe(0)
  })

  test('after a start that failed never takes the next boot for the one that failed', async () => {
    const pack = fakePack()
    const controller = new AbortController()
    const onNote = (note: string) => {
      if (isOutcome(note)) controller.abort(new Error('interrupted'))
    }
    const request = { plan: 'confirm', caches: ['cold'] } as const
    const plan = { bootSeconds: 2, startFails: (boot: number) => boot === 1 }
    const failing = { ...init, pack, plan, baseline: whole, request }
    await expect(runVirtually({ ...failing, onNote, signal: controller.signal })).rejects.toThrow('interrupted')
    const { record } = await runVirtually({ ...init, pack, baseline: whole, request: { ...request, resume: true } })
    const [state] = record.capacity
    expect(state?.points.map(({ deployId }) => deployId)).toEqual(['cold-boot-1', 'cold-boot-2', 'cold-boot-3'])
  })

  test('is refused for another subject, and without --resume for a pack in use', async () => {
    const pack = await interruptedAfter(1)
    const other = smallExample({
      engine: { version: '1.1' },
      sweep: { rates_rps: [40, 60], refine_step: 0.1, repeats: 1 },
    })
    const resumed = runVirtually({ ...init, manifest: other, pack, request: { resume: true } })
    await expect(resumed).rejects.toMatchObject({ code: 'resume_mismatch' })
    await expect(runVirtually({ ...init, pack })).rejects.toMatchObject({ exitCode: 64 })
  })

  test('leaves a pack that it refuses as it was, its frozen schedules too', async () => {
    const pack = await interruptedAfter(1)
    const before = new Map(pack.files)
    const other = smallExample({
      client: { request_schedule_seed: 99 },
      sweep: { rates_rps: [40, 60], refine_step: 0.1, repeats: 1 },
    })
    await expect(runVirtually({ ...init, manifest: other, pack })).rejects.toMatchObject({ code: 'pack_in_use' })
    await expect(runVirtually({ ...init, manifest: other, pack, request: { resume: true } })).rejects.toMatchObject({
      code: 'resume_mismatch',
    })
    expect(pack.files).toEqual(before)
  })
})
