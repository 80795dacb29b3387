import { lstat, realpath } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import type { ProjectFolder } from '../../app/ports/project-folder.ts'
import { EXIT, GateError } from '../../core/kernel/errors.ts'
import { fileError, systemErrorCode } from './file-errors.ts'
import { INPUT_LIMITS, readInputText, writeOutput } from './files.ts'

/** A folder of this machine as a user's project. */
export function projectFolder(root: string): ProjectFolder {
  return {
    async look(path) {
      const place = join(root, path)
      await requireInside(root, path)
      const stats = await lstat(place).catch((error: unknown) => {
        if (systemErrorCode(error) === 'ENOENT') return null
        throw fileError(error, 'look at', path, EXIT.invalid)
      })
      if (stats === null) return { kind: 'nothing' }
      if (stats.isSymbolicLink()) return { kind: 'other', what: 'a symbolic link' }
      if (!stats.isFile()) return { kind: 'other', what: stats.isDirectory() ? 'a folder' : 'no regular file' }
      if (stats.size === 0) return { kind: 'file', text: '' }
      const text = await readInputText({ what: 'the file', path: place, maximumBytes: INPUT_LIMITS.manifest })
      return { kind: 'file', text }
    },
    async write(path, text) {
      await requireInside(root, path)
      await writeOutput(join(root, path), text)
    },
  }
}

/** The root of the Git repository that a folder lies in: the nearest one from it upwards that holds `.git`. Null where there is none. */
export async function repositoryRoot(folder: string): Promise<string | null> {
  if ((await lstat(join(folder, '.git')).catch(() => null)) !== null) return folder
  return dirname(folder) === folder ? null : repositoryRoot(dirname(folder))
}

/** The nearest folder above the path that is there, links followed, must lie in the root. */
async function requireInside(root: string, path: string): Promise<void> {
  const [own, above] = [await realpath(root), await nearest(dirname(join(root, path)))]
  const way = relative(own, above)
  if (way !== '..' && !way.startsWith(`..${sep}`)) return
  throw new GateError({
    code: 'path_refused',
    message: `${path} leads out of this folder, to ${above}`,
    hint: 'make it a folder of its own, or run this where it leads to',
    exitCode: EXIT.invalid,
  })
}

async function nearest(folder: string): Promise<string> {
  try {
    return await realpath(folder)
  } catch (error) {
    const code = systemErrorCode(error)
    const isMissing = code === 'ENOENT' && (await lstat(folder).catch(() => null)) === null
    if (isMissing) return nearest(dirname(folder))
    throw fileError(error, 'look at', folder, EXIT.invalid)
  }
}
