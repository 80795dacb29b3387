import { mkdtemp, open, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { gzipSame } from '../../../../src/adapters/system/deterministic-gzip.ts'
import { fileError } from '../../../../src/adapters/system/file-errors.ts'
import { INPUT_LIMITS, readInputText, streamInput, writeOutput } from '../../../../src/adapters/system/files.ts'
import { openLineJournal } from '../../../../src/adapters/system/line-journal.ts'
import { createPack, openPack } from '../../../../src/adapters/system/pack.ts'
import { pathSegments } from '../../../../src/adapters/system/pack-path.ts'
import { GateError } from '../../../../src/core/kernel/errors.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'files-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** A file of that size that takes no room on the disk. */
async function sparse(name: string, bytes: number): Promise<string> {
  const path = join(folder, name)
  const handle = await open(path, 'w')
  await handle.truncate(bytes)
  await handle.close()
  return path
}

const manifest = (path: string) => ({ what: 'the manifest', path, maximumBytes: INPUT_LIMITS.manifest })
const csv = (path: string) => ({ what: 'the requests file', path, maximumBytes: INPUT_LIMITS.csv })

async function drain(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const all: Uint8Array[] = []
  for await (const chunk of chunks) all.push(chunk)
  return Buffer.concat(all).toString()
}

describe('a file that a user names', () => {
  it('is read as text, its byte order mark kept for the parser', async () => {
    await writeFile(join(folder, 'm.yaml'), '\uFEFFmodel: ä\n')
    expect(await readInputText(manifest(join(folder, 'm.yaml')))).toBe('\uFEFFmodel: ä\n')
  })

  it.each([
    ['file_not_found', async () => join(folder, 'absent.yaml')],
    ['path_is_a_folder', async () => folder],
    ['path_is_not_a_folder', async () => join(await sparse('plain', 1), 'm.yaml')],
    ['file_empty', () => sparse('empty.yaml', 0)],
    ['file_too_large', () => sparse('huge.yaml', 1_000_000_000)],
    ['file_not_text', () => sparse('zeros.yaml', 10)],
    [
      'file_not_text',
      async () => {
        await writeFile(join(folder, 'latin.yaml'), Buffer.from([0x61, 0xe4, 0x62]))
        return join(folder, 'latin.yaml')
      },
    ],
  ])('is refused with %s, its path and exit code 4', async (code, make) => {
    const path = await make()
    await expect(readInputText(manifest(path))).rejects.toMatchObject({ name: 'GateError', code, exitCode: 4 })
    await expect(readInputText(manifest(path))).rejects.toThrow(path)
  })

  it('is streamed in order', async () => {
    const content = 'request_id,status\n'.repeat(20_000)
    await writeFile(join(folder, 'r.csv'), content)
    expect(await drain(streamInput(csv(join(folder, 'r.csv'))))).toBe(content)
  })

  it.each([
    ['file_too_large', () => sparse('huge.csv', 1_000_000_000)],
    ['file_empty', () => sparse('empty.csv', 0)],
    ['path_is_a_folder', async () => folder],
    ['file_not_found', async () => join(folder, 'absent.csv')],
  ])('is not streamed: %s', async (code, make) => {
    await expect(drain(streamInput(csv(await make())))).rejects.toMatchObject({ name: 'GateError', code, exitCode: 4 })
  })

  it('is written whole, leaving nothing beside it, and not over a folder', async () => {
    await writeOutput(join(folder, 'out/schedule.jsonl'), 'a\n')
    await writeOutput(join(folder, 'out/schedule.jsonl'), 'b\n')
    expect(await readdir(join(folder, 'out'))).toEqual(['schedule.jsonl'])
    expect(await readFile(join(folder, 'out/schedule.jsonl'), 'utf8')).toBe('b\n')
    await expect(writeOutput(join(folder, 'out'), 'x')).rejects.toMatchObject({ code: 'path_is_a_folder', exitCode: 1 })
  })

  it('is written into where it is a device, and through a link', async () => {
    await symlink('/dev/full', join(folder, 'device'))
    await expect(writeOutput(join(folder, 'device'), 'x')).rejects.toMatchObject({ code: 'disk_full', exitCode: 1 })
    await symlink(join(folder, 'target'), join(folder, 'link'))
    await writeFile(join(folder, 'target'), 'a')
    await writeOutput(join(folder, 'link'), 'b')
    expect(await readFile(join(folder, 'target'), 'utf8')).toBe('b')
    expect((await readdir(folder)).toSorted()).toEqual(['device', 'link', 'target'])
  })
})

describe('a system error', () => {
  it.each([
    ['ENOSPC', 'disk_full'],
    ['EDQUOT', 'disk_full'],
    ['EROFS', 'disk_read_only'],
    ['EACCES', 'permission_denied'],
    ['EISDIR', 'path_is_a_folder'],
    ['EIO', 'file_failed'],
  ])('%s becomes %s with path, hint and exit code 1', (system, code) => {
    const cause = Object.assign(new Error('system words'), { code: system })
    const error = fileError(cause, 'write', '/packs/a')
    expect(error).toMatchObject({ code, exitCode: 1, cause })
    expect(error.message).toContain('/packs/a')
    expect(error.hint).not.toBe('')
  })

  it('leaves a GateError as it is', () => {
    const error = new GateError({ code: 'x', message: 'm', hint: 'h' })
    expect(fileError(error, 'write', '/a')).toBe(error)
  })
})

describe('a journal', () => {
  it('keeps what it can when the disk is full, and says so once asked', async () => {
    const sink = await openLineJournal('/dev/full')
    sink.write('{"n":1}')
    await expect(sink.flush()).rejects.toMatchObject({ name: 'GateError', code: 'disk_full', exitCode: 1 })
    sink.write('{"n":2}')
    await expect(sink[Symbol.asyncDispose]()).rejects.toMatchObject({ code: 'disk_full' })
  })

  it('reaches the disk by itself, without a flush', async () => {
    const path = join(folder, 'journal.jsonl')
    await using sink = await openLineJournal(path)
    sink.write('{"n":1}')
    await expect.poll(() => readFile(path, 'utf8')).toBe('{"n":1}\n')
  })

  it('finds the last whole line of a long torn one', async () => {
    const path = join(folder, 'journal.jsonl')
    await writeFile(path, `{"n":1}\n{"x":"${'y'.repeat(200_000)}`)
    await (await openLineJournal(path))[Symbol.asyncDispose]()
    expect(await readFile(path, 'utf8')).toBe('{"n":1}\n')
  })
})

describe('a pack in a folder', () => {
  it('refuses symbolic links, to files and in the middle of a path', async () => {
    const pack = await createPack(join(folder, 'pack'))
    await writeFile(join(folder, 'secret'), 'secret')
    await symlink(join(folder, 'secret'), join(folder, 'pack/verdict.json'))
    await symlink(folder, join(folder, 'pack/points'))
    const refused = { name: 'GateError', code: 'path_refused' }
    for (const path of ['verdict.json', 'points/secret', 'points/new.json']) {
      await expect(pack.read(path)).rejects.toMatchObject(refused)
      await expect(pack.write(path, 'x')).rejects.toMatchObject(refused)
      await expect(pack.appendLines(path)).rejects.toMatchObject(refused)
      await expect(pack.remove(path)).rejects.toMatchObject(refused)
    }
    await expect(pack.list('.')).rejects.toMatchObject(refused)
    expect(await readFile(join(folder, 'secret'), 'utf8')).toBe('secret')
  })

  it('does not read beyond its limit, compressed or not', async () => {
    const pack = await createPack(join(folder, 'pack'), 1000)
    await writeFile(join(folder, 'pack/bomb.gz'), gzipSync('0'.repeat(100_000)))
    await expect(pack.readGzip('bomb.gz')).rejects.toMatchObject({ code: 'file_too_large' })
    await pack.write('long.csv', '0'.repeat(1001))
    await expect(pack.read('long.csv')).rejects.toMatchObject({ code: 'file_too_large' })
  })

  it('does not list what a killed write left', async () => {
    const pack = await createPack(join(folder, 'pack'))
    await writeFile(join(folder, 'pack/.cg-tmp-00aa-verdict.json'), '{"half')
    await pack.write('verdict.json', '{}')
    expect(await pack.list('.')).toEqual(['verdict.json'])
  })

  it('must be a folder', async () => {
    await writeFile(join(folder, 'file'), '')
    await expect(createPack(join(folder, 'file'))).rejects.toMatchObject({ code: 'path_is_not_a_folder' })
    await expect(createPack(join(folder, 'file/pack'))).rejects.toMatchObject({ code: 'path_is_not_a_folder' })
    await expect(openPack(join(folder, 'file'))).rejects.toMatchObject({ code: 'pack_not_found', exitCode: 64 })
    await expect(openPack(join(folder, 'absent'))).rejects.toMatchObject({ code: 'pack_not_found' })
  })

  it('takes no path that would leave it', () => {
    const parts = fc.array(fc.constantFrom('..', '.', '', 'a', '/', '\\', 'b'))
    const leaves = (path: string) => {
      try {
        return !join('/pack', ...pathSegments(path)).startsWith('/pack/') || pathSegments(path).includes('..')
      } catch (error) {
        return !(error instanceof GateError)
      }
    }
    const outcome = fc.check(fc.property(parts, (some) => !leaves(some.join('/'))))
    expect(outcome.counterexample).toBeNull()
  })
})

describe('gzip', () => {
  it('has a fixed header and reads back', async () => {
    const bytes = Buffer.from(await gzipSame('content'))
    expect([...bytes.subarray(0, 10)]).toEqual([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])
    expect(gunzipSync(bytes).toString()).toBe('content')
  })
})
