import { execFileSync, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import type { CapacityRecord } from '../../../src/core/capacity/record.ts'
import { baseline } from '../../unit/gate/record-fixture.ts'
import { actionFile } from '../../unit/entry/action-desk.ts'
import { root, scratch } from './cli-process.ts'

interface RunnerEvent {
  name: string
  payload: object
  repository: string
  /** The commit that the workflow runs at. */
  sha?: string
  apiUrl: string
  /** What else stands in the environment. */
  env?: Record<string, string>
  /** The workspace; the project's own root by default. */
  cwd?: string
  /** Told of the step's process, for tests that end it. */
  onChild?: (child: ChildProcess) => void
}

interface Step {
  code: number | null
  outputs: Record<string, string>
  summary: string
  log: string
  /** What the step left for its post step, as the runner hands it on. */
  state: Record<string, string>
}

export interface BuiltAction {
  /** Runs the built action as a runner does: inputs, event and files by the environment, and nothing else in it. */
  step(inputs: Record<string, string>, event: RunnerEvent): Promise<Step>
  /** The same for the post step, after a step that left this state. */
  post(inputs: Record<string, string>, event: RunnerEvent, state: Record<string, string>): Promise<Step>
  /** Where it was built. */
  dist: string
  /** The inputs that gate a pack of this record against the accepted one. */
  gating(candidate: CapacityRecord): Record<string, string>
}

/** Of the gate whose records are gated. */
const OWN_MANIFEST = 'fixtures/packs/h100-vllm/workload-manifest.yaml'

/** The action, built anew from the sources into a folder of the test file's own. */
export function builtAction(): BuiltAction {
  const folder = scratch()
  const dist = join(folder, 'dist')
  let packs = 0
  beforeAll(() => {
    execFileSync(process.execPath, [join(root, 'scripts/build.ts'), '--into', dist], { cwd: root, stdio: 'pipe' })
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return {
    step: (inputs, event) => runStep(join(dist, 'action.js'), scratch(), inputs, event),
    post(inputs, event, state) {
      const saved = Object.entries(state).map(([name, value]) => [`STATE_${name}`, value] as const)
      const env = { ...event.env, ...Object.fromEntries(saved) }
      return runStep(join(dist, 'post.js'), scratch(), inputs, { ...event, env })
    },
    dist,
    gating(candidate) {
      const pack = join(folder, `pack-${(packs += 1)}`)
      mkdirSync(pack)
      writeFileSync(join(pack, 'capacity.json'), JSON.stringify(candidate))
      writeFileSync(`${pack}.accepted.json`, JSON.stringify(baseline()))
      return {
        command: 'gate',
        manifest: OWN_MANIFEST,
        pack,
        baseline: `file:${pack}.accepted.json`,
        'github-token': 'workflow-token',
      }
    },
  }
}

async function runStep(
  program: string,
  folder: string,
  inputs: Record<string, string>,
  event: RunnerEvent,
): Promise<Step> {
  const [output, summary, payload] = [join(folder, 'output'), join(folder, 'summary'), join(folder, 'event.json')]
  const state = join(folder, 'state')
  for (const file of [output, summary, state]) writeFileSync(file, '')
  writeFileSync(payload, JSON.stringify(event.payload))
  const defaults = Object.entries(actionFile.inputs).map(([name, input]) => [name, input.default] as const)
  const given = Object.entries({ ...Object.fromEntries(defaults), ...inputs })
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    CI: 'true',
    GITHUB_ACTIONS: 'true',
    ...Object.fromEntries(given.map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value])),
    GITHUB_OUTPUT: output,
    GITHUB_STATE: state,
    GITHUB_STEP_SUMMARY: summary,
    GITHUB_EVENT_PATH: payload,
    GITHUB_EVENT_NAME: event.name,
    GITHUB_REPOSITORY: event.repository,
    GITHUB_API_URL: event.apiUrl,
    GITHUB_GRAPHQL_URL: event.apiUrl.replace(/\/v3$/, '') + '/graphql',
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_RUN_ID: '1234567890',
    GITHUB_RUN_ATTEMPT: '1',
    GITHUB_JOB: 'gate',
    GITHUB_WORKFLOW: 'Capacity',
    GITHUB_SHA: event.sha ?? 'c'.repeat(40),
    RUNNER_OS: 'Linux',
    RUNNER_TEMP: folder,
    ...event.env,
  }
  const child = spawn(process.execPath, [program], { cwd: event.cwd ?? root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  event.onChild?.(child)
  let log = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (log += text))
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  const [outputs, saved] = [written(output), written(state)]
  return { code, outputs, summary: readFileSync(summary, 'utf8'), log, state: saved }
}

/** What a step wrote into one of the runner's files, in the form with delimiters that the toolkit uses or as plain lines. */
export function written(file: string): Record<string, string> {
  const text = readFileSync(file, 'utf8')
  const long = /^([\w-]+)<<(\S+)\n(?:([^]*?)\n)?\2$/gm
  const found = [...text.matchAll(long)].map(([, name = '', , value = '']) => [name, value] as const)
  const lines = text.replaceAll(long, '').matchAll(/^([\w-]+)=(.*)$/gm)
  return Object.fromEntries([...found, ...[...lines].map(([, name = '', value = '']) => [name, value] as const)])
}
