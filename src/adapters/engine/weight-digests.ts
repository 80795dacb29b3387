import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { execa } from 'execa'
import { z } from 'zod'
import { writeAtomically } from '../system/atomic-write.ts'
import { fileError } from '../system/file-errors.ts'
import { stateFolder } from '../system/state-folder.ts'
import type { WeightFile } from './weight-files.ts'

const cacheSchema = z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/))
const CACHE_FILE = 'weights-digests.json'
/** As many as keep a fast disk busy. */
const MOST_AT_ONCE = 8
/** Below this a process of its own costs more than the reading. */
const SMALL_BYTES = 4 * 1024 * 1024
const MOST_KEPT = 20_000

/**
 * SHA-256 of each file, in order, several at once. A file whose device, inode, size and time of change are those of an earlier run is not
 * read again. Throws GateError where a file cannot be read.
 */
export async function digestFiles(
  files: readonly WeightFile[],
  signal: AbortSignal,
  stateParent?: string,
): Promise<string[]> {
  const kept = join(await stateFolder(stateParent), CACHE_FILE)
  const known = await readKept(kept)
  const digests: string[] = []
  let isChanged = false
  let next = 0
  const worker = async (): Promise<void> => {
    for (let index = next++; index < files.length; index = next++) {
      signal.throwIfAborted()
      const path = files[index]?.target ?? ''
      const key = await identity(path)
      const digest = known.get(key) ?? (await digestFile(path, files[index]?.bytes ?? 0, signal))
      isChanged ||= !known.has(key)
      known.set(key, digest)
      digests[index] = digest
    }
  }
  await Promise.all(Array.from({ length: Math.min(MOST_AT_ONCE, availableParallelism()) }, worker))
  if (isChanged) {
    const entries = [...known].slice(-MOST_KEPT)
    await writeAtomically(kept, JSON.stringify(Object.fromEntries(entries)), 0o600)
  }
  return digests
}

async function identity(path: string): Promise<string> {
  const { dev, ino, size, mtimeNs } = await stat(path, { bigint: true })
  return [dev, ino, size, mtimeNs].join('-')
}

async function readKept(path: string): Promise<Map<string, string>> {
  try {
    return new Map(Object.entries(cacheSchema.parse(JSON.parse(await readFile(path, 'utf8')))))
  } catch {
    return new Map()
  }
}

/** By the system's `sha256sum`, which has a core to itself; in this process where there is none, or little to read. */
async function digestFile(path: string, bytes: number, signal: AbortSignal): Promise<string> {
  try {
    if (bytes > SMALL_BYTES) {
      const { stdout, failed } = await execa('sha256sum', ['--', path], { reject: false, cancelSignal: signal })
      // A name with a backslash or a line end is written escaped, behind one more backslash.
      const digest = /^\\?([0-9a-f]{64}) /.exec(stdout)?.[1]
      if (!failed && digest !== undefined) return digest
      signal.throwIfAborted()
    }
    const hash = createHash('sha256')
    await pipeline(createReadStream(path, { highWaterMark: 1 << 20, signal }), hash)
    return hash.digest('hex')
  } catch (error) {
    signal.throwIfAborted()
    throw fileError(error, 'read', path)
  }
}
