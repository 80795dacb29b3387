import { beforeAll, describe, expect, test } from 'vitest'
import { runProgress } from '../../../src/app/cancelled.ts'
import { verifyPack } from '../../../src/app/verify/verify.ts'
import { fakePack } from '../../fakes/pack.ts'
import type { FakePack } from '../../fakes/pack.ts'
import { smallExample, smallSubject } from '../../virtual/virtual-manifest.ts'
import { runVirtually } from '../../virtual/virtual-run.ts'
import type { VirtualRun } from '../../virtual/virtual-run.ts'

const manifest = smallExample({ sweep: { rates_rps: [40, 60], refine_step: 0.1, repeats: 1 } })
const init: VirtualRun = { manifest, subject: smallSubject(), plan: { bootSeconds: 2 } }

/** A copy of what stands in a pack: what a run leaves that is killed at this moment. */
function copyOf(pack: FakePack): FakePack {
  const copy = fakePack()
  for (const [path, bytes] of pack.files) copy.files.set(path, bytes)
  return copy
}

/** The pack after each of a whole run's writes and removals. */
async function everyMoment(): Promise<FakePack[]> {
  const pack = fakePack()
  const moments: FakePack[] = []
  const watched = (name: 'write' | 'writeGzip' | 'gzip' | 'remove') => {
    const own = pack[name].bind(pack) as (...args: unknown[]) => Promise<void>
    Object.assign(pack, {
      [name]: async (...args: unknown[]) => {
        await own(...args)
        moments.push(copyOf(pack))
      },
    })
  }
  for (const name of ['write', 'writeGzip', 'gzip', 'remove'] as const) watched(name)
  await runVirtually({ ...init, pack, request: { caches: ['cold'] } })
  return moments
}

let moments: FakePack[]
beforeAll(async () => {
  moments = await everyMoment()
}, 120_000)

const isOfTheEnd = (pack: FakePack) => ['capacity.json', 'SHA256SUMS'].some((path) => pack.files.has(path))

describe('what a run leaves that is ended at any moment', { timeout: 240_000 }, () => {
  test('is accepted as partial before its verdict, with every judged point judged again', async () => {
    const begun = moments.filter((pack) => pack.files.has('run.json') && !isOfTheEnd(pack))
    expect(begun.length).toBeGreaterThan(20)
    let most = 0
    for (const pack of begun) {
      const { discrepancies, partial, points } = await verifyPack(pack)
      const { points: judged } = JSON.parse(pack.text('run.json') ?? '') as { points: string[] }
      expect([discrepancies, partial?.judged, points]).toEqual([[], judged, judged.length])
      most = Math.max(most, points)
    }
    expect(most).toBeGreaterThanOrEqual(3)
  })

  test('names the point that it was at, and its progress', async () => {
    const pack = moments.find(
      (moment) => !isOfTheEnd(moment) && moment.files.has('points/cold-open-60000-r1/gaps.json'),
    )
    const { partial } = await verifyPack(pack ?? fakePack())
    expect(partial?.unfinished).toEqual(['cold-open-60000-r1'])
    const judgedPoints = partial?.judged.length
    expect(await runProgress(pack ?? fakePack())).toEqual({
      judgedPoints,
      plannedPoints: expect.any(Number),
      point: 'cold-open-60000-r1',
    })
  })

  test('is whole once the checksums are written, and refused between its verdict and them', async () => {
    const last = moments.at(-1) ?? fakePack()
    expect(await verifyPack(last)).toMatchObject({ discrepancies: [], partial: null })
    const between = moments.filter((pack) => pack.files.has('capacity.json') && !pack.files.has('SHA256SUMS'))
    expect(between.length).toBeGreaterThan(2)
    for (const pack of [between[0], between.at(-1)].filter((moment) => moment !== undefined)) {
      const { discrepancies, partial } = await verifyPack(pack)
      expect([partial, discrepancies.map(({ code }) => code)]).toEqual([null, expect.arrayContaining(['checksums'])])
    }
  })
})

test('a pack holds no name that an artifact could not have, and no hidden file', () => {
  const paths = [...(moments.at(-1)?.files.keys() ?? [])]
  expect(paths.length).toBeGreaterThan(15)
  expect(
    paths.filter((path) => !/^(?:[A-Za-z0-9_-][A-Za-z0-9._-]*\/)*[A-Za-z0-9_-][A-Za-z0-9._-]*$/.test(path)),
  ).toEqual([])
})

describe('a partial pack that was changed', () => {
  const judged = () => {
    const pack = copyOf(moments.findLast((moment) => !isOfTheEnd(moment)) ?? fakePack())
    const { points } = JSON.parse(pack.text('run.json') ?? '') as { points: string[] }
    return { pack, point: `points/${points[0]}` }
  }

  test.each<[string, (pack: FakePack, point: string) => void, string]>([
    [
      'in a judgement',
      (pack, point) => edit(pack, `${point}/point.json`, '"outcome": "pass"', '"outcome": "fail"'),
      'point',
    ],
    ['in a request', (pack, point) => edit(pack, `${point}/requests.csv`, ',ok,', ',error,'), 'unreadable'],
    ['by a judged point less', (pack, point) => void pack.files.delete(`${point}/point.json`), 'missing'],
    [
      'in its manifest',
      (pack) => edit(pack, 'workload-manifest.yaml', 'request_schedule_seed: ', 'request_schedule_seed: 1'),
      'schedule',
    ],
  ])('%s is refused', async (_, change, code) => {
    const { pack, point } = judged()
    change(pack, point)
    const { discrepancies, partial } = await verifyPack(pack)
    expect(partial).not.toBeNull()
    expect(discrepancies.map((found) => found.code)).toContain(code)
  })

  test('so that its verdict is gone is no verdict', async () => {
    const pack = copyOf(moments.at(-1) ?? fakePack())
    const ofTheEnd = ['SHA256SUMS', 'capacity.json', 'verdict.json', 'report.md', 'report.html']
    for (const path of ofTheEnd) pack.files.delete(path)
    expect((await verifyPack(pack)).partial?.judged.length).toBeGreaterThan(2)
  })
})

function edit(pack: FakePack, path: string, from: string, to: string): void {
  const text = pack.text(path) ?? ''
  if (!text.includes(from)) throw new Error(`${path} does not hold ${from}`)
  pack.files.set(path, Buffer.from(text.replace(from, to)))
}
