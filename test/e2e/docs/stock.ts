import { execFileSync, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { freePorts } from '../../fakes/free-port.ts'
import { root } from '../cli/cli-process.ts'
import type { ShellEnd } from './shell-session.ts'
import { SLOWER_SUBJECT, engineFlags, quickManifestText } from './quickened.ts'
import { untilMeasured } from './until-measured.ts'

/** What a run of one kind left, and how it ended: measured once, whichever page asks first. */
export interface MeasuredRun extends ShellEnd {
  pack: string
}

/** What every page shares: the program as it is built, a clone, an engine that is up, and what was measured. */
export interface Stock extends AsyncDisposable {
  /** Stands for a clone of the product, `/opt/capacity-gate` in the pages. */
  clone: string
  environment: Record<string, string>
  manifest: string
  slowerSubject: string
  /** By their kind. */
  runs: ReadonlyMap<string, MeasuredRun>
  /** The packs that pages name without having made them. */
  pack(name: 'accepted' | 'held' | 'slower'): Promise<MeasuredRun>
  /** Runs what writes a pack into `target`, and keeps what ended as it should as the run of its kind. */
  keep(kind: string, exitCodes: readonly number[], target: string, run: () => Promise<ShellEnd>): Promise<ShellEnd>
  /** Runs the command line in a folder, to its end. */
  gate(cwd: string, ...args: string[]): { code: number; output: string }
  engineUrl(): Promise<string>
}

/** Made anew in a folder. */
export async function makeStock(folder: string): Promise<Stock> {
  const clone = join(folder, 'opt/capacity-gate')
  makeClone(clone)
  const environment = makeEnvironment(folder, clone)
  const runs = new Map<string, MeasuredRun>()
  const manifest = quickManifestText(await freePorts(1))
  writeFileSync(join(folder, 'workload-manifest.yaml'), manifest)
  writeFileSync(join(folder, 'candidate.yaml'), SLOWER_SUBJECT)
  const gate = (cwd: string, ...args: string[]) => runGate(cwd, clone, environment, args)
  let engine: { child: ChildProcess; url: string } | null = null
  const keep: Stock['keep'] = async (kind, exitCodes, target, run) => {
    const end = await untilMeasured(target, exitCodes, async () => {
      const ended = await run()
      return kind === FIRST_SWEEP && ended.code === 0 ? accepted(target, ended) : ended
    })
    if (!exitCodes.includes(end.code)) return end
    const pack = join(folder, 'packs', String(runs.size))
    cpSync(target, pack, { recursive: true })
    runs.set(kind, { pack, ...end })
    return end
  }
  // Recorded is not yet fit to be a baseline: a busy machine may blur the bracket, and `promote` then calls it invalid.
  const accepted = (pack: string, ended: ShellEnd): ShellEnd => {
    const place = `dir:${mkdtempSync(join(folder, 'accepted-'))}`
    const end = gate(folder, 'promote', '--candidate', join(pack, 'capacity.json'), '--to', place, '--yes')
    return end.code === 0 ? ended : { code: end.code, output: ended.output + end.output }
  }
  const measured = async (kind: string, name: string, code: number, ...options: string[]): Promise<MeasuredRun> => {
    const target = join(folder, name)
    const run = async () => gate(folder, 'run', 'workload-manifest.yaml', '--pack', name, ...options)
    if (!runs.has(kind)) await keep(kind, [code], target, run)
    const kept = runs.get(kind)
    if (kept === undefined) throw new Error(`no run of ${kind} ended with ${code}`)
    return kept
  }
  const baseline = async () => ['--baseline', `file:${join((await stock.pack('accepted')).pack, 'capacity.json')}`]
  const stock: Stock = {
    clone,
    environment,
    manifest,
    slowerSubject: SLOWER_SUBJECT,
    runs,
    async pack(name) {
      if (name === 'accepted')
        return measured(FIRST_SWEEP, name, 0, '--plan', 'sweep', '--on-missing-baseline', 'record')
      const options = await baseline()
      if (name === 'held') return measured(runKind({ hasBaseline: true }), name, 0, ...options)
      const kind = runKind({ hasBaseline: true, isSlower: true })
      return measured(kind, name, 2, ...options, '--subject', 'candidate.yaml')
    },
    keep,
    gate,
    async engineUrl() {
      engine ??= await startEngine(clone)
      return engine.url
    },
    async [Symbol.asyncDispose]() {
      engine?.child.kill('SIGKILL')
    },
  }
  return stock
}

/** Runs of one kind are alike: what is measured, and what it is held to. */
export function runKind(run: { plan?: string; hasBaseline?: boolean; isSlower?: boolean; cache?: string }): string {
  const { plan = 'confirm', hasBaseline = false, isSlower = false, cache = 'cold,warm' } = run
  return JSON.stringify([plan, hasBaseline, isSlower, cache])
}

/** A repository with what a user has after `git clone`: here without the sources, which only `npm run` needs. */
function makeClone(clone: string): void {
  mkdirSync(clone, { recursive: true })
  const dist = join(clone, 'dist')
  execFileSync(process.execPath, [join(root, 'scripts/build.ts'), '--into', dist], { cwd: root, stdio: 'pipe' })
  for (const name of ['package.json', 'action.yml', 'README.md']) cpSync(join(root, name), join(clone, name))
  const git = (...args: string[]) => execFileSync('git', ['-C', clone, ...args], { stdio: 'pipe' })
  git('init', '--quiet')
  git('add', '.')
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--quiet', '-m', 'A release')
}

/** A user's: a home with git set up, and the programs that the pages call. */
function makeEnvironment(folder: string, clone: string): Record<string, string> {
  const [home, bin, temporary] = [join(folder, 'home'), join(folder, 'bin'), join(folder, 'tmp')]
  for (const made of [home, bin, temporary]) mkdirSync(made, { recursive: true })
  writeFileSync(
    join(home, '.gitconfig'),
    [
      '[user]\n\tname = Ada\n\temail = ada@example.com',
      '[init]\n\tdefaultBranch = main',
      '[core]\n\tpager = cat',
      // Where the pages clone from, answered from this machine.
      `[url "file://${clone}"]\n\tinsteadOf = https://github.com/your-org/capacity-gate`,
    ].join('\n'),
  )
  const program = (name: string, file: string) =>
    writeFileSync(join(bin, name), `#!/bin/sh\nexec '${process.execPath}' '${file}' "$@"\n`, { mode: 0o755 })
  program('capacity-gate', join(clone, 'dist/cli.js'))
  program('gh', join(import.meta.dirname, 'stand-ins/gh.ts'))
  symlinkSync(process.execPath, join(bin, 'node'))
  const path = [bin, dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter)
  return { PATH: path, HOME: home, TMPDIR: temporary, LANG: 'C.UTF-8' }
}

function runGate(cwd: string, clone: string, environment: Record<string, string>, args: readonly string[]) {
  const command = [process.execPath, join(clone, 'dist/cli.js'), ...args].map((word) => `'${word}'`).join(' ')
  try {
    const output = execFileSync('sh', ['-c', `${command} 2>&1`], { cwd, env: environment, encoding: 'utf8' })
    return { code: 0, output }
  } catch (error) {
    const { status, stdout } = error as { status: number | null; stdout: string }
    if (status === null) throw error
    return { code: status, output: stdout }
  }
}

async function startEngine(clone: string): Promise<{ child: ChildProcess; url: string }> {
  const port = await freePorts(1)
  const program = join(clone, 'dist/fixture-engine.js')
  const child = spawn(process.execPath, [program, ...engineFlags(port)], { stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}`
  while (child.exitCode === null) {
    const answer = await fetch(`${url}/health`).catch(() => null)
    if (answer?.ok) return { child, url }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`the engine on ${url} did not start`)
}

/** The subject of the runs, as a sign-off names it. */
export function subjectOf({ pack }: MeasuredRun): string {
  return JSON.parse(readFileSync(join(pack, 'capacity.json'), 'utf8')).subject.sha256
}

const FIRST_SWEEP = runKind({ plan: 'sweep' })
