import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { systemSources } from '../../../src/adapters/system/sources.ts'
import type { Sources } from '../../../src/app/ports/sources.ts'
import { fakeSources } from '../../fakes/sources.ts'

const temporary: string[] = []
afterEach(async () => {
  await Promise.all(temporary.splice(0).map((folder) => rm(folder, { recursive: true, force: true })))
})

type Files = Record<string, string | Uint8Array>

async function folder(files: Files): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'sources-'))
  temporary.push(root)
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), content)
  }
  return root
}

const kinds: [string, (files: Files) => Promise<Sources>][] = [
  [
    'files on this machine',
    async (files) => {
      const root = await folder(files)
      return systemSources({ manifestFolder: root, workingFolder: root })
    },
  ],
  ['the fake', async (files) => fakeSources(files)],
]

async function read(sources: Sources, path: string): Promise<{ text: string; sha256: string }> {
  const source = sources.open({ what: 'the trace', path })
  const chunks: Uint8Array[] = []
  for await (const chunk of source.chunks) chunks.push(chunk)
  return { text: Buffer.concat(chunks).toString(), sha256: source.sha256() }
}

const digestOf = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex')

describe.each(kinds)('%s', (_, make) => {
  it('gives a file’s content and digest', async () => {
    const sources = await make({ 'traces/a.jsonl': 'first\nsecond\n' })
    const found = { text: 'first\nsecond\n', sha256: digestOf('first\nsecond\n') }
    expect(await read(sources, 'traces/a.jsonl')).toEqual(found)
    expect(await read(sources, './traces/../traces/a.jsonl')).toEqual(found)
  })

  it('expands gzip, and tells the digest of the file as it stands', async () => {
    const zipped = gzipSync('line\n'.repeat(1000))
    const sources = await make({ 'a.gz': zipped })
    expect(await read(sources, 'a.gz')).toEqual({ text: 'line\n'.repeat(1000), sha256: digestOf(zipped) })
  })

  it.each([
    ['no.jsonl', 'file_not_found'],
    ['folder', 'path_is_a_folder'],
    ['empty', 'file_empty'],
    ['../elsewhere', 'source_refused'],
    ['folder/../../elsewhere', 'source_refused'],
    ['/etc/hostname', 'source_refused'],
    ['cut.gz', 'gzip_damaged'],
  ])('refuses %s: %s', async (path, code) => {
    const sources = await make({ 'folder/file': 'x', empty: '', 'cut.gz': gzipSync('x'.repeat(99)).subarray(0, 20) })
    await expect(read(sources, path)).rejects.toMatchObject({ code, exitCode: 4 })
  })
})

describe('files on this machine', () => {
  it('may lie anywhere below the working folder, and links may stay inside', async () => {
    const root = await folder({ 'gates/small/manifest.yaml': '', 'traces/a.jsonl': 'rows' })
    await symlink(join(root, 'traces'), join(root, 'gates/small/linked'))
    const sources = systemSources({ manifestFolder: join(root, 'gates/small'), workingFolder: root })
    expect((await read(sources, '../../traces/a.jsonl')).text).toBe('rows')
    expect((await read(sources, 'linked/a.jsonl')).text).toBe('rows')
  })

  it('are looked for beside the manifest, and said to be', async () => {
    const root = await folder({ 'manifest.yaml': '' })
    const sources = systemSources({ manifestFolder: root, workingFolder: root })
    await expect(read(sources, 'no.jsonl')).rejects.toMatchObject({
      hint: expect.stringContaining('manifest’s folder'),
    })
  })

  it('are refused where a link leads outside, where they are no files, and whether or not they are there', async () => {
    const outside = await folder({ secret: 'token' })
    const root = await folder({ 'manifest.yaml': '' })
    await symlink(join(outside, 'secret'), join(root, 'innocent'))
    await symlink('/dev/zero', join(root, 'endless'))
    const sources = systemSources({ manifestFolder: root, workingFolder: root })
    const paths = ['innocent', 'endless', join('..', 'no-such-folder', 'secret'), 'a\\b', 'a\0b']
    for (const path of paths) await expect(read(sources, path)).rejects.toMatchObject({ code: 'source_refused' })
  })

  it('are refused where they are pipes, which may never end or begin', async () => {
    const root = await folder({ 'manifest.yaml': '' })
    execFileSync('mkfifo', [join(root, 'pipe')])
    const sources = systemSources({ manifestFolder: root, workingFolder: root })
    await expect(read(sources, 'pipe')).rejects.toMatchObject({ code: 'source_refused' })
  })

  it('are refused where anything follows their gzip data: it would be in no digest', async () => {
    const member = gzipSync('line\n')
    const behind = (bytes: Uint8Array) => Buffer.concat([member, bytes])
    const files = {
      two: behind(gzipSync('more\n')),
      zero: behind(new Uint8Array(1)),
      zeros: behind(new Uint8Array(300_000)),
    }
    const root = await folder(files)
    const sources = systemSources({ manifestFolder: root, workingFolder: root })
    expect(await read(sources, 'two')).toEqual({ text: 'line\nmore\n', sha256: digestOf(files.two) })
    for (const path of ['zero', 'zeros'])
      await expect(read(sources, path)).rejects.toMatchObject({ code: 'gzip_damaged' })
  })
})
