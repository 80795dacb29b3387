import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { GateError } from '../../core/kernel/errors.ts'
import { systemErrorCode } from './file-errors.ts'

/** A pack may come from elsewhere (a downloaded artifact): what it names must stay inside its folder, links included. */
function refuse(path: string, why: string): GateError {
  return new GateError({
    code: 'path_refused',
    message: `the pack path ${JSON.stringify(path.slice(0, 200))} is refused: ${why}`,
    hint: 'use a path below the pack, with `/`, and no symbolic links',
  })
}

/** The segments of a relative path with `/`. Throws GateError `path_refused` for one that could leave its folder. */
export function pathSegments(path: string): string[] {
  const segments = path.split('/')
  if (path === '' || path.length > 1024) throw refuse(path, 'it is empty or too long')
  if (/[\\\0]/.test(path)) throw refuse(path, 'it holds a backslash or a zero byte')
  if (segments.some((segment) => segment === '' || segment === '.' || segment === '..')) {
    throw refuse(path, 'it is absolute, or has an empty, `.` or `..` part')
  }
  return segments
}

/**
 * The absolute path of a pack path. Throws GateError `path_refused` where any part of it is a symbolic link; parts that do not exist
 * yet are fine.
 */
export async function resolveInside(root: string, path: string): Promise<string> {
  let absolute = root
  for (const segment of pathSegments(path)) {
    absolute = join(absolute, segment)
    try {
      const stats = await lstat(absolute)
      if (stats.isSymbolicLink()) throw refuse(path, 'a part of it is a symbolic link')
      if (!stats.isFile() && !stats.isDirectory()) throw refuse(path, 'a part of it is neither a file nor a folder')
    } catch (error) {
      if (systemErrorCode(error) === 'ENOENT') return join(root, ...path.split('/'))
      throw error
    }
  }
  return absolute
}
