import { EXIT, GateError } from '../../core/kernel/errors.ts'
import type { ExitCode } from '../../core/kernel/errors.ts'

interface Explanation {
  code: string
  what: string
  hint: string
}

const EXPLANATIONS: Readonly<Record<string, Explanation>> = {
  ENOSPC: { code: 'disk_full', what: 'the disk is full', hint: 'free space there, or choose a folder on another disk' },
  EDQUOT: {
    code: 'disk_full',
    what: 'the disk quota is used up',
    hint: 'free space there, or choose a folder on another disk',
  },
  EROFS: { code: 'disk_read_only', what: 'the disk is read-only', hint: 'choose a folder that can be written' },
  EACCES: {
    code: 'permission_denied',
    what: 'permission denied',
    hint: 'give this user access to it, or choose another path',
  },
  EPERM: {
    code: 'permission_denied',
    what: 'permission denied',
    hint: 'give this user access to it, or choose another path',
  },
  ENOTSUP: {
    code: 'disk_read_only',
    what: 'nothing can be made in that folder',
    hint: 'choose a folder that can be written',
  },
  EISDIR: { code: 'path_is_a_folder', what: 'it is a folder, not a file', hint: 'name a file' },
  ENOTDIR: {
    code: 'path_is_not_a_folder',
    what: 'a part of the path is a file, not a folder',
    hint: 'choose another path',
  },
  ENOENT: {
    code: 'file_not_found',
    what: 'no such file or folder',
    hint: 'check the path; it is taken from the current folder',
  },
  ENAMETOOLONG: { code: 'path_too_long', what: 'the path is too long', hint: 'choose a shorter path' },
  ELOOP: {
    code: 'path_refused',
    what: 'it is a symbolic link, or one of a circle of them',
    hint: 'put the file itself there',
  },
  EMFILE: { code: 'too_many_open_files', what: 'too many open files', hint: 'raise the limit (ulimit -n)' },
  ENFILE: { code: 'too_many_open_files', what: 'too many open files', hint: 'raise the limit (ulimit -n)' },
}

/** The `code` of a system error (`ENOENT` …), or null for anything else. */
export function systemErrorCode(error: unknown): string | null {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined
  return typeof code === 'string' ? code : null
}

/**
 * A system error as a GateError that names the path, what is wrong and the mend. `doing` completes "cannot …" (`read the manifest`).
 * A GateError comes back as it is.
 */
export function fileError(error: unknown, doing: string, path: string, exitCode: ExitCode = EXIT.failed): GateError {
  if (error instanceof GateError) return error
  const code = systemErrorCode(error)
  const known = code === null ? undefined : EXPLANATIONS[code]
  const what = known?.what ?? (error instanceof Error ? error.message : String(error))
  return new GateError({
    code: known?.code ?? 'file_failed',
    message: `cannot ${doing} ${path}: ${what}`,
    hint: known?.hint ?? 'check the path and the disk',
    exitCode,
    cause: error,
  })
}

/** The refusal of a file whose size is beyond what is ever sensible, before it is read. */
export function tooLargeError(
  what: string,
  path: string,
  bytes: number | null,
  limit: number,
  exitCode: ExitCode,
): GateError {
  const size = bytes === null ? 'more' : `${bytes.toLocaleString('en-US')} bytes`
  return new GateError({
    code: 'file_too_large',
    message: `${what} ${path} is too large: ${size}, at most ${limit.toLocaleString('en-US')} are read`,
    hint: 'check that this is the file you mean',
    exitCode,
  })
}
