import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { branchStore } from '../../../src/adapters/store/branch.ts'
import { directoryStore } from '../../../src/adapters/store/directory.ts'
import type { BaselineStore } from '../../../src/app/ports/store.ts'
import type { CapacityRecord } from '../../../src/core/capacity/record.ts'
import { gitServer } from '../../fakes/git-server.ts'
import { promotion } from '../../fakes/promotion.ts'
import { capacityRecord } from '../../fakes/record.ts'
import { fakeStore } from '../../fakes/store.ts'

const opened: AsyncDisposable[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one[Symbol.asyncDispose]()))
})

/** A branch of a repository behind git's own HTTP server, which asks for a login. */
async function branch(folder: string): Promise<BaselineStore> {
  const server = await gitServer({ token: 'ghs_contract' })
  opened.push(server)
  const remote = { url: server.url, token: 'ghs_contract' }
  return branchStore({ remote, branch: 'capacity-baselines', folder }, { env: { PATH: process.env['PATH'] } })
}

const stores: [string, () => Promise<BaselineStore>][] = [
  [
    'a directory',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'store-'))
      opened.push({ [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) })
      return directoryStore(join(folder, 'baselines'))
    },
  ],
  ['a branch', () => branch('')],
  ['a folder of a branch', () => branch('gates/h100')],
  ['the fake', async () => fakeStore()],
]

const key = { gateId: 'demo', kind: 'simulated' } as const

// Each step on a branch is a dozen processes.
describe.each(stores)('%s', { timeout: 120_000 }, (_, make) => {
  it('has nothing at first', async () => {
    expect(await (await make()).load(key)).toEqual({ baseline: null, anchor: null })
  })

  it('gives back the last accepted record as the baseline, and the last release as the anchor', async () => {
    const store = await make()
    const [first, second, third] = [1, 2, 3].map((n) => capacityRecord({ createdAt: `2026-01-0${n}T00:00:00.000Z` }))
    await store.accept(first!, () => promotion({ anchor: false }))
    expect(await store.load(key)).toEqual({ baseline: first, anchor: null })
    await store.accept(second!, () => promotion({ anchor: true }))
    expect(await store.load(key)).toEqual({ baseline: second, anchor: second })
    await store.accept(third!, () => promotion({ anchor: false }))
    expect(await store.load(key)).toEqual({ baseline: third, anchor: second })
  })

  it('keeps simulated and measured records, and each gate’s, apart', async () => {
    const store = await make()
    const simulated = capacityRecord()
    const measured = capacityRecord({ kind: 'measured' })
    const other = capacityRecord({ gateId: '../demo' })
    for (const record of [simulated, measured, other]) await store.accept(record, () => promotion({ anchor: false }))
    expect((await store.load(key)).baseline).toEqual(simulated)
    expect((await store.load({ ...key, kind: 'measured' })).baseline).toEqual(measured)
    expect((await store.load({ ...key, gateId: '../demo' })).baseline).toEqual(other)
    expect((await store.load({ ...key, gateId: 'none' })).baseline).toBeNull()
  })

  it('has every record that was ever accepted in its history, oldest first', async () => {
    const store = await make()
    expect(await store.history(key)).toEqual([])
    const [first, second, third] = [1, 2, 3].map((n) => capacityRecord({ createdAt: `2026-01-0${n}T00:00:00.000Z` }))
    for (const record of [second!, first!, third!]) await store.accept(record, () => promotion({ anchor: false }))
    await store.accept(capacityRecord({ kind: 'measured' }), () => promotion({ anchor: false }))
    await store.accept(capacityRecord({ gateId: 'other' }), () => promotion({ anchor: false }))
    expect(await store.history(key)).toEqual([first, second, third])
  })

  it('has a record that was accepted twice once in its history', async () => {
    const store = await make()
    for (const anchor of [false, true]) await store.accept(capacityRecord(), () => promotion({ anchor }))
    expect(await store.history(key)).toEqual([capacityRecord()])
  })

  it('keeps one of several records that are accepted at once, whole, and all of them in its history', async () => {
    const store = await make()
    const records = [1, 2, 3, 4].map((n) => capacityRecord({ createdAt: `2026-02-0${n}T00:00:00.000Z` }))
    await Promise.all(records.map((record) => store.accept(record, () => promotion({ anchor: true }))))
    const { baseline, anchor } = await store.load(key)
    expect(records).toContainEqual(baseline)
    expect(anchor).toEqual(baseline)
    expect(await store.history(key)).toEqual(records)
  })
  it('has a baseline for each machine, and another machine’s where its own has none', async () => {
    const store = await make()
    const on = (cpuModel: string, day: number, anchor = false) =>
      [
        capacityRecord({
          createdAt: `2026-03-0${day}T00:00:00.000Z`,
          hardware: { mustEqual: { cpuModel }, recorded: {} },
        }),
        () => promotion({ anchor }),
      ] as const
    const [a, b] = [on('a', 1, true), on('b', 2)]
    for (const one of [a, b]) await store.accept(...one)
    expect(await store.load({ ...key, mustEqual: { cpuModel: 'a' } })).toEqual({ baseline: a[0], anchor: a[0] })
    expect((await store.load({ ...key, mustEqual: { cpuModel: 'b' } })).baseline).toEqual(b[0])
    expect((await store.load({ ...key, mustEqual: { cpuModel: 'c' } })).baseline).toEqual(b[0])
    expect((await store.load({ ...key, mustEqual: { cpuModel: 'b' } })).anchor).toEqual(a[0])
  })

  it('holds every machine to the newest experiment: a former, looser one is nobody’s baseline again', async () => {
    const store = await make()
    const under = (sha: string, cpuModel: string) =>
      capacityRecord({
        experiment: { sha256: sha.repeat(64), value: {} },
        hardware: { mustEqual: { cpuModel }, recorded: {} },
      })
    for (const record of [under('1', 'a'), under('2', 'b')])
      await store.accept(record, () => promotion({ newExperiment: true }))
    expect((await store.load({ ...key, mustEqual: { cpuModel: 'a' } })).baseline).toEqual(under('2', 'b'))
  })

  it('takes a record of another experiment than the newest only where it is said to be new', async () => {
    const store = await make()
    await store.accept(capacityRecord(), () => promotion())
    const other = capacityRecord({ experiment: { sha256: '9'.repeat(64), value: {} } })
    await expect(store.accept(other, () => promotion())).rejects.toMatchObject({
      code: 'experiment_moved_on',
      exitCode: 4,
    })
    expect((await store.load(key)).baseline).toEqual(capacityRecord())
    await store.accept(other, () => promotion({ newExperiment: true }))
    expect((await store.load(key)).baseline).toEqual(other)
  })

  it('goes back to an earlier record when that is accepted again', async () => {
    const store = await make()
    const [first, second] = [1, 2].map((n) => capacityRecord({ createdAt: `2026-01-0${n}T00:00:00.000Z` }))
    for (const record of [first!, second!, first!]) await store.accept(record, () => promotion())
    expect((await store.load(key)).baseline).toEqual(first)
    expect(await store.history(key)).toEqual([first, second])
  })

  it('asks for the promotion on what it comes after, anew where another record was accepted meanwhile', async () => {
    const store = await make()
    const [first, second] = [1, 2].map((n) => capacityRecord({ createdAt: `2026-01-0${n}T00:00:00.000Z` }))
    const seen: (CapacityRecord | null)[] = []
    await store.accept(second!, async ({ load, history }) => {
      const { baseline } = await load(key)
      seen.push(baseline)
      expect(await history(key)).toEqual(baseline === null ? [] : [baseline])
      if (seen.length === 1) await store.accept(first!, () => promotion())
      return promotion()
    })
    expect([seen[0], seen.at(-1)]).toEqual([null, first])
    expect((await store.load(key)).baseline).toEqual(second)
    expect(await store.history(key)).toEqual([first, second])
  })

  it('writes nothing where the promotion is refused on what stands', async () => {
    const store = await make()
    const refused = store.accept(capacityRecord(), () => Promise.reject(new Error('not this one')))
    await expect(refused).rejects.toThrow('not this one')
    expect(await store.history(key)).toEqual([])
  })
})
