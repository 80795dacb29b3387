import { describe, expect, test } from 'vitest'
import { gatePack } from '../../../src/app/gate-pack.ts'
import { replayPoint } from '../../../src/app/replay-point.ts'
import { failureOf } from '../../../src/entry/failure.ts'
import { fakePack } from '../../fakes/pack.ts'
import { promotion } from '../../fakes/promotion.ts'
import { fakeStore } from '../../fakes/store.ts'
import { baseline, heldCandidate } from '../gate/record-fixture.ts'
import { manifestText, smallExample, smallSubject } from '../../virtual/virtual-manifest.ts'
import { virtualWorld } from '../../virtual/virtual-world.ts'

const context = { toolVersion: '0.0.0-test' }
const asked = { onMissingBaseline: 'record', onHostChange: 'remeasure', acceptedLosses: null, context } as const

describe('a pack that was gated before', () => {
  test('keeps no accepted record and no selected files that no longer hold', async () => {
    const pack = fakePack()
    await pack.write('capacity.json', JSON.stringify(heldCandidate()))
    const store = fakeStore()
    await store.accept(baseline(), () => promotion({ anchor: true }))
    await gatePack(pack, store, asked)
    expect([...pack.files.keys()]).toEqual(expect.arrayContaining(['baseline.json', 'anchor.json']))
    await pack.write('requests.csv', 'of another point')
    await gatePack(pack, fakeStore(), asked)
    for (const path of ['baseline.json', 'anchor.json', 'requests.csv']) expect(pack.text(path)).toBeNull()
  })
})

describe('a disk that fills up in a point', () => {
  test('ends it at once, and names the disk', async () => {
    const manifest = smallExample()
    const pack = fakePack()
    let seen = 0
    const onPoint = ({ resolved }: { resolved: number }) => {
      if (resolved > 50) pack.fill()
      seen = Math.max(seen, resolved)
    }
    const { effects } = virtualWorld({ subject: smallSubject(), pack, onPoint })
    const key = { cache: 'cold', load: { openMilliRps: 40_000 }, repeat: 1 } as const
    const request = { manifest, manifestText: manifestText(manifest), key }
    const error = await replayPoint(effects, request, new AbortController().signal).catch((thrown: unknown) => thrown)
    expect(failureOf(error)).toMatchObject({ code: 'disk_full' })
    expect(seen).toBeLessThan(200)
  })
})

describe('a single point', () => {
  const manifest = smallExample()
  const key = { cache: 'cold', load: { openMilliRps: 40_000 }, repeat: 1 } as const
  const replay = (pack: ReturnType<typeof fakePack>, text = manifestText(manifest)) => {
    const { effects } = virtualWorld({ subject: smallSubject(), pack })
    return replayPoint(effects, { manifest, manifestText: text, key }, new AbortController().signal)
  }

  test('is not mixed into the pack of a run, nor with points of another manifest', async () => {
    const pack = fakePack()
    await pack.write('run.json', '{}')
    const before = new Map(pack.files)
    await expect(replay(pack)).rejects.toMatchObject({ code: 'pack_in_use', exitCode: 64 })
    expect(pack.files).toEqual(before)
    const own = fakePack()
    await replay(own)
    await expect(replay(own, `${manifestText(manifest)}# another\n`)).rejects.toMatchObject({ code: 'pack_in_use' })
    expect((await replay(own)).outcome).toBe('pass')
  })
})
