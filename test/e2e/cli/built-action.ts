import { execFileSync, spawn } from 'node:child_process'
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
}

interface Step {
  code: number | null
  outputs: Record<string, string>
  summary: string
  log: string
}

export interface BuiltAction {
  /** Runs the built action as a runner does: inputs, event and files by the environment, and nothing else in it. */
  step(inputs: Record<string, string>, event: RunnerEvent): Promise<Step>
  /** The inputs that gate a pack of this record against the accepted one. */
  gating(candidate: CapacityRecord): Record<string, string>
}

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
    gating(candidate) {
      const pack = join(folder, `pack-${(packs += 1)}`)
      mkdirSync(pack)
      writeFileSync(join(pack, 'capacity.json'), JSON.stringify(candidate))
      writeFileSync(`${pack}.accepted.json`, JSON.stringify(baseline()))
      return { command: 'gate', pack, baseline: `file:${pack}.accepted.json`, 'github-token': 'workflow-token' }
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
  writeFileSync(output, '')
  writeFileSync(summary, '')
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
  const child = spawn(process.execPath, [program], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let log = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (log += text))
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  const written = readFileSync(output, 'utf8')
  const found = [...written.matchAll(/^([\w-]+)<<(ghadelimiter_\S+)\n([^]*?)\n\2$/gm)]
  const outputs = Object.fromEntries(found.map(([, name = '', , value = '']) => [name, value]))
  return { code, outputs, summary: readFileSync(summary, 'utf8'), log }
}
