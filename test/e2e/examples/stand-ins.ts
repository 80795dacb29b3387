import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'

/** A step of somebody else's action, as it would be started. */
interface ForeignStep {
  inputs: Readonly<Record<string, string>>
  workspace: string
  /** The commit that the workflow runs at. */
  sha: string
  /** The bare repository on disk. */
  repository: string
  artifacts: Artifacts
  runId: string
}

/** What was uploaded, by run and name; artifacts cannot be written twice. */
export class Artifacts {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Throws for what the real one refuses: a name that is taken or cannot be one, nothing to upload. */
  upload(runId: string, name: string, paths: readonly string[]): void {
    if (!/^[^"<>|*?\r\n:/\\]{1,256}$/.test(name)) throw new Error(`${name} cannot be an artifact's name`)
    const place = this.#place(runId, name)
    if (existsSync(place)) throw new Error(`the artifact ${name} is there already`)
    const found = paths.filter((path) => existsSync(path))
    if (found.length === 0) throw new Error(`no file was found at ${paths.join(', ')}`)
    mkdirSync(place, { recursive: true })
    // As the real one: one folder's content is the artifact; of several that were asked for, each lies in a folder of its name.
    for (const path of found) {
      const to = paths.length === 1 && isFolder(path) ? place : join(place, basename(path))
      cpSync(path, to, { recursive: true, filter: (file) => !/\/\.[^/]+$/.test(file.slice(path.length)) })
    }
  }

  names(runId: string): string[] {
    const place = join(this.#folder, runId)
    return existsSync(place) ? readdirSync(place).toSorted() : []
  }

  copy(runId: string, name: string, to: string): void {
    const place = this.#place(runId, name)
    if (!existsSync(place))
      throw new Error(`run ${runId} has no artifact ${name}; it has ${this.names(runId).join(', ')}`)
    cpSync(place, to, { recursive: true })
  }

  #place(runId: string, name: string): string {
    return join(this.#folder, runId, name)
  }
}

function isFolder(path: string): boolean {
  return existsSync(join(path, '.'))
}

type StandIn = (step: ForeignStep) => Record<string, string>

/** What stands in for each action of others that the examples use; one that is not here fails its example. */
export const STAND_INS: Readonly<Record<string, StandIn>> = {
  'actions/checkout': checkout,
  'actions/upload-artifact': upload,
  'actions/download-artifact': download,
  'actions/attest': attest,
}

function git(folder: string, ...args: string[]): string {
  return execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8', stdio: 'pipe' }).trim()
}

/** Fetches the one commit, or with `fetch-depth: 0` what leads to it, as the real one does. */
function checkout({ inputs, workspace, sha, repository }: ForeignStep): Record<string, string> {
  const known = new Set(['persist-credentials', 'fetch-depth', 'ref', 'path', 'repository', 'token', 'sparse-checkout'])
  refuseUnknown(inputs, known)
  if (inputs['persist-credentials'] !== 'false') throw new Error('the checkout keeps its login in the workspace')
  const folder = join(workspace, inputs['path'] ?? '.')
  mkdirSync(folder, { recursive: true })
  git(folder, 'init', '--quiet')
  const depth = inputs['fetch-depth'] === '0' ? [] : ['--depth=1']
  git(folder, 'fetch', '--quiet', ...depth, `file://${repository}`, inputs['ref'] || sha)
  git(folder, 'checkout', '--quiet', '--force', 'FETCH_HEAD')
  return { ref: inputs['ref'] ?? '', commit: git(folder, 'rev-parse', 'HEAD') }
}

function upload({ inputs, workspace, artifacts, runId }: ForeignStep): Record<string, string> {
  refuseUnknown(
    inputs,
    new Set(['name', 'path', 'if-no-files-found', 'retention-days', 'include-hidden-files', 'compression-level']),
  )
  const paths = lines(inputs['path']).map((path) => resolve(workspace, path))
  if (inputs['if-no-files-found'] !== 'error' && !paths.some((path) => existsSync(path))) return {}
  artifacts.upload(runId, inputs['name'] ?? 'artifact', paths)
  return { 'artifact-id': '1' }
}

/** By name into `path`, or all that fit a pattern, each into a folder of its name. */
function download({ inputs, workspace, artifacts, runId: own }: ForeignStep): Record<string, string> {
  refuseUnknown(inputs, new Set(['name', 'pattern', 'path', 'run-id', 'github-token', 'repository', 'merge-multiple']))
  const runId = inputs['run-id'] || own
  if (runId !== own && !inputs['github-token']) throw new Error('an artifact of another run needs github-token')
  const to = resolve(workspace, inputs['path'] ?? '.')
  mkdirSync(to, { recursive: true })
  if (inputs['name']) {
    artifacts.copy(runId, inputs['name'], to)
    return { 'download-path': to }
  }
  const pattern = new RegExp(
    `^${(inputs['pattern'] ?? '*').replaceAll(/[.+^$()|[\]\\]/g, String.raw`\$&`).replaceAll('*', '.*')}$`,
  )
  for (const name of artifacts.names(runId).filter((one) => pattern.test(one)))
    artifacts.copy(runId, name, inputs['merge-multiple'] === 'true' ? to : join(to, name))
  return { 'download-path': to }
}

/** What the real one asks of its inputs: one subject, and a predicate of a type. */
function attest({ inputs, workspace }: ForeignStep): Record<string, string> {
  const known = [
    'subject-path',
    'subject-digest',
    'subject-name',
    'subject-checksums',
    'predicate-type',
    'predicate',
    'predicate-path',
  ]
  refuseUnknown(inputs, new Set([...known, 'push-to-registry', 'show-summary', 'github-token']))
  if (inputs['subject-path']) {
    if (!existsSync(join(workspace, inputs['subject-path']))) throw new Error('subject-path leads nowhere')
  } else if (!/^sha256:[0-9a-f]{64}$/.test(inputs['subject-digest'] ?? '') || !inputs['subject-name']) {
    throw new Error(`no subject: ${inputs['subject-name']} ${inputs['subject-digest']}`)
  }
  if (!(inputs['predicate-type'] ?? '').startsWith('https://')) throw new Error('predicate-type is no address')
  JSON.parse(inputs['predicate'] || readFileSync(join(workspace, inputs['predicate-path'] ?? ''), 'utf8'))
  return { 'attestation-id': '1' }
}

function refuseUnknown(inputs: ForeignStep['inputs'], known: ReadonlySet<string>): void {
  const unknown = Object.keys(inputs).filter((name) => !known.has(name))
  if (unknown.length > 0) throw new Error(`there is no stand-in for the inputs ${unknown.join(', ')}`)
}

function lines(text = ''): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
