// zizmor over the workflows, the examples and the action: `npm run audit:workflows [-- zizmor arguments]`. It comes from PyPI once and stays
// in the user's cache. It asks nobody anything: what needs GitHub's API is not looked at.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { takeLock } from '../src/adapters/system/locks.ts'
import { fetched, must, packageCache, Unreachable, uvProgram } from './python-packages.ts'

const VERSION = '1.32.0'
const root = join(import.meta.dirname, '..')
/** Named one by one: of a folder that is not a repository zizmor takes none. */
const AUDITED = [
  'action.yml',
  ...['.github/workflows', '.github/examples'].flatMap((folder) =>
    readdirSync(join(root, folder)).flatMap((name) => (name.endsWith('.yml') ? [join(folder, name)] : [])),
  ),
]
const say = (line: string): void => void process.stdout.write(`${line}\n`)

async function installZizmor(): Promise<string> {
  const home = packageCache()
  await using _ = await takeLock(join(home, 'zizmor.lock'), { what: 'the installation of zizmor', waitMs: 10 * 60_000 })
  const environment = join(home, `zizmor-${VERSION}`)
  const program = join(environment, 'bin/zizmor')
  if (existsSync(program)) return program
  const uv = uvProgram(join(home, 'uv'), say)
  say(`installing zizmor ${VERSION} into ${environment}`)
  rmSync(environment, { recursive: true, force: true })
  must(uv, ['venv', '--quiet', environment])
  const packages = join(import.meta.dirname, 'zizmor-packages.txt')
  const python = join(environment, 'bin/python')
  fetched(uv, ['pip', 'install', '--quiet', '--python', python, '--no-deps', '--require-hashes', '-r', packages])
  return program
}

function audit(program: string): number {
  const args = ['--offline', '--no-progress', '--persona=pedantic', ...process.argv.slice(2), ...AUDITED]
  return spawnSync(program, args, { cwd: root, stdio: 'inherit' }).status ?? 1
}

try {
  process.exitCode = audit(await installZizmor())
} catch (error) {
  if (!(error instanceof Unreachable)) throw error
  say(
    `\n!!! SKIPPED: zizmor did not look at the workflows: the package registry cannot be reached: ${error.message} !!!\n`,
  )
}
