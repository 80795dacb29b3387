import { EXIT, GateError } from '../core/kernel/errors.ts'
import { NO_OWNER, OWNERS_FILES, ownerLines, withOwnerLines } from '../core/init/owners.ts'
import { refusedAnswer } from '../core/init/refusal.ts'
import type { ProjectFolder } from './ports/project-folder.ts'

interface NewFile {
  path: string
  text: string
}

export interface InitOrder {
  files: readonly NewFile[]
  /** Whose review guards the manifest; null: the lines are told and not written. `null` for files that need none. */
  owners: { manifestPath: string; owner: string | null } | null
  /** Replace what stands in the place of a file. */
  force: boolean
}

type Done = 'written' | 'replaced' | 'unchanged' | 'appended'

export interface InitResult {
  files: { path: string; done: Done }[]
  /** What CODEOWNERS has now, or is to have; empty where nothing is guarded. */
  ownerLines: readonly string[]
  /** Whether they stand in it. */
  ownersWritten: boolean
}

interface Step extends NewFile {
  done: Done
}

/**
 * Writes a project's first files. All are looked at before one is written: a file of other content in a place of theirs ends it, GateError
 * `files_exist` (exit 4), unless it is to be replaced. CODEOWNERS is only ever added to, once. Two files in one place are refused:
 * GateError `usage` (exit 64).
 */
export async function init(folder: ProjectFolder, { files, owners, force }: InitOrder): Promise<InitResult> {
  requireApart([...files.map(({ path }) => path), ...(owners === null ? [] : OWNERS_FILES)])
  const steps: Step[] = []
  const inTheWay: string[] = []
  for (const file of files) {
    const standing = await folder.look(file.path)
    if (standing.kind === 'file' && standing.text === file.text) steps.push({ ...file, done: 'unchanged' })
    else if (standing.kind === 'nothing') steps.push({ ...file, done: 'written' })
    else if (standing.kind === 'file' && force) steps.push({ ...file, done: 'replaced' })
    else inTheWay.push(standing.kind === 'other' ? `${file.path} (${standing.what})` : file.path)
  }
  if (inTheWay.length > 0) throw exists(inTheWay, force)
  const guarded = owners === null ? null : await ownersStep(folder, owners)
  if (guarded?.step) steps.push(guarded.step)
  await writeAll(folder, steps)
  return {
    files: steps.map(({ path, done }) => ({ path, done })),
    ownerLines: guarded?.lines ?? [],
    ownersWritten: guarded !== null && guarded.step !== null,
  }
}

/** The second would replace the first, or need a folder in its place. Many a disk takes upper and lower case for the same. */
function requireApart(paths: readonly string[]): void {
  for (const [index, path] of paths.entries()) {
    const other = paths.slice(0, index).find((earlier) => isWithin(path, earlier) || isWithin(earlier, path))
    if (other === undefined) continue
    throw refusedAnswer(
      `two files cannot be in one place: ${other} and ${path}`,
      'name another place by --out or --workflow',
    )
  }
}

function isWithin(path: string, other: string): boolean {
  return `${path}/`.toLowerCase().startsWith(`${other}/`.toLowerCase())
}

async function ownersStep(
  folder: ProjectFolder,
  { manifestPath, owner }: NonNullable<InitOrder['owners']>,
): Promise<{ lines: string[]; step: Step | null }> {
  const [usual] = OWNERS_FILES
  let [path, before]: [string, string | null] = [usual, null]
  for (const candidate of OWNERS_FILES) {
    const standing = await folder.look(candidate)
    if (standing.kind === 'nothing') continue
    if (standing.kind === 'other' && owner !== null) throw exists([`${candidate} (${standing.what})`], true)
    ;[path, before] = [candidate, standing.kind === 'file' ? standing.text : null]
    break
  }
  const lines = ownerLines(manifestPath, path, owner ?? NO_OWNER)
  if (owner === null) return { lines, step: null }
  const text = withOwnerLines(before, lines)
  if (text === null) return { lines, step: { path, text: before ?? '', done: 'unchanged' } }
  return { lines, step: { path, text, done: before === null ? 'written' : 'appended' } }
}

/** What was written before a failure is named: it stays. */
async function writeAll(folder: ProjectFolder, steps: readonly Step[]): Promise<void> {
  const written: string[] = []
  for (const { path, text, done } of steps) {
    if (done === 'unchanged') continue
    try {
      await folder.write(path, text)
    } catch (error) {
      if (!(error instanceof GateError) || written.length === 0) throw error
      const { code, message, hint, exitCode } = error
      throw new GateError({
        code,
        message: `${message}; written before it: ${written.join(', ')}`,
        hint,
        exitCode,
        cause: error,
      })
    }
    written.push(path)
  }
}

function exists(paths: readonly string[], force: boolean): GateError {
  return new GateError({
    code: 'files_exist',
    message: `nothing was written: there already ${paths.length === 1 ? 'is' : 'are'} ${paths.join(', ')}`,
    hint: force ? 'remove it: only a regular file is replaced' : 'name another file by --out, or replace it by --force',
    exitCode: EXIT.invalid,
  })
}
