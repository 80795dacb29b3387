import { createHash } from 'node:crypto'
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { stageWeights, treeDigest } from '../../../../src/adapters/engine/weights.ts'
import { processManifest } from '../../../fakes/manifest.ts'

const root = mkdtempSync(join(tmpdir(), 'weights-'))
afterAll(() => rmSync(root, { recursive: true }))
const never = new AbortController().signal
const commit = 'c'.repeat(40)

function stage(directory: string, model: Record<string, unknown>, isMounted = false) {
  const manifest = processManifest({ model })
  return stageWeights({ manifest, directory, isMounted, say: () => undefined, stateParent: root }, never)
}

/** As the format has it: header length, header, tensors. */
function safetensors(bytes: number): Buffer {
  const header = Buffer.from(JSON.stringify({ w: { dtype: 'U8', shape: [bytes], data_offsets: [0, bytes] } }))
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(header.length))
  return Buffer.concat([length, header, Buffer.alloc(bytes, 1)])
}

let folders = 0
function plain(): string {
  const folder = join(root, `plain-${(folders += 1)}`)
  mkdirSync(join(folder, 'sub'), { recursive: true })
  writeFileSync(join(folder, 'config.json'), '{}')
  writeFileSync(join(folder, 'sub/b.txt'), 'b')
  writeFileSync(join(folder, 'model.safetensors'), safetensors(100))
  return folder
}
const local = (id: string, sha256: string) => ({
  id,
  revision: `sha256:${sha256}`,
  tokenizer_revision: `sha256:${sha256}`,
})

/** A cache as huggingface_hub lays it out: snapshots of links to blobs. */
function hub(files: Record<string, Buffer>, below = ''): string {
  const cache = join(root, `hub-${(folders += 1)}`)
  const model = join(cache, below, 'models--acme--m')
  const snapshot = join(model, 'snapshots', commit)
  mkdirSync(join(model, 'blobs'), { recursive: true })
  mkdirSync(snapshot, { recursive: true })
  for (const [name, content] of Object.entries(files)) {
    const git = createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex')
    const blob = name.endsWith('.safetensors') ? createHash('sha256').update(content).digest('hex') : git
    writeFileSync(join(model, 'blobs', blob), content)
    symlinkSync(join('../../blobs', blob), join(snapshot, name))
  }
  return cache
}
const acme = { id: 'acme/m', revision: commit, tokenizer_revision: commit }

describe('a directory of weights', () => {
  it('has the digest that sha256sum and sort would give', async () => {
    const folder = plain()
    const script = 'cd "$1" && find . -type f | sed "s|^./||" | LC_ALL=C sort | xargs sha256sum | sha256sum'
    const expected = spawnSync('sh', ['-c', script, 'sh', folder], { encoding: 'utf8' }).stdout.slice(0, 64)
    expect(await stage(folder, local(folder, expected))).toMatchObject({
      sha256: expected,
      files: 3,
      hubCache: null,
      folder,
    })
  })

  it('of another digest is refused, and the digest that was found is told', async () => {
    const folder = plain()
    const refused = stage(folder, local(folder, 'f'.repeat(64)))
    await expect(refused).rejects.toMatchObject({
      code: 'weights_mismatch',
      exitCode: 4,
      message: expect.stringMatching(/have the digest sha256:[0-9a-f]{64}; model\.revision is sha256:f+$/) as string,
    })
  })

  it('is read again only where a file changed', async () => {
    const folder = plain()
    const digest = (await stage(folder, { id: folder })).sha256
    const path = join(folder, 'sub/b.txt')
    utimesSync(path, 1, 1)
    expect((await stage(folder, { id: folder })).sha256).toBe(digest)
    // The same size and time: by what is looked at, the same file. That is what saves hours, and is said in the docs.
    writeFileSync(path, 'c')
    utimesSync(path, 1, 1)
    expect((await stage(folder, { id: folder })).sha256).toBe(digest)
    appendFileSync(path, 'more')
    expect((await stage(folder, { id: folder })).sha256).not.toBe(digest)
  })

  it('must hold the model', async () => {
    const folder = plain()
    for (const id of ['/', join(root, 'nowhere')]) {
      await expect(stage(folder, { id })).rejects.toMatchObject({ code: 'weights_missing', exitCode: 4 })
    }
    await expect(stage(join(root, 'nowhere'), { id: folder })).rejects.toMatchObject({ code: 'weights_missing' })
  })

  it('that was cut off is not whole', async () => {
    const folder = plain()
    truncateSync(join(folder, 'model.safetensors'), 90)
    await expect(stage(folder, { id: folder })).rejects.toMatchObject({ code: 'weights_partial', exitCode: 4 })
    truncateSync(join(folder, 'model.safetensors'), 4)
    await expect(stage(folder, { id: folder })).rejects.toThrow(/its header is cut off/)
  })

  it('of shards must have all that its index names', async () => {
    const folder = plain()
    const weight_map = { a: 'model-1.safetensors', b: 'model-2.safetensors', c: 'model-2.safetensors' }
    writeFileSync(join(folder, 'model.safetensors.index.json'), JSON.stringify({ weight_map }))
    writeFileSync(join(folder, 'model-1.safetensors'), safetensors(3))
    await expect(stage(folder, { id: folder })).rejects.toThrow(
      /1 of 2 shards are missing .*, model-2\.safetensors first/,
    )
    writeFileSync(join(folder, 'model-2.safetensors'), safetensors(4))
    await stage(folder, { id: folder })
  })
})

describe('a Hugging Face cache', () => {
  const files = { 'config.json': Buffer.from('{}'), 'model.safetensors': safetensors(5_000_000) }

  it.each(['', 'hub'])('is understood, also where it lies below its home: %j', async (below) => {
    const cache = hub(files, below)
    const staged = await stage(cache, acme)
    expect(staged.hubCache).toBe(join(cache, below))
    expect(staged.folder).toMatch(new RegExp(`snapshots/${commit}$`))
    expect(staged.files).toBe(2)
  })

  it('without the snapshot, or without the model, is missing it', async () => {
    const cache = hub(files)
    for (const model of [
      { ...acme, revision: 'd'.repeat(40) },
      { ...acme, id: 'acme/other' },
    ]) {
      await expect(stage(cache, model)).rejects.toMatchObject({ code: 'weights_missing', exitCode: 4 })
    }
  })

  it('whose blob is gone is not whole; one with another content is not the declared one', async () => {
    for (const name of ['config.json', 'model.safetensors'] as const) {
      const cache = hub(files)
      const blob = join(cache, 'models--acme--m/snapshots', commit, name)
      const content = Buffer.from(files[name])
      content[content.length - 1] = 42
      writeFileSync(blob, content)
      await expect(stage(cache, acme)).rejects.toMatchObject({ code: 'weights_mismatch', exitCode: 4 })
      rmSync(join(cache, 'models--acme--m/blobs'), { recursive: true })
      await expect(stage(cache, acme)).rejects.toMatchObject({ code: 'weights_partial', exitCode: 4 })
    }
  })
})

describe('what a container would not find', () => {
  const isOutside = { code: 'weights_outside', exitCode: 4 }

  it.each([
    ['a file by its whole path', 'a.bin', (elsewhere: string) => join(elsewhere, 'b.txt')],
    ['a file by a way that climbs out', 'a.bin', (elsewhere: string) => join('../', basename(elsewhere), 'b.txt')],
    ['a folder', 'more', (elsewhere: string) => elsewhere],
  ])('is refused where a link leads out of the mount: %s', async (_, name, target) => {
    const [folder, elsewhere] = [plain(), join(plain(), 'sub')]
    renameSync(elsewhere, `${folder}-elsewhere`)
    symlinkSync(target(`${folder}-elsewhere`), join(folder, name))
    await stage(folder, { id: folder })
    await expect(stage(folder, { id: folder }, true)).rejects.toMatchObject(isOutside)
    await expect(stage(folder, { id: folder }, true)).rejects.toThrow(`${join(folder, name)} leads out of ${folder}`)
  })

  it('is refused where the blobs of a cache lie elsewhere', async () => {
    const cache = hub({ 'config.json': Buffer.from('{}') })
    await stage(cache, acme, true)
    const blobs = join(cache, 'models--acme--m/blobs')
    renameSync(blobs, `${cache}-blobs`)
    symlinkSync(`${cache}-blobs`, blobs)
    await stage(cache, acme)
    await expect(stage(cache, acme, true)).rejects.toMatchObject(isOutside)
  })

  it('is not what lies inside, whatever the folder itself is a link to', async () => {
    const folder = plain()
    symlinkSync('../config.json', join(folder, 'sub/up'))
    const linked = `${folder}-link`
    symlinkSync(folder, linked)
    symlinkSync(join(linked, 'sub'), join(folder, 'own'))
    expect((await stage(linked, { id: linked }, true)).files).toBe(6)
    // By the folder's other name the container does not know it.
    await expect(stage(folder, { id: linked }, true)).rejects.toMatchObject(isOutside)
    await expect(stage(folder, { id: folder }, true)).rejects.toMatchObject(isOutside)
  })
})

describe('a directory that is none to read', () => {
  it('for a pipe in it is refused, not waited for', async () => {
    const folder = plain()
    spawnSync('mkfifo', [join(folder, 'model.gguf')])
    await expect(stage(folder, { id: folder })).rejects.toMatchObject({ code: 'weights_partial', exitCode: 4 })
  })

  it('because it leads back into itself is read once', async () => {
    const folder = plain()
    for (const name of ['a', 'b', 'c', 'sub/d']) symlinkSync(folder, join(folder, name))
    expect((await stage(folder, { id: folder })).files).toBe(3)
  })

  it('for the first half of a download is not whole', async () => {
    const cache = hub({ 'config.json': Buffer.from('{}') })
    writeFileSync(join(cache, 'models--acme--m/blobs', `${'e'.repeat(64)}.incomplete`), 'a')
    await expect(stage(cache, acme)).rejects.toMatchObject({ code: 'weights_partial', exitCode: 4 })
    const whole = hub({ 'config.json': Buffer.from('{}'), 'model.safetensors': safetensors(10) })
    writeFileSync(join(whole, 'models--acme--m/blobs', `${'e'.repeat(64)}.incomplete`), 'a')
    await stage(whole, acme)
  })
})

describe('a tree’s digest', () => {
  it('does not hang on the order of its files, and changes with each name and content', () => {
    const files = [
      ['b', '1'],
      ['a', '2'],
      ['a/c', '3'],
    ] as const
    const digest = treeDigest(files)
    expect(treeDigest(files.toReversed())).toBe(digest)
    expect(
      new Set([
        digest,
        treeDigest(files.slice(1)),
        treeDigest([
          ['b', '2'],
          ['a', '1'],
          ['a/c', '3'],
        ]),
      ]).size,
    ).toBe(3)
  })
})
