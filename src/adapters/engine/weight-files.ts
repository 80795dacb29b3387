import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readdir, readFile, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'

/** One file of a model's directory. */
export interface WeightFile {
  /** Relative to the directory, with `/`. */
  path: string
  /** Where its bytes are, links followed; null where they are not there, or it is a pipe, a socket or a device. */
  target: string | null
  bytes: number
}

/**
 * Every file below a directory, links followed but those that lead back to a directory above them, in no order. What version control and
 * downloads keep beside them is left out.
 */
export async function weightFiles(folder: string, below = '', above: readonly string[] = []): Promise<WeightFile[]> {
  const real = await realpath(join(folder, below))
  if (above.includes(real)) return []
  const names = (await readdir(join(folder, below))).filter((name) => name !== '.git' && name !== '.cache')
  const found = await Promise.all(
    names.map(async (name): Promise<WeightFile[]> => {
      const path = below === '' ? name : `${below}/${name}`
      const stats = await stat(join(folder, path)).catch(() => null)
      if (stats?.isDirectory()) return weightFiles(folder, path, [...above, real])
      if (!stats?.isFile()) return [{ path, target: null, bytes: 0 }]
      return [{ path, target: await realpath(join(folder, path)), bytes: stats.size }]
    }),
  )
  return found.flat()
}

const WEIGHTS = /\.(?:safetensors|bin|gguf|pth?|npz|h5|onnx|msgpack|engine|plan)$/

/**
 * That a snapshot of a Hugging Face cache has no weights and one of its model's downloads was begun and not ended, as a sentence; else null.
 * A beginning beside weights may be another revision's.
 */
export async function unfinishedDownload(snapshot: string, files: readonly WeightFile[]): Promise<string | null> {
  if (files.some(({ path }) => WEIGHTS.test(path))) return null
  const blobs = join(snapshot, '../../blobs')
  const begun = (await readdir(blobs).catch(() => [])).find((name) => name.endsWith('.incomplete'))
  return begun === undefined ? null : `${snapshot} has no weights, and ${join(blobs, begun)} was begun`
}

const LARGEST_INDEX = 256 * 1024 * 1024
const indexSchema = z.object({ weight_map: z.record(z.string(), z.string()) })

/** What a sharded checkpoint's index names and is not there, as a sentence; null where all is. */
export async function missingShard(folder: string, files: readonly WeightFile[]): Promise<string | null> {
  const there = new Set(files.map(({ path }) => path))
  for (const { path, bytes } of files) {
    if (!/\.(?:safetensors|bin)\.index\.json$/.test(path)) continue
    const text = bytes > LARGEST_INDEX ? '' : await readFile(join(folder, path), 'utf8')
    const index = indexSchema.safeParse(parsed(text))
    if (!index.success) return `${join(folder, path)} is no index of shards`
    const shards = [...new Set(Object.values(index.data.weight_map))].toSorted()
    const besides = dirname(path) === '.' ? '' : `${dirname(path)}/`
    const absent = shards.filter((shard) => !there.has(`${besides}${shard}`))
    if (absent.length > 0)
      return `${absent.length} of ${shards.length} shards are missing in ${folder}, ${absent[0]} first`
  }
  return null
}

const headerSchema = z.record(z.string(), z.looseObject({ data_offsets: z.tuple([z.int(), z.int()]).optional() }))
const LONGEST_HEADER = 128 * 1024 * 1024

/**
 * The first safetensors file whose size is not what its own header says, as a sentence. The format: eight bytes of little-endian header
 * length, the header as JSON with each tensor's offsets, the tensors.
 */
export async function truncatedShard(folder: string, files: readonly WeightFile[]): Promise<string | null> {
  for (const { path, bytes } of files) {
    if (!path.endsWith('.safetensors')) continue
    const says = await sizeByHeader(join(folder, path), bytes)
    if (says !== bytes)
      return `${join(folder, path)} has ${bytes} bytes; ${says === null ? 'its header is cut off' : `its header says ${says}`}`
  }
  return null
}

async function sizeByHeader(path: string, bytes: number): Promise<number | null> {
  await using file = await open(path)
  const length = Buffer.alloc(8)
  if ((await file.read(length, 0, 8, 0)).bytesRead < 8) return null
  const headerBytes = Number(length.readBigUInt64LE())
  if (headerBytes > LONGEST_HEADER || headerBytes > bytes) return null
  const header = Buffer.alloc(headerBytes)
  if ((await file.read(header, 0, headerBytes, 8)).bytesRead < headerBytes) return null
  const tensors = headerSchema.safeParse(parsed(header.toString('utf8')))
  if (!tensors.success) return null
  return Object.values(tensors.data).reduce((end, { data_offsets }) => {
    return Math.max(end, 8 + headerBytes + (data_offsets?.[1] ?? 0))
  }, 8 + headerBytes)
}

/**
 * The first blob of a Hugging Face cache whose content is not what its name says, as a sentence: a large file is named by its SHA-256, a
 * small one by git's SHA-1 of a blob.
 */
export async function brokenBlob(files: readonly WeightFile[], sha256: readonly string[]): Promise<string | null> {
  for (const [index, { target, path, bytes }] of files.entries()) {
    const name = basename(target ?? '')
    const isLarge = /^[0-9a-f]{64}$/.test(name)
    if (target === null || !(isLarge || /^[0-9a-f]{40}$/.test(name))) continue
    const content = isLarge ? sha256[index] : await gitBlob(target, bytes)
    if (content !== name) return `${path} has the content ${content}, its blob is named ${name}`
  }
  return null
}

async function gitBlob(path: string, bytes: number): Promise<string> {
  const hash = createHash('sha1').update(`blob ${bytes}\0`)
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null
  }
}
