import { relative, sep } from 'node:path'
import { repositoryRoot } from '../adapters/system/project-folder.ts'
import { refusedAnswer } from '../core/init/refusal.ts'
import { quoted } from '../core/record/refusal.ts'

/** What of the files matters to where they may be: the manifest's path, the workflow's, and whether CODEOWNERS is written. */
interface InitPlace {
  out: string
  workflow: string | false
  owner?: string
}

/**
 * GitHub reads workflows and CODEOWNERS at a repository's root alone: further down they would be written, and gate nothing. Throws GateError
 * `usage` (exit 64) in a folder below the root where one of them is to be written.
 */
export async function requireRoot(cwd: string, { out, workflow, owner }: InitPlace): Promise<void> {
  if (workflow === false && owner === undefined) return
  const root = await repositoryRoot(cwd)
  if (root === null || root === cwd) return
  const below = relative(root, cwd).split(sep).join('/')
  throw refusedAnswer(
    `this folder is not the root of its repository, ${quoted(root)}: GitHub reads workflows and CODEOWNERS there alone`,
    `run it there with --out ${below}/${out}, or here with --no-workflow and without --owner`,
  )
}
