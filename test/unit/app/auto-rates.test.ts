import { beforeAll, describe, expect, test } from 'vitest'
import { verifyPack } from '../../../src/app/verify/verify.ts'
import { explorationSeconds } from '../../../src/core/capacity/exploration.ts'
import type { CapacityRecord, CapacityResult, PointReport } from '../../../src/core/capacity/record.ts'
import { pointName } from '../../../src/core/kernel/point.ts'
import { fakePack } from '../../fakes/pack.ts'
import type { FakePack } from '../../fakes/pack.ts'
import { smallExample, smallSubject } from '../../virtual/virtual-manifest.ts'
import { runVirtually } from '../../virtual/virtual-run.ts'
import type { VirtualRun } from '../../virtual/virtual-run.ts'

const sweep = { refine_step: 0.05, repeats: 1 }
const manifest = smallExample({ sweep: { ...sweep, rates_rps: 'auto' } })
/** Without noise an engine booted for a resumed run is the engine that it replaces. */
const init: VirtualRun = { manifest, subject: smallSubject(), plan: { bootSeconds: 2 } }

const isClosed = ({ key }: PointReport) => 'closedConcurrency' in key.load

function coldOf(record: CapacityRecord): CapacityResult {
  const [cold] = record.capacity
  if (!cold) throw new Error('nothing was measured')
  return cold
}

/** What a resumed run must come to: all but the boots that it took, and the time with an engine. */
function measuredOf(record: CapacityRecord) {
  const { points, ...rest } = coldOf(record)
  return { ...rest, gpuMinutes: 0, points: points.map((point) => ({ ...point, deployId: '' })) }
}

let pack: FakePack
let record: CapacityRecord
let cold: CapacityResult

beforeAll(async () => {
  pack = fakePack()
  record = (await runVirtually({ ...init, pack, request: { caches: ['cold'] } })).record
  cold = coldOf(record)
})

describe('a sweep that finds its rates', () => {
  test('comes to the capacity that declared rates come to, within the refinement', async () => {
    const declared = smallExample({ sweep: { ...sweep, rates_rps: [20, 40, 60] } })
    const other = coldOf((await runVirtually({ ...init, manifest: declared, request: { caches: ['cold'] } })).record)
    const [pass, fail] = [cold.passMilliRps ?? 0, cold.failMilliRps ?? 0]
    expect(fail / pass).toBeLessThanOrEqual(1.05)
    expect(pass).toBeLessThan(other.failMilliRps ?? 0)
    expect(fail).toBeGreaterThan(other.passMilliRps ?? 0)
  })

  test('explores in closed loops first, each short and none ended for its cutoffs', () => {
    const closed = cold.points.filter(isClosed)
    expect(closed.length).toBeGreaterThan(1)
    expect(cold.points.slice(0, closed.length)).toEqual(closed)
    for (const { arrivalSeconds, stoppedEarly, evidence } of closed) {
      expect(arrivalSeconds).toBeLessThanOrEqual(explorationSeconds(manifest))
      expect(stoppedEarly).toBe(false)
      expect(evidence.filter(({ state, blames }) => state === 'fail' && blames !== 'engine')).toEqual([])
    }
    const last = closed.at(-1)
    expect(last?.slo.attempted).toBeLessThan(manifest.client.initial_scheduled_requests)
    expect((last?.ratesRps.good ?? 0) / (last?.ratesRps.completed ?? 1)).toBeLessThan(0.95)
  })

  test('says what it began with, and never as a capacity', () => {
    expect(cold.reasons[0]).toMatchObject({ code: 'saturation', text: expect.stringContaining('never a capacity') })
    expect(record.selected).toMatch(/^cold-open-/)
  })

  test('verifies from its files, and not with another saturation', async () => {
    expect((await verifyPack(pack)).discrepancies).toEqual([])
    const text = pack.text('capacity.json') ?? ''
    const [saturation] = cold.reasons
    const written = JSON.stringify(saturation?.value)
    await pack.write('capacity.json', text.replaceAll(`"value": ${written}`, `"value": ${written}1`))
    const { discrepancies } = await verifyPack(pack)
    expect(discrepancies.map(({ code }) => code)).toContain('capacity')
    await pack.write('capacity.json', text)
  })

  test('resumed after any of its closed loops comes to the same', async () => {
    const names = cold.points.filter(isClosed).map(({ key }) => pointName(key))
    for (const name of names) {
      const interrupted = fakePack()
      const controller = new AbortController()
      const onNote = (note: string) => {
        if (new RegExp(`^${name}: (pass|fail|undersampled)`).test(note)) controller.abort(new Error('interrupted'))
      }
      const request = { caches: ['cold' as const] }
      const first = runVirtually({ ...init, pack: interrupted, onNote, signal: controller.signal, request })
      await expect(first).rejects.toThrow('interrupted')
      const again = await runVirtually({ ...init, pack: interrupted, request: { ...request, resume: true } })
      expect(measuredOf(again.record)).toEqual(measuredOf(record))
    }
  })
})

test('closed loops whose places think for longer than a request takes tell what is completed', async () => {
  const thinking = smallExample({ sweep: { ...sweep, rates_rps: 'auto' }, client: { closed_loop_think_seconds: 20 } })
  const { capacity } = (await runVirtually({ ...init, manifest: thinking, request: { caches: ['cold'] } })).record
  expect(capacity[0]?.reasons[0]?.code).toBe('saturation')
  expect([capacity[0]?.passMilliRps, capacity[0]?.failMilliRps]).toEqual([cold.passMilliRps, cold.failMilliRps])
})
