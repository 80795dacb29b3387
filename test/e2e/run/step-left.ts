import type { ChildProcess } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { commandLineOf, listProcesses } from '../../../src/adapters/system/process-table.ts'
import { isPortFree } from '../../../src/adapters/system/tcp-ports.ts'
import { fakeGithub } from '../../fakes/github-api.ts'
import type { FakeGithub } from '../../fakes/github-api.ts'
import type { BuiltAction } from '../cli/built-action.ts'
import { scratch } from '../cli/cli-process.ts'
import { quickManifest } from './quick-manifest.ts'
import type { QuickOptions } from './quick-manifest.ts'

const HEAD = 'a'.repeat(40)
const payload = {
  pull_request: {
    number: 7,
    head: { sha: HEAD, repo: { full_name: 'acme/engine' } },
    base: { sha: 'b'.repeat(40) },
  },
  repository: { id: 1 },
}

type Step = Awaited<ReturnType<BuiltAction['step']>>

/** A step that measures the embedded engine for a pull request, with a machine of its own as far as runs know of each other. */
export interface MeasuringStep extends AsyncDisposable {
  pack: string
  port: number
  /** Its folder for temporary files. */
  temporary: string
  github: FakeGithub
  /** Resolves once the step's process stands. */
  child: Promise<ChildProcess>
  ended: Promise<Step>
  /** Resolves once its first point has begun. Throws where it ends before. */
  underLoad(): Promise<void>
  /** The step's own post step, as the runner starts it. */
  post(state: Record<string, string>): Promise<Step>
  /** Whatever of it still stands on this machine: processes, ports, locks, temporary files; empty after a clean-up. */
  left(): Promise<string[]>
}

/** `keptFrom` is a folder for temporary files with a calibration to be used again. */
export async function measuringStep(
  action: BuiltAction,
  options: QuickOptions = {},
  keptFrom: string | null = null,
): Promise<MeasuringStep> {
  const folder = scratch()
  const temporary = join(folder, 'tmp')
  mkdirSync(temporary)
  if (keptFrom !== null) cpSync(keptFrom, temporary, { recursive: true })
  const { path, port } = await quickManifest(folder, options)
  const pack = join(folder, 'pack')
  const github = await fakeGithub()
  github.pulls.push({ number: 7, state: 'open', sha: HEAD, head: 'acme:bump' })
  const inputs = { manifest: path, pack, plan: 'sweep', cache: 'cold', 'on-missing-baseline': 'record' }
  const given = { ...inputs, baseline: `dir:${join(folder, 'store')}`, 'github-token': 'workflow-token' }
  const place = {
    name: 'pull_request',
    payload,
    repository: 'acme/engine',
    apiUrl: github.url,
    env: { TMPDIR: temporary },
  }
  let tell: (child: ChildProcess) => void = () => {}
  const child = new Promise<ChildProcess>((resolve) => (tell = resolve))
  const ended = action.step(given, { ...place, onChild: tell })
  return {
    pack,
    port,
    temporary,
    github,
    child,
    ended,
    underLoad: async () => {
      let over: Step | null = null
      void ended.then((step) => (over = step))
      while (filesIn(join(pack, 'points')).length === 0) {
        if (over !== null) throw new Error(`it ended before its first point:\n${(over as Step).log}`)
        await delay(100)
      }
    },
    post: (state) => action.post(given, place, state),
    left: async () => [
      ...(await enginesAt(port)),
      ...((await isPortFree(port)) ? [] : [`port ${port} is in use`]),
      ...filesIn(temporary).filter((file) => /lock|deploy-|cg-tmp|capacity-gate-(?:git|router)/.test(file)),
      ...filesIn(pack).filter((file) => file.includes('.cg-tmp')),
    ],
    async [Symbol.asyncDispose]() {
      await github[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The processes that an engine of this port is made of. */
async function enginesAt(port: number): Promise<string[]> {
  const rows = await listProcesses()
  const lines = rows.map(({ pid }) => commandLineOf(pid)?.join(' ') ?? '')
  return lines.filter((line) => line.includes(`main.ts --port ${port} `))
}

function filesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder, { recursive: true }).map(String) : []
}
