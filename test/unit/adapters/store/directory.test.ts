import { mkdir, mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openStore } from '../../../../src/adapters/store/open-store.ts'
import { capacityRecord } from '../../../fakes/record.ts'

const key = { gateId: 'demo', kind: 'simulated' } as const
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'store-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const placed = (name: string) => join(folder, 'simulated/demo', name)
async function place(name: string, content: string): Promise<void> {
  await mkdir(join(folder, 'simulated/demo'), { recursive: true })
  await writeFile(placed(name), content)
}

describe('a directory of accepted records', () => {
  it('has each record that was ever the baseline in its history, and nothing else beside', async () => {
    const store = openStore(`dir:${folder}`)
    const records = [1, 2].map((n) => capacityRecord({ createdAt: `2026-01-0${n}T10:00:00.000Z` }))
    for (const record of records) {
      expect(await store.accept(record, { anchor: false })).toEqual({ path: placed('baseline.json') })
    }
    const history = (await readdir(placed('history'))).toSorted()
    expect(history).toEqual([
      expect.stringMatching(/^2026-01-01T100000\.000Z-[0-9a-f]{8}\.json$/),
      expect.stringMatching(/^2026-01-02T100000\.000Z-[0-9a-f]{8}\.json$/),
    ])
    const texts = await Promise.all(history.map((name) => readFile(join(placed('history'), name), 'utf8')))
    expect(texts.map((text) => JSON.parse(text) as unknown)).toEqual(records)
    expect((await readdir(join(folder, 'simulated/demo'))).toSorted()).toEqual(['baseline.json', 'history'])
  })

  it('keeps a record that was put there by hand when it is replaced', async () => {
    const former = JSON.stringify(capacityRecord({ createdAt: '2025-12-31T00:00:00.000Z' }))
    await place('baseline.json', former)
    await openStore(`dir:${folder}`).accept(capacityRecord(), { anchor: false })
    const name = (await readdir(placed('history'))).find((one) => one.startsWith('2025-12-31'))
    expect(await readFile(join(placed('history'), name ?? ''), 'utf8')).toBe(former)
  })

  it.each([
    ['record_not_json', '{"schema":1,'],
    ['record_not_json', ''],
    ['record_invalid', '{"schema":1}'],
    ['record_schema_newer', JSON.stringify({ ...capacityRecord(), schema: 2 })],
    ['record_misplaced', JSON.stringify(capacityRecord({ kind: 'measured' }))],
    ['record_misplaced', JSON.stringify(capacityRecord({ gateId: 'other' }))],
  ])('does not load what is %s, and names the file', async (code, content) => {
    const store = openStore(`dir:${folder}`)
    for (const name of ['baseline.json', 'anchor.json']) {
      await place(name, content)
      await expect(store.load(key)).rejects.toMatchObject({ name: 'GateError', code, exitCode: 4 })
      await expect(store.load(key)).rejects.toThrow(placed(name))
      await rm(placed(name))
    }
  })

  it('does not read a file of a gigabyte', async () => {
    await place('baseline.json', '')
    const handle = await open(placed('baseline.json'), 'w')
    await handle.truncate(1_000_000_000)
    await handle.close()
    await expect(openStore(`dir:${folder}`).load(key)).rejects.toMatchObject({ code: 'file_too_large', exitCode: 4 })
  })

  it('replaces a damaged baseline but keeps its bytes; one of a newer schema it does not replace', async () => {
    const store = openStore(`dir:${folder}`)
    await place('baseline.json', '{"half')
    await store.accept(capacityRecord(), { anchor: false })
    const kept = (await readdir(placed('history'))).find((name) => name.startsWith('unreadable-'))
    expect(await readFile(join(placed('history'), kept ?? ''), 'utf8')).toBe('{"half')

    const newer = JSON.stringify({ ...capacityRecord(), schema: 2 })
    await place('baseline.json', newer)
    await expect(store.accept(capacityRecord(), { anchor: false })).rejects.toMatchObject({
      code: 'record_schema_newer',
    })
    expect(await readFile(placed('baseline.json'), 'utf8')).toBe(newer)
  })

  it('passes over what its history cannot give back: damaged, of a newer schema, of another gate', async () => {
    const store = openStore(`dir:${folder}`)
    await place('baseline.json', '{"half')
    await store.accept(capacityRecord(), { anchor: false })
    const strangers = [{ ...capacityRecord(), schema: 2 }, capacityRecord({ gateId: 'other' })]
    for (const [index, record] of strangers.entries()) {
      await writeFile(placed(`history/2026-01-0${index + 1}T.json`), JSON.stringify(record))
    }
    await writeFile(placed('history/notes.txt'), 'not a record')
    expect(await store.history(key)).toEqual([capacityRecord()])
  })

  it('cannot give a history whose place is no folder', async () => {
    await place('history', '')
    await expect(openStore(`dir:${folder}`).history(key)).rejects.toMatchObject({
      code: 'path_is_not_a_folder',
      exitCode: 4,
    })
  })

  it.each(['', 'x'.repeat(300)])('has no place for the gate id %j', async (gateId) => {
    await expect(
      openStore(`dir:${folder}`).accept(capacityRecord({ gateId }), { anchor: false }),
    ).rejects.toMatchObject({
      code: 'gate_id_invalid',
    })
  })

  it.each(['..', '.', '../../x', '/etc', 'a/b', '.hidden'])('keeps the gate id %j inside', async (gateId) => {
    const { path } = await openStore(`dir:${folder}`).accept(capacityRecord({ gateId }), { anchor: false })
    expect(path.startsWith(join(folder, 'simulated/'))).toBe(true)
    expect(await readdir(folder)).toEqual(['simulated'])
  })

  it('below a file says so', async () => {
    await writeFile(join(folder, 'file'), '')
    const store = openStore(`dir:${join(folder, 'file')}`)
    await expect(store.accept(capacityRecord(), { anchor: false })).rejects.toMatchObject({
      code: 'path_is_not_a_folder',
    })
  })
})

describe('one record’s file', () => {
  it('is read, whatever its gate and kind, and never written', async () => {
    const path = join(folder, 'capacity.json')
    const store = openStore(`file:${path}`)
    expect(await store.load(key)).toEqual({ baseline: null, anchor: null })
    const record = capacityRecord({ kind: 'measured', gateId: 'other' })
    await writeFile(path, JSON.stringify(record))
    expect(await store.load(key)).toEqual({ baseline: record, anchor: null })
    expect(await store.history(key)).toEqual([])
    await expect(store.accept(record, { anchor: false })).rejects.toMatchObject({
      code: 'store_read_only',
      exitCode: 64,
    })
  })
})

describe('a reference', () => {
  it('to a branch is not available yet', () => {
    expect(() => openStore('branch:capacity-baselines')).toThrow(/branch:capacity-baselines.*not available/)
  })

  it.each(['', 'baselines', 'dir:', 'file:', 'https://x/y', 'DIR:x', 'dir:a\0b'])('%j names no store', (ref) => {
    expect(() => openStore(ref)).toThrow(expect.objectContaining({ code: 'store_ref_invalid', exitCode: 64 }))
  })
})
