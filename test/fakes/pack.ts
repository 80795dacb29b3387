import { gunzipSync, gzipSync } from 'node:zlib'
import type { Pack } from '../../src/app/ports/pack.ts'
import { pathSegments } from '../../src/adapters/system/pack-path.ts'
import { GateError } from '../../src/core/kernel/errors.ts'

export interface FakePack extends Pack {
  readonly files: Map<string, Uint8Array>
  text(path: string): string | null
  /** From now on every write fails like a full disk. */
  fill(): void
}

const fullDisk = (path: string) =>
  new GateError({ code: 'disk_full', message: `cannot write ${path}: the disk is full`, hint: 'free space' })

const bytesOf = (content: string | Uint8Array) => Buffer.from(content)

/** A pack in memory. */
export function fakePack(): FakePack {
  const files = new Map<string, Uint8Array>()
  let isFull = false
  const checked = (path: string) => pathSegments(path).join('/')
  const write = (path: string, content: string | Uint8Array) => {
    const key = checked(path)
    if (isFull) throw fullDisk(path)
    const isFolder = [...files.keys()].some((name) => name.startsWith(`${key}/`))
    if (isFolder)
      throw new GateError({ code: 'path_is_a_folder', message: `cannot write ${path}`, hint: 'name a file' })
    files.set(key, bytesOf(content))
  }
  const read = (path: string) => files.get(checked(path)) ?? null
  return {
    location: 'memory',
    files,
    text: (path) => {
      const bytes = read(path)
      return bytes && Buffer.from(bytes).toString()
    },
    fill: () => {
      isFull = true
    },
    write: async (path, content) => write(path, content),
    writeGzip: async (path, content) => write(path, gzipSync(content)),
    gzip: async (path) => {
      const bytes = read(path)
      if (bytes === null) return
      write(`${path}.gz`, gzipSync(bytes))
      files.delete(checked(path))
    },
    read: async (path) => read(path),
    readGzip: async (path) => {
      const bytes = read(path)
      try {
        return bytes && gunzipSync(bytes)
      } catch {
        throw new GateError({
          code: 'file_unreadable',
          message: `${path} is no whole gzip file`,
          hint: 'measure again',
        })
      }
    },
    list: async (folder) => {
      const prefix = folder === '.' ? '' : `${checked(folder)}/`
      return [...files.keys()].filter((name) => name.startsWith(prefix)).toSorted((a, b) => (a < b ? -1 : 1))
    },
    remove: async (path) => void files.delete(checked(path)),
    appendLines: async (path) => {
      const key = checked(path)
      const before = Buffer.from(files.get(key) ?? []).toString()
      let content = before.slice(0, before.lastIndexOf('\n') + 1)
      files.set(key, bytesOf(content))
      let isClosed = false
      const flush = async () => write(path, content)
      return {
        write: (line) => {
          if (isClosed) throw new Error('a line was written after its journal was closed')
          if (line.includes('\n')) throw new Error('a journal line holds a line break')
          content += `${line}\n`
        },
        get failure() {
          return isFull ? fullDisk(path) : null
        },
        flush,
        [Symbol.asyncDispose]: async () => {
          if (!isClosed) await flush()
          isClosed = true
        },
      }
    },
  }
}
