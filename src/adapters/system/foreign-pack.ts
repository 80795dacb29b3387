import type { Stats } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Pack } from '../../app/ports/pack.ts'
import { EXIT, GateError } from '../../core/kernel/errors.ts'
import { openPack } from './pack.ts'

/** What a pack of another job may hold; a run of 200 points with its raw times is a tenth of each. */
export interface PackBounds {
  files: number
  /** All files together, as they lie there. */
  bytes: number
  /** Folders below the pack's own. */
  depth: number
  /** Of one file, and of what one expands to. */
  readBytes: number
}

const BOUNDS: PackBounds = { files: 20_000, bytes: 2 * 1024 ** 3, depth: 8, readBytes: 256 * 1024 ** 2 }

/**
 * A pack that somebody else may have made, such as a downloaded artifact: nothing of it is read before all of it was looked at. Throws
 * GateError `pack_refused` (exit 4) for anything that is neither file nor folder (links, pipes, devices), for too many files, too many
 * bytes or too deep a folder; and `pack_not_found`.
 */
export async function openForeignPack(folder: string, bounds: PackBounds = BOUNDS): Promise<Pack> {
  const stats = await lstat(folder).catch(() => null)
  if (stats !== null && !stats.isDirectory()) throw refuse('', `it is ${kindOf(stats)}, and no folder`)
  const pack = await openPack(folder, bounds.readBytes)
  await lookAtAll(folder, bounds)
  return pack
}

async function lookAtAll(root: string, bounds: PackBounds): Promise<void> {
  let files = 0
  let bytes = 0
  const visit = async (folder: string, depth: number): Promise<void> => {
    if (depth > bounds.depth) throw refuse(folder, `it lies more than ${bounds.depth} folders deep`)
    for (const name of await readdir(join(root, folder))) {
      const path = folder === '' ? name : `${folder}/${name}`
      const stats = await lstat(join(root, path)).catch(() => null)
      if (stats === null) throw refuse(path, 'it cannot be looked at')
      files += 1
      if (files > bounds.files) throw refuse('', `it holds more than ${bounds.files} files and folders`)
      if (stats.isDirectory()) await visit(path, depth + 1)
      else if (!stats.isFile()) throw refuse(path, `it is ${kindOf(stats)}`)
      else if (stats.size > bounds.readBytes) throw refuse(path, `it is larger than ${bounds.readBytes} bytes`)
      else bytes += stats.size
      if (bytes > bounds.bytes) throw refuse('', `it holds more than ${bounds.bytes} bytes`)
    }
  }
  await visit('', 0)
}

function kindOf(stats: Stats): string {
  if (stats.isSymbolicLink()) return 'a symbolic link'
  if (stats.isFIFO()) return 'a pipe'
  if (stats.isSocket()) return 'a socket'
  return stats.isFile() ? 'a file' : 'a device'
}

function refuse(path: string, why: string): GateError {
  const what = path === '' ? 'the pack' : `the pack’s ${JSON.stringify(path.slice(0, 200))}`
  return new GateError({
    code: 'pack_refused',
    message: `${what} is refused unread: ${why}`,
    hint: 'publish the folder that a run wrote, as it wrote it',
    exitCode: EXIT.invalid,
  })
}
