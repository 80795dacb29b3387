import { mkdir, mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { directoryStore } from '../../../../src/adapters/store/directory.ts'
import { singleFileStore } from '../../../../src/adapters/store/single-file.ts'
import { promotion } from '../../../fakes/promotion.ts'
import { capacityRecord } from '../../../fakes/record.ts'

const key = { gateId: 'demo', kind: 'simulated' } as const
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'store-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const placed = (...names: string[]) => join(folder, 'simulated/demo', ...names)
const promotions = async () => (await readdir(placed('promotions'))).toSorted()
const readJson = async (path: string) => JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>

describe('a directory of accepted records', () => {
  it('keeps each record under its experiment and hardware, and who accepted it beside it', async () => {
    const store = directoryStore(folder)
    const records = [1, 2].map((n) =>
      capacityRecord({ createdAt: `2026-01-0${n}T10:00:00.000Z`, commit: 'f'.repeat(40) }),
    )
    const paths: string[] = []
    for (const [index, record] of records.entries()) {
      const { path } = await store.accept(record, () =>
        promotion({ acceptedBy: `user ${index}`, reason: 'faster kernels' }),
      )
      expect(await readJson(path)).toEqual(record)
      paths.push(path)
    }
    expect(paths[0]).toMatch(
      /simulated\/demo\/records\/a{12}-[0-9a-f]{12}\/2026-01-01T100000\.000Z-[0-9a-f]{16}\.json$/,
    )
    expect(await promotions()).toEqual(['000001.json', '000002.json'])
    expect(await readJson(placed('promotions/000002.json'))).toMatchObject({
      acceptedBy: 'user 1',
      reason: 'faster kernels',
      record: { path: paths[1]!.slice(placed().length + 1), commit: 'f'.repeat(40), experimentSha256: 'a'.repeat(64) },
    })
    expect((await readdir(placed())).toSorted()).toEqual(['promotions', 'records'])
  })

  it('changes no file that is there', async () => {
    const store = directoryStore(folder)
    const { path } = await store.accept(capacityRecord(), () => promotion())
    const before = [await readFile(path, 'utf8'), await readFile(placed('promotions/000001.json'), 'utf8')]
    await store.accept(capacityRecord({ commit: 'e'.repeat(40) }), () => promotion({ acceptedBy: 'other' }))
    expect([await readFile(path, 'utf8'), await readFile(placed('promotions/000001.json'), 'utf8')]).toEqual(before)
  })

  it('counts on after the ninth and over a gap', async () => {
    const store = directoryStore(folder)
    await store.accept(capacityRecord(), () => promotion())
    await writeFile(placed('promotions/000010.json'), await readFile(placed('promotions/000001.json')))
    await store.accept(capacityRecord({ commit: 'e'.repeat(40) }), () => promotion())
    expect(await promotions()).toEqual(['000001.json', '000010.json', '000011.json'])
    expect((await store.load(key)).baseline?.commit).toBe('e'.repeat(40))
  })

  it.each([
    ['record_not_json', '{"schema":1,'],
    ['record_not_json', ''],
    ['record_invalid', '{"schema":1}'],
    ['record_schema_newer', JSON.stringify({ ...capacityRecord(), schema: 2 })],
    ['record_misplaced', JSON.stringify(capacityRecord({ kind: 'measured' }))],
    ['record_misplaced', JSON.stringify(capacityRecord({ gateId: 'other' }))],
    ['record_altered', JSON.stringify(capacityRecord({ commit: 'd'.repeat(40) }))],
  ])('does not load what is %s, and names the file', async (code, content) => {
    const store = directoryStore(folder)
    const { path } = await store.accept(capacityRecord(), () => promotion())
    await writeFile(path, content)
    await expect(store.load(key)).rejects.toMatchObject({ name: 'GateError', code, exitCode: 4 })
    await expect(store.load(key)).rejects.toThrow(path)
  })

  it('says which accepted record is gone', async () => {
    const store = directoryStore(folder)
    const { path } = await store.accept(capacityRecord(), () => promotion())
    await rm(path)
    await expect(store.load(key)).rejects.toMatchObject({ code: 'record_missing', exitCode: 4 })
  })

  it.each([
    ['', 'promotion_invalid'],
    ['{"schema":1}', 'promotion_invalid'],
    ['[]', 'promotion_invalid'],
    ['{"schema":2}', 'promotion_newer'],
  ])('does not pass over a promotion that it cannot read: %j', async (content, code) => {
    const store = directoryStore(folder)
    await store.accept(capacityRecord(), () => promotion())
    await writeFile(placed('promotions/000002.json'), content)
    await expect(store.load(key)).rejects.toMatchObject({ code, exitCode: 4 })
    await expect(store.load(key)).rejects.toThrow('000002.json')
  })

  it('takes no promotion for one whose record lies elsewhere', async () => {
    const store = directoryStore(folder)
    await store.accept(capacityRecord(), () => promotion())
    const kept = await readJson(placed('promotions/000001.json'))
    for (const path of ['../../../secret.json', 'records/../../x/y.json', '/etc/passwd']) {
      const moved = { ...kept, record: { ...(kept['record'] as object), path } }
      await writeFile(placed('promotions/000001.json'), JSON.stringify(moved))
      await expect(store.load(key)).rejects.toMatchObject({ code: 'promotion_invalid' })
    }
  })

  it('does not read a file of a gigabyte', async () => {
    const store = directoryStore(folder)
    const { path } = await store.accept(capacityRecord(), () => promotion())
    const handle = await open(path, 'w')
    await handle.truncate(1_000_000_000)
    await handle.close()
    await expect(store.load(key)).rejects.toMatchObject({ code: 'file_too_large', exitCode: 4 })
  })

  it('begins anew over a damaged record; over what a later tool accepted it does not', async () => {
    const store = directoryStore(folder)
    const { path } = await store.accept(capacityRecord(), () => promotion())
    await writeFile(path, '{"half')
    const next = capacityRecord({ commit: 'e'.repeat(40) })
    await store.accept(next, () => promotion())
    expect([await readFile(path, 'utf8'), (await store.load(key)).baseline]).toEqual(['{"half', next])

    await writeFile(placed('promotions/000003.json'), '{"schema":2}')
    await expect(store.accept(next, () => promotion())).rejects.toMatchObject({ code: 'promotion_newer' })
    expect(await promotions()).toEqual(['000001.json', '000002.json', '000003.json'])
  })

  it('mends a damaged record by accepting it again', async () => {
    const store = directoryStore(folder)
    const { path } = await store.accept(capacityRecord(), () => promotion())
    await writeFile(path, '{"half')
    await store.accept(capacityRecord(), () => promotion())
    expect((await store.load(key)).baseline).toEqual(capacityRecord())
  })

  it('passes over what its history cannot give back: damaged, of a newer schema, of another gate', async () => {
    const store = directoryStore(folder)
    const strangers = [
      '{"half',
      JSON.stringify({ ...capacityRecord(), schema: 2 }),
      JSON.stringify(capacityRecord({ gateId: 'other' })),
    ]
    for (const [index, text] of strangers.entries()) {
      const { path } = await store.accept(capacityRecord({ commit: String(index).repeat(40) }), () => promotion())
      await writeFile(path, text)
    }
    await store.accept(capacityRecord(), () => promotion())
    await writeFile(placed('promotions/notes.txt'), 'not a promotion')
    expect(await store.history(key)).toEqual([capacityRecord()])
  })

  it('cannot give a history whose place is no folder', async () => {
    await mkdir(placed(), { recursive: true })
    await writeFile(placed('promotions'), '')
    await expect(directoryStore(folder).history(key)).rejects.toMatchObject({
      code: 'path_is_not_a_folder',
      exitCode: 4,
    })
  })

  it.each(['', 'x'.repeat(300)])('has no place for the gate id %j', async (gateId) => {
    await expect(directoryStore(folder).accept(capacityRecord({ gateId }), () => promotion())).rejects.toMatchObject({
      code: 'gate_id_invalid',
    })
  })

  it.each(['..', '.', '../../x', '/etc', 'a/b', '.hidden'])('keeps the gate id %j inside', async (gateId) => {
    const { path } = await directoryStore(folder).accept(capacityRecord({ gateId }), () => promotion())
    expect(path.startsWith(join(folder, 'simulated/'))).toBe(true)
    expect(await readdir(folder)).toEqual(['simulated'])
  })

  it('below a file says so', async () => {
    await writeFile(join(folder, 'file'), '')
    await expect(
      directoryStore(join(folder, 'file')).accept(capacityRecord(), () => promotion()),
    ).rejects.toMatchObject({
      code: 'path_is_not_a_folder',
    })
  })
})

describe('one record’s file', () => {
  it('is read, whatever its gate and kind, and never written', async () => {
    const path = join(folder, 'capacity.json')
    const store = singleFileStore(path)
    const record = capacityRecord({ kind: 'measured', gateId: 'other' })
    await writeFile(path, JSON.stringify(record))
    expect(await store.load(key)).toEqual({ baseline: record, anchor: null })
    expect(await store.history(key)).toEqual([])
    await expect(store.accept(record, () => promotion())).rejects.toMatchObject({
      code: 'store_read_only',
      exitCode: 64,
    })
  })

  it('is an error where it is not there: a wrong path is no first run', async () => {
    const path = join(folder, 'capcity.json')
    await expect(singleFileStore(path).load(key)).rejects.toMatchObject({ code: 'file_not_found', exitCode: 4 })
    await expect(singleFileStore(path).load(key)).rejects.toThrow(path)
  })

  it.each([
    ['record_not_json', '{"half'],
    ['record_schema_newer', JSON.stringify({ ...capacityRecord(), schema: 2 })],
  ])('is not read where it is %s, and named', async (code, text) => {
    const path = join(folder, 'capacity.json')
    await writeFile(path, text)
    await expect(singleFileStore(path).load(key)).rejects.toMatchObject({ code, exitCode: 4 })
    await expect(singleFileStore(path).load(key)).rejects.toThrow(path)
  })
})
