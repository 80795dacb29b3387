import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../cli/cli-process.ts'
import type { Stock } from './stock.ts'

/** Options after which the name of something stands that the command makes. */
const OUTPUTS: ReadonlySet<string> = new Set(['--pack', '--out', '--to', '--capacity', '--into', '>'])

const PACKS: Readonly<Record<string, 'accepted' | 'held' | 'slower'>> = {
  accepted: 'accepted',
  pack: 'held',
  held: 'held',
  'inference-capacity-pack': 'held',
  'pack-cold': 'held',
  'pack-warm': 'held',
  'slower-pack': 'slower',
  slower: 'slower',
}

const FIXTURES: Readonly<Record<string, string>> = {
  'trace.jsonl': 'fixtures/traces/mooncake.jsonl',
  'conversation_trace.jsonl': 'fixtures/traces/mooncake.jsonl',
  'bench.json': 'fixtures/imports/vllm.json',
  'before.json': 'fixtures/imports/vllm.json',
  'after.json': 'fixtures/imports/vllm.json',
}

/** Another tool's file has its own manifest. */
const IMPORTED_MANIFEST = 'fixtures/imports/workload-manifest.yaml'

const TREES = ['src', 'scripts', 'fixtures', 'node_modules', 'package.json', 'package-lock.json', 'docs', 'bench']

/** A folder for one page: a repository with an `origin`, in which what a command reads is put before it runs. */
export interface PageFolder {
  path: string
  /** Puts there what the words name and nothing made yet. `cwd` is where the command runs. */
  provide(words: readonly string[], cwd: string): Promise<void>
}

export function pageFolder(path: string, stock: Stock): PageFolder {
  mkdirSync(join(path, 'tmp'), { recursive: true })
  const origin = join(path, 'tmp/origin.git')
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: path, env: stock.environment, encoding: 'utf8', stdio: 'pipe' })
  git('init', '--quiet', '--bare', origin)
  git('init', '--quiet')
  git('remote', 'add', 'origin', `file://${origin}`)
  git('commit', '--quiet', '--allow-empty', '-m', 'Begin')
  const required = (cwd: string, ...args: string[]) => {
    const { code, output } = stock.gate(cwd, ...args)
    if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}:\n${output}`)
  }
  const record = async (cwd: string, place: string) => {
    const { pack: accepted } = await stock.pack('accepted')
    if (place.includes('history')) return required(cwd, 'history', 'add', accepted, '--to', place)
    required(cwd, 'promote', '--candidate', join(accepted, 'capacity.json'), '--to', place, '--reason', 'a start')
  }
  const branches = new Set<string>()
  const provideBranch = async (name: string, cwd: string) => {
    if (branches.has(name) || git('ls-remote', 'origin', name) !== '') return
    branches.add(name)
    await record(cwd, `branch:${name}`)
  }
  return {
    path,
    async provide(words, cwd) {
      if (words[0] === 'npm') for (const name of TREES) provideTree(join(path, name), name)
      for (const [index, word] of words.entries()) {
        const [, scheme, name = ''] = /^(?:(branch|dir|file):)?(.*)$/.exec(word) ?? []
        const branch = words[0] === 'git' ? /\bcapacity-(?:baselines|history)\b/.exec(word)?.[0] : undefined
        if (branch !== undefined) await provideBranch(branch, cwd)
        if (OUTPUTS.has(words[index - 1] ?? '') || name === '') continue
        if (scheme === 'branch') await provideBranch(name, cwd)
        else if (scheme !== 'dir') await provideFile(name, cwd, words.includes('import'))
        else if (!existsSync(join(cwd, name))) await record(cwd, word)
      }
    },
  }

  async function provideFile(name: string, cwd: string, isImport: boolean): Promise<void> {
    const [first = ''] = name.split('/')
    const pack = PACKS[first]
    if (name.startsWith('/') || existsSync(join(cwd, first))) return
    if (pack !== undefined) cpSync((await stock.pack(pack)).pack, join(cwd, first), { recursive: true })
    else if (FIXTURES[name] !== undefined) cpSync(join(root, FIXTURES[name]), join(cwd, name))
    else if (/^(?:capacity-gate|workload-manifest)\.yaml$/.test(name)) {
      if (isImport) cpSync(join(root, IMPORTED_MANIFEST), join(cwd, name))
      else writeFileSync(join(cwd, name), stock.manifest)
    } else if (/^(?:candidate|slower)\.yaml$/.test(name)) writeFileSync(join(cwd, name), stock.slowerSubject)
    else if (name === '.capacity-gate/accepted.yaml') write(join(cwd, name), 'losses: []\n')
    else if (name === 'sign-off/sign-off.json')
      required(cwd, 'sign-off', (await stock.pack('held')).pack, '--allow-simulated')
    else if (name === 'requests.csv') cpSync(join((await stock.pack('held')).pack, name), join(cwd, name))
    else if (name === 'MODEL') write(join(cwd, name, 'config.json'), '{}\n')
  }
}

function provideTree(target: string, name: string): void {
  if (!existsSync(target)) symlinkSync(join(root, name), target)
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
