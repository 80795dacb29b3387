import { UPGRADE_WORKFLOW } from './workflow.generated.ts'

export interface WorkflowAnswers {
  manifestPath: string
  /** `h100`; null where the engine has no GPU. */
  gpu: string | null
  /** `OWNER/NAME@COMMIT`; null: its place is left to be filled in. */
  action: string | null
}

/** What stands in the example, for the reader to replace. */
const PLACEHOLDER = 'your-org/capacity-gate@0123456789abcdef0123456789abcdef01234567'
const MANIFEST = 'workload-manifest.yaml'

/** The example workflow for pull requests that upgrade the engine, with the answers in it. */
export function workflowText({ manifestPath, gpu, action }: WorkflowAnswers): string {
  const named = UPGRADE_WORKFLOW.replaceAll(MANIFEST, manifestPath)
    .replace('[self-hosted, linux, h100]', gpu === null ? '[self-hosted, linux]' : `[self-hosted, linux, ${gpu}]`)
    .replaceAll('capacity-h100', `capacity-${gpu ?? 'cpu'}`)
  const stated = manifestPath === MANIFEST ? named : withManifest(named, manifestPath)
  return action === null ? stated : stated.replaceAll(PLACEHOLDER, action)
}

/** Each step of the action told which manifest: its own default is another. */
function withManifest(text: string, manifestPath: string): string {
  const lines = text.split('\n')
  const told = lines.flatMap((line, index) => {
    const isOwn = line.trim() === 'with:' && (lines[index - 1] ?? '').includes(`uses: ${PLACEHOLDER}`)
    return isOwn ? [line, `${' '.repeat(line.indexOf('with:') + 2)}manifest: ${manifestPath}`] : [line]
  })
  return told.join('\n')
}

const RESERVED: ReadonlySet<string> = new Set(['.', '..', '.git'])

/** A path that is safe wherever the workflow has it: in YAML, in a shell's words, in CODEOWNERS. What is Git's own is none. */
export function isPlainPath(path: string): boolean {
  return (
    path.length <= 200 &&
    path.split('/').every((part) => /^[A-Za-z0-9_.][A-Za-z0-9_.-]*$/.test(part) && !RESERVED.has(part.toLowerCase()))
  )
}

/** `OWNER/NAME@COMMIT`, or with a folder behind NAME. */
export function isPinnedAction(text: string): boolean {
  return /^[\w.-]+\/[\w./-]+@[0-9a-f]{40}$/.test(text)
}
