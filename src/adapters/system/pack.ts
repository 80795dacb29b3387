import { createReadStream } from 'node:fs'
import { readdir, realpath, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { LineSink, Pack } from '../../app/ports/pack.ts'
import { EXIT, GateError } from '../../core/kernel/errors.ts'
import { writeAtomically } from './atomic-write.ts'
import { readBounded } from './bounded-read.ts'
import { gunzipBounded, gzipSame, gzipSameThrough } from './deterministic-gzip.ts'
import { fileError, systemErrorCode, tooLargeError } from './file-errors.ts'
import { openLineJournal } from './line-journal.ts'
import { makeFolder } from './make-folder.ts'
import { pathSegments, resolveInside } from './pack-path.ts'
import { isTemporaryName } from './temporaries.ts'

/** The largest file of a pack that is read, and the largest content of a compressed one, in bytes. */
const READ_LIMIT = 512 * 1024 * 1024

/** Makes the pack's folder where it is missing. Throws GateError `disk_read_only`, `permission_denied` … */
export async function createPack(folder: string, readLimit = READ_LIMIT): Promise<Pack> {
  try {
    await makeFolder(folder)
  } catch (error) {
    throw fileError(error, 'make the pack folder', folder)
  }
  return packAt(folder, await realpath(folder), readLimit)
}

/** A pack that must be there already. Throws GateError `pack_not_found`. */
export async function openPack(folder: string, readLimit = READ_LIMIT): Promise<Pack> {
  const stats = await stat(folder).catch(() => null)
  if (!stats?.isDirectory()) {
    throw new GateError({
      code: 'pack_not_found',
      message: `there is no pack folder at ${folder}`,
      hint: 'name the folder that a run wrote (`run … --pack DIR`)',
      exitCode: EXIT.usage,
    })
  }
  return packAt(folder, await realpath(folder), readLimit)
}

function packAt(location: string, root: string, readLimit: number): Pack {
  const write = async (path: string, content: string | Uint8Array) => {
    await guard('write', location, path, async () => {
      const absolute = await resolveInside(root, path)
      await makeFolder(dirname(absolute))
      await writeAtomically(absolute, content)
    })
  }
  const read = (path: string) => guard('read', location, path, () => readFile(root, path, readLimit))
  return {
    location,
    write,
    writeGzip: async (path, content) => write(path, await gzipSame(content)),
    gzip: (path) => guard('write', location, `${path}.gz`, () => compress(root, path)),
    read,
    readGzip: async (path) => {
      const bytes = await read(path)
      return bytes && (await expand(bytes, path, readLimit))
    },
    list: (folder) => guard('list', location, folder, () => listFiles(root, folder)),
    remove: (path) => guard('remove', location, path, async () => rm(await resolveInside(root, path), { force: true })),
    appendLines: (path): Promise<LineSink> =>
      guard('write', location, path, async () => {
        const absolute = await resolveInside(root, path)
        await makeFolder(dirname(absolute))
        return openLineJournal(absolute)
      }),
  }
}

async function guard<T>(doing: string, location: string, path: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action()
  } catch (error) {
    throw fileError(error, doing, join(location, path))
  }
}

async function readFile(root: string, path: string, limit: number): Promise<Uint8Array | null> {
  const absolute = await resolveInside(root, path)
  try {
    const result = await readBounded(absolute, limit, 'refused')
    if ('bytes' in result) return result.bytes
    throw tooLargeError('the pack file', path, result.size, limit, EXIT.failed)
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return null
    throw error
  }
}

async function compress(root: string, path: string): Promise<void> {
  const from = await resolveInside(root, path)
  const to = await resolveInside(root, `${path}.gz`)
  try {
    await gzipSameThrough(createReadStream(from), (parts) => writeAtomically(to, parts))
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return
    throw error
  }
  await rm(from)
}

async function expand(bytes: Uint8Array, path: string, limit: number): Promise<Uint8Array> {
  try {
    const content = await gunzipBounded(bytes, limit)
    if (content !== 'tooLarge') return content
  } catch (error) {
    throw new GateError({
      code: 'file_unreadable',
      message: `the pack file ${path} is no whole gzip file`,
      hint: 'it was cut off or changed; run `verify` on the pack, or measure the point again',
      cause: error,
    })
  }
  throw tooLargeError('the content of the pack file', path, null, limit, EXIT.failed)
}

/** Every file below `folder` (`.` for the whole pack), sorted by code point; an absent folder holds none. */
async function listFiles(root: string, folder: string): Promise<string[]> {
  const start = folder === '.' ? [] : pathSegments(folder)
  const absolute = start.length === 0 ? root : await resolveInside(root, folder)
  const found: string[] = []
  const visit = async (at: string, prefix: readonly string[]): Promise<void> => {
    const entries = await readdir(at, { withFileTypes: true }).catch((error: unknown) => {
      if (systemErrorCode(error) === 'ENOENT') return []
      throw error
    })
    for (const entry of entries) {
      const path = [...prefix, entry.name]
      if (entry.isDirectory()) await visit(join(at, entry.name), path)
      else if (!entry.isFile()) await resolveInside(root, path.join('/'))
      else if (!isTemporaryName(entry.name)) found.push(path.join('/'))
    }
  }
  await visit(absolute, start)
  return found.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
}
