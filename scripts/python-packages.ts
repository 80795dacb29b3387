// Programs and packages from PyPI for checks, installed into the user's cache by uv, so that nothing of the system's own Python is touched.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

const UV = 'uv==0.13.9'
/** What uv and pip say where no connection comes about. One that is refused for its certificate did, and is mended, not waited for. */
const UNCONNECTED = /client error \(Connect\)|NewConnectionError|ConnectTimeoutError/
const DISTRUSTED = /certificate/i

/** There is no connection to the package registry. */
export class Unreachable extends Error {}

/** Where what was fetched stays; made where it is missing. */
export function packageCache(): string {
  const home = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'capacity-gate')
  mkdirSync(home, { recursive: true })
  return home
}

/** The uv on the PATH, else one of our own in the folder, which pip fetches. */
export function uvProgram(folder: string, say: (line: string) => void): string {
  if (spawnSync('uv', ['--version']).status === 0) return 'uv'
  const own = join(folder, 'bin/uv')
  if (existsSync(own)) return own
  say(`installing ${UV} into ${folder}`)
  mkdirSync(folder, { recursive: true })
  const venv = spawnSync('python3', ['-m', 'venv', folder], { encoding: 'utf8' })
  if (venv.status !== 0) {
    aptInstall('python3-venv')
    must('python3', ['-m', 'venv', '--clear', folder])
  }
  fetched(join(folder, 'bin/pip'), ['install', '--quiet', UV])
  return own
}

export function aptInstall(name: string): void {
  const root = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...args: string[]) => {
    const [program = '', ...rest] = [...root, 'apt-get', ...args]
    return spawnSync(program, rest, { env, encoding: 'utf8' })
  }
  const install = () => apt('install', '-y', '--no-install-recommends', name)
  if (install().status === 0) return
  apt('update')
  const done = install()
  if (done.status !== 0) throw new Error(`apt-get cannot install ${name}: ${done.stderr}`)
}

/** Runs a program niced that asks the package registry, and nobody else, for what it needs. Throws Unreachable where it finds none. */
export function fetched(program: string, args: readonly string[]): void {
  try {
    must(program, args)
  } catch (error) {
    const lines = String(error).trim().split('\n')
    const line = lines.findLast((text) => UNCONNECTED.test(text))
    if (line === undefined || lines.some((text) => DISTRUSTED.test(text))) throw error
    throw new Unreachable(`${lines.find((text) => /Failed to fetch/.test(text)) ?? line}; ${lines.at(-1)}`)
  }
}

/** Runs a program niced; throws with what it said where it fails. */
export function must(program: string, args: readonly string[]): void {
  const env: NodeJS.ProcessEnv = { ...process.env }
  // Without its bytecode every start of a large package compiles all of it anew.
  delete env['PYTHONDONTWRITEBYTECODE']
  const done = spawnSync('nice', ['-n', '19', program, ...args], { env, encoding: 'utf8' })
  if (done.status !== 0) throw new Error(`${program} ${args.join(' ')} failed:\n${done.stderr}${done.stdout}`)
}
