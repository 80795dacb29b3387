import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createPack } from '../../../src/adapters/system/pack.ts'
import type { Pack } from '../../../src/app/ports/pack.ts'
import { packFolder } from '../../../src/app/run/pack-folder.ts'
import { fakePack } from '../../fakes/pack.ts'

const folders: string[] = []
afterEach(async () => {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })))
})

const packs: [string, () => Promise<Pack>][] = [
  [
    'a pack in a folder',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'pack-'))
      folders.push(folder)
      return createPack(join(folder, 'inference-capacity-pack'))
    },
  ],
  ['the fake pack', async () => fakePack()],
  ['a folder of a pack', async () => packFolder(fakePack(), 'host-proof')],
]

const text = (bytes: Uint8Array | null) => bytes && Buffer.from(bytes).toString()

describe.each(packs)('%s', (_, make) => {
  it('reads back what was written, text and bytes, and replaces it', async () => {
    const pack = await make()
    await pack.write('points/cold-open-24000-r1/point.json', '{"ä":1}')
    expect(text(await pack.read('points/cold-open-24000-r1/point.json'))).toBe('{"ä":1}')
    await pack.write('points/cold-open-24000-r1/point.json', new Uint8Array([1, 0, 255]))
    expect([...((await pack.read('points/cold-open-24000-r1/point.json')) ?? [])]).toEqual([1, 0, 255])
  })

  it('reads an absent file as null and removes one without complaint', async () => {
    const pack = await make()
    expect(await pack.read('verdict.json')).toBeNull()
    expect(await pack.readGzip('a/telemetry.jsonl.gz')).toBeNull()
    await pack.remove('verdict.json')
    await pack.write('verdict.json', '{}')
    await pack.remove('verdict.json')
    expect(await pack.read('verdict.json')).toBeNull()
  })

  it('reads gzip back, and gives equal bytes for equal content', async () => {
    const pack = await make()
    const content = 'line\n'.repeat(1000)
    await pack.writeGzip('a.gz', content)
    await pack.writeGzip('b.gz', Buffer.from(content))
    expect(text(await pack.readGzip('a.gz'))).toBe(content)
    const [a, b] = [await pack.read('a.gz'), await pack.read('b.gz')]
    expect(a && b && Buffer.compare(a, b)).toBe(0)
    expect(a?.length).toBeLessThan(content.length)
  })

  it('puts its gzip in place of a file, the same as of its content', async () => {
    const pack = await make()
    const content = 'line\n'.repeat(100_000)
    await pack.write('a/gaps.jsonl', content)
    await pack.writeGzip('b.gz', content)
    await pack.gzip('a/gaps.jsonl')
    expect(text(await pack.readGzip('a/gaps.jsonl.gz'))).toBe(content)
    expect(await pack.read('a/gaps.jsonl')).toBeNull()
    const [a, b] = [await pack.read('a/gaps.jsonl.gz'), await pack.read('b.gz')]
    expect(a && b && Buffer.compare(a, b)).toBe(0)
    await pack.gzip('a/none.jsonl')
    expect(await pack.list('.')).toEqual(['a/gaps.jsonl.gz', 'b.gz'])
  })

  it('says of a damaged gzip file that it is one', async () => {
    const pack = await make()
    await pack.write('cut.gz', 'no gzip at all')
    await expect(pack.readGzip('cut.gz')).rejects.toMatchObject({ code: 'file_unreadable' })
  })

  it('lists every file below a folder, sorted', async () => {
    const pack = await make()
    for (const path of ['b.txt', 'a/z.txt', 'a/b/c.txt', 'a.txt']) await pack.write(path, path)
    expect(await pack.list('.')).toEqual(['a.txt', 'a/b/c.txt', 'a/z.txt', 'b.txt'])
    expect(await pack.list('a')).toEqual(['a/b/c.txt', 'a/z.txt'])
    expect(await pack.list('absent')).toEqual([])
  })

  it.each(['../out', 'a/../../out', '/etc/passwd', 'a//b', './a', 'a/.', '', 'a\\b', 'a\0b', 'a/'])(
    'refuses the path %j for every use',
    async (path) => {
      const pack = await make()
      const refused = { name: 'GateError', code: 'path_refused' }
      await expect(pack.write(path, 'x')).rejects.toMatchObject(refused)
      await expect(pack.read(path)).rejects.toMatchObject(refused)
      await expect(pack.remove(path)).rejects.toMatchObject(refused)
      await expect(pack.appendLines(path)).rejects.toMatchObject(refused)
      await expect(pack.list(path)).rejects.toMatchObject(refused)
    },
  )

  it('refuses to write where a folder stands', async () => {
    const pack = await make()
    await pack.write('points/a.json', '{}')
    await expect(pack.write('points', 'x')).rejects.toMatchObject({ name: 'GateError', code: 'path_is_a_folder' })
  })

  it('appends whole lines, on disk after a flush and after the end', async () => {
    const pack = await make()
    {
      await using sink = await pack.appendLines('points/p/journal.jsonl')
      sink.write('{"n":1}')
      sink.write('{"n":"ü"}')
      await sink.flush()
      expect(text(await pack.read('points/p/journal.jsonl'))).toBe('{"n":1}\n{"n":"ü"}\n')
      sink.write('{"n":3}')
    }
    expect(text(await pack.read('points/p/journal.jsonl'))).toBe('{"n":1}\n{"n":"ü"}\n{"n":3}\n')
  })

  it('goes on after a line that was cut off', async () => {
    const pack = await make()
    await pack.write('journal.jsonl', '{"n":1}\n{"n":2')
    await using sink = await pack.appendLines('journal.jsonl')
    sink.write('{"n":3}')
    await sink.flush()
    expect(text(await pack.read('journal.jsonl'))).toBe('{"n":1}\n{"n":3}\n')
  })

  it('refuses a line with a line break, and one after the end', async () => {
    const pack = await make()
    const sink = await pack.appendLines('journal.jsonl')
    expect(() => sink.write('a\nb')).toThrow('line break')
    await sink[Symbol.asyncDispose]()
    await sink[Symbol.asyncDispose]()
    expect(() => sink.write('a')).toThrow('after')
  })
})
