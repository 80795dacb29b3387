import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { openStore } from '../../../src/adapters/store/open-store.ts'
import type { BaselineStore } from '../../../src/app/ports/store.ts'
import { capacityRecord } from '../../fakes/record.ts'
import { fakeStore } from '../../fakes/store.ts'

const folders: string[] = []
afterEach(async () => {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })))
})

const stores: [string, () => Promise<BaselineStore>][] = [
  [
    'a directory',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'store-'))
      folders.push(folder)
      return openStore(`dir:${join(folder, 'baselines')}`)
    },
  ],
  ['the fake', async () => fakeStore()],
]

const key = { gateId: 'demo', kind: 'simulated' } as const

describe.each(stores)('%s', (_, make) => {
  it('has nothing at first', async () => {
    expect(await (await make()).load(key)).toEqual({ baseline: null, anchor: null })
  })

  it('gives back the last accepted record as the baseline, and the last release as the anchor', async () => {
    const store = await make()
    const [first, second, third] = [1, 2, 3].map((n) => capacityRecord({ createdAt: `2026-01-0${n}T00:00:00.000Z` }))
    await store.accept(first!, { anchor: false })
    expect(await store.load(key)).toEqual({ baseline: first, anchor: null })
    await store.accept(second!, { anchor: true })
    expect(await store.load(key)).toEqual({ baseline: second, anchor: second })
    await store.accept(third!, { anchor: false })
    expect(await store.load(key)).toEqual({ baseline: third, anchor: second })
  })

  it('keeps simulated and measured records, and each gate’s, apart', async () => {
    const store = await make()
    const simulated = capacityRecord()
    const measured = capacityRecord({ kind: 'measured' })
    const other = capacityRecord({ gateId: '../demo' })
    for (const record of [simulated, measured, other]) await store.accept(record, { anchor: false })
    expect((await store.load(key)).baseline).toEqual(simulated)
    expect((await store.load({ ...key, kind: 'measured' })).baseline).toEqual(measured)
    expect((await store.load({ ...key, gateId: '../demo' })).baseline).toEqual(other)
    expect((await store.load({ ...key, gateId: 'none' })).baseline).toBeNull()
  })

  it('has every record that was ever accepted in its history, oldest first', async () => {
    const store = await make()
    expect(await store.history(key)).toEqual([])
    const [first, second, third] = [1, 2, 3].map((n) => capacityRecord({ createdAt: `2026-01-0${n}T00:00:00.000Z` }))
    for (const record of [second!, first!, third!]) await store.accept(record, { anchor: false })
    await store.accept(capacityRecord({ kind: 'measured' }), { anchor: false })
    await store.accept(capacityRecord({ gateId: 'other' }), { anchor: false })
    expect(await store.history(key)).toEqual([first, second, third])
  })

  it('has a record that was accepted twice once in its history', async () => {
    const store = await make()
    for (const anchor of [false, true]) await store.accept(capacityRecord(), { anchor })
    expect(await store.history(key)).toEqual([capacityRecord()])
  })

  it('keeps one of several records that are accepted at once, whole', async () => {
    const store = await make()
    const records = [1, 2, 3, 4, 5].map((n) => capacityRecord({ createdAt: `2026-02-0${n}T00:00:00.000Z` }))
    await Promise.all(records.map((record) => store.accept(record, { anchor: true })))
    const { baseline, anchor } = await store.load(key)
    expect(records).toContainEqual(baseline)
    expect(anchor).toEqual(baseline)
  })
})
