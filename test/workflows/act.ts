import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, request as ask } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parse, stringify } from 'yaml'

const root = join(import.meta.dirname, '../..')

/** Actions of others, as they are pinned in the examples; each stand-in copies a folder to a place of the test's own, or from it. */
const STAND_INS = {
  'actions/upload-artifact': {
    inputs: ['name', 'path'],
    run: 'mkdir -p "$ARTIFACTS/$NAME" && cp -r "$PATH_/." "$ARTIFACTS/$NAME/"',
  },
  'actions/download-artifact': {
    inputs: ['name', 'path', 'run-id', 'github-token'],
    run: 'mkdir -p "$PATH_" && cp -r "$ARTIFACTS/$NAME/." "$PATH_/"',
  },
} as const

export interface WorkflowRun {
  /** The example's file name. */
  example: string
  event: string
  payload: object | ((base: string) => object)
  /** What the default branch holds beside the workflow: file → text. */
  files: Readonly<Record<string, string>>
  /** What a commit on top of it changes. */
  changes?: Readonly<Record<string, string>>
  apiUrl: string
  /** Of git. */
  serverUrl: string
  artifacts: string
}

export interface EndedWorkflow {
  code: number | null
  log: string
  /** Each job by its name as it was shown, and how it ended. */
  jobs: Record<string, 'succeeded' | 'failed'>
}

/** One example as a whole workflow on this machine: jobs, conditions, outputs, expressions, and the built action. */
export async function runWorkflow(run: WorkflowRun): Promise<EndedWorkflow> {
  const folder = mkdtempSync(join(tmpdir(), 'workflow-'))
  const [repository, payload] = [join(folder, 'repository'), join(folder, 'event.json')]
  // The one line that act does not know yet: how many of a group may wait.
  const text = readFileSync(join(root, '.github/examples', run.example), 'utf8').replaceAll(/^ *queue: max\n/gm, '')
  write(join(repository, '.github/workflows', run.example), text)
  const git = (...args: string[]) => execFileSync('git', args, { cwd: repository, encoding: 'utf8' }).trim()
  git('init', '--quiet', '--initial-branch', 'main')
  git('remote', 'add', 'origin', 'https://github.com/acme/engine.git')
  const commit = (files: Readonly<Record<string, string>>) => {
    for (const [path, content] of Object.entries(files)) write(join(repository, path), content)
    git('add', '.')
    git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '--quiet', '-m', 'change')
    return git('rev-parse', 'HEAD')
  }
  const base = commit(run.files)
  if (run.changes) commit(run.changes)
  writeFileSync(payload, JSON.stringify(typeof run.payload === 'function' ? run.payload(base) : run.payload))
  const local = localActions(folder, text).flatMap((pair) => ['--local-repository', pair])
  const labels = ['ubuntu-latest', 'self-hosted', 'linux', 'h100'].flatMap((label) => ['-P', `${label}=-self-hosted`])
  const env = { GITHUB_API_URL: run.apiUrl, GITHUB_SERVER_URL: run.serverUrl, ARTIFACTS: run.artifacts }
  const given = Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`])
  const args = [run.event, '--eventpath', payload, '-s', 'GITHUB_TOKEN=workflow-token', ...labels, ...given, ...local]
  const child = spawn(process.env['WORKFLOWS_ACT'] ?? 'act', args, {
    cwd: repository,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let log = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => (log += part))
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  const ends = [...log.matchAll(/^\[[^\]]*\/([^\]]+?)\s*\] 🏁 {2}Job (succeeded|failed)/gm)]
  return { code, log, jobs: Object.fromEntries(ends.map(([, job = '', end = '']) => [job, end as 'failed'])) }
}

function write(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

/** `owner/name@commit=folder` for every action that a workflow uses; a checkout is act's own: it copies the repository. */
function localActions(folder: string, workflow: string): string[] {
  const used = new Set(
    [...workflow.matchAll(/uses: (\S+)@([0-9a-f]{40})/g)].map(([, name = '', commit = '']) => `${name}@${commit}`),
  )
  return [...used].flatMap((action) => {
    const name = action.split('@')[0] ?? ''
    if (name === 'actions/checkout') return []
    const place = join(folder, 'actions', name)
    mkdirSync(place, { recursive: true })
    if (name === 'your-org/capacity-gate') ownAction(place)
    else standIn(place, name)
    return [`${action}=${place}`]
  })
}

function ownAction(place: string): void {
  cpSync(join(root, 'action.yml'), join(place, 'action.yml'))
  cpSync(process.env['WORKFLOWS_DIST'] ?? join(root, 'dist'), join(place, 'dist'), { recursive: true })
}

function standIn(place: string, name: string): void {
  if (!Object.hasOwn(STAND_INS, name)) throw new Error(`there is no stand-in for ${name}`)
  const { inputs, run } = STAND_INS[name as keyof typeof STAND_INS]
  const env = { NAME: '${{ inputs.name }}', PATH_: '${{ inputs.path }}' }
  const file = {
    name,
    inputs: Object.fromEntries(inputs.map((input) => [input, { required: true }])),
    runs: { using: 'composite', steps: [{ shell: 'bash', env, run }] },
  }
  writeFileSync(join(place, 'action.yml'), stringify(file))
}

export interface Front extends AsyncDisposable {
  url: string
}

/** GitHub's API with the two answers that only the workflows' own steps ask for; all else goes to the fake that checks every request. */
export async function frontOf(behind: string, own: (path: string) => string | null): Promise<Front> {
  const server = createServer((incoming: IncomingMessage, response: ServerResponse) => {
    const answer = own(incoming.url ?? '')
    if (answer !== null) return void response.end(answer)
    const { method, headers, url = '' } = incoming
    const onward = ask(`${behind}${url}`, { method, headers: { ...headers, host: new URL(behind).host } }, (found) => {
      response.writeHead(found.statusCode ?? 500, found.headers)
      found.pipe(response)
    })
    onward.on('error', () => response.destroy())
    incoming.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The names of the artifacts that were uploaded. */
export function uploaded(artifacts: string): string[] {
  return readdirSync(artifacts).toSorted()
}

/** The embedded engine's own small manifest, from the repository's sources. */
export function parsedManifest(path: string): Record<string, unknown> {
  return parse(readFileSync(join(root, path), 'utf8')) as Record<string, unknown>
}
