import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'

interface FileDigest {
  /** As it stands in the arguments; the executable by its name alone. */
  file: string
  /** Null for a file too large to read before each measurement. */
  sha256: string | null
  bytes: number
}

/** Weights and the like are held by their revision; a program and its scripts are smaller. */
const LARGEST_BYTES = 1024 * 1024 * 1024
const MOST_FILES = 32

/** Digests of the executable and of every file that the arguments name, as `path` or `--flag=path`. */
export type FileDigester = (executable: string | null, argv: readonly string[], cwd: string) => Promise<FileDigest[]>

/** Remembers by path, size and time of change: an engine is booted often and its program is large. */
export function fileDigester(): FileDigester {
  const known = new Map<string, string>()
  const digest = async (file: string, path: string): Promise<FileDigest | null> => {
    const stats = await stat(path).catch(() => null)
    if (!stats?.isFile()) return null
    if (stats.size > LARGEST_BYTES) return { file, sha256: null, bytes: stats.size }
    const key = [path, stats.size, stats.mtimeMs, stats.ctimeMs, stats.ino].join('\0')
    const sha256 = known.get(key) ?? (await hashFile(path).catch(() => null))
    if (sha256 !== null) known.set(key, sha256)
    return { file, sha256, bytes: stats.size }
  }
  return async (executable, argv, cwd) => {
    const named = argv
      .map((part) => part.replace(/^--?[^=]+=/, ''))
      .filter((part) => part !== '' && !part.startsWith('-') && !part.includes('\0') && part.length < 4096)
      .map((part) => [part, resolve(cwd, part)] as const)
    const program = executable === null ? [] : [[basename(executable), executable] as const]
    // The executable may also stand in the arguments.
    const unique = new Map([...named, ...program].map(([file, path]) => [path, file]))
    const digests: FileDigest[] = []
    for (const [path, file] of unique) {
      const found = digests.length < MOST_FILES ? await digest(file, path) : null
      if (found) digests.push(found)
    }
    return digests
  }
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), hash)
  return hash.digest('hex')
}
