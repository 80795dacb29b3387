import { realpath, stat } from 'node:fs/promises'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import type { Source, SourceFile, Sources } from '../../app/ports/sources.ts'
import { EXIT, GateError } from '../../core/kernel/errors.ts'
import { fileError } from './file-errors.ts'
import { type ExpandedInput, openExpanded } from './trace-input.ts'

/** The folders in which a manifest's files may lie: its own, and the one that the command works in. */
export interface SourceFolders {
  manifestFolder: string
  workingFolder: string
}

/** Files beside a manifest, on this machine. */
export function systemSources(folders: SourceFolders): Sources {
  return { open: (file) => openSource(folders, file) }
}

function openSource(folders: SourceFolders, file: SourceFile): Source {
  let input: ExpandedInput | null = null
  async function* chunks(): AsyncGenerator<Uint8Array> {
    input = openExpanded({ what: file.what, path: await confinedPath(folders, file) })
    yield* input.chunks
  }
  return {
    chunks: chunks(),
    sha256() {
      if (input === null) throw new Error('a digest is known once its file was read')
      return input.sha256()
    },
  }
}

/** Where the file really is, links followed. */
async function confinedPath({ manifestFolder, workingFolder }: SourceFolders, file: SourceFile): Promise<string> {
  if (isAbsolute(file.path)) throw refuse(file, 'it is absolute')
  if (/[\0\\]/.test(file.path)) throw refuse(file, 'it holds a backslash or a zero byte')
  const asked = resolve(manifestFolder, file.path)
  try {
    const folders = await Promise.all([realpath(manifestFolder), realpath(workingFolder)])
    // Before anything is looked up: whether a file exists elsewhere is nobody's business either.
    const isNamedInside = [manifestFolder, workingFolder, ...folders].some((folder) => isInside(folder, asked))
    if (!isNamedInside) throw refuse(file, OUTSIDE)
    const found = await realpath(asked)
    if (!folders.some((folder) => isInside(folder, found))) throw refuse(file, `${OUTSIDE}, through a link`)
    const stats = await stat(found)
    if (!stats.isFile() && !stats.isDirectory()) throw refuse(file, 'it is no regular file')
    return found
  } catch (error) {
    const failure = fileError(error, `read ${file.what}`, file.path, EXIT.invalid)
    throw failure.code === 'file_not_found' ? besideManifest(failure) : failure
  }
}

/** A manifest's files are not looked for where other paths are. */
function besideManifest({ code, message, exitCode, cause }: GateError): GateError {
  return new GateError({
    code,
    message,
    hint: 'check the path; it is taken from the manifest’s folder',
    exitCode,
    cause,
  })
}

const OUTSIDE = 'it leads out of the manifest’s folder and of the working folder'

function isInside(folder: string, path: string): boolean {
  const way = relative(resolve(folder), path)
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

function refuse({ what, path }: SourceFile, why: string): GateError {
  return new GateError({
    code: 'source_refused',
    message: `${what} ${JSON.stringify(path.slice(0, 200))} is refused: ${why}`,
    hint: 'put the file beside the manifest, or below the folder that the command is run in, and name it relative to the manifest',
    exitCode: EXIT.invalid,
  })
}
