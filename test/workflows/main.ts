// Example workflows from end to end, as `act` runs them on this machine: `npm run test:workflows [-- vitest arguments]`. act is a Go program: it is
// built once into the user's cache.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packageCache } from '../../scripts/python-packages.ts'
import { takeLock } from '../../src/adapters/system/locks.ts'

const VERSION = 'v0.2.89'
const BUILDING_MS = 30 * 60_000
const root = join(import.meta.dirname, '../..')

const program = await actProgram()
if (typeof program !== 'string') {
  process.stdout.write(`\n!!! SKIPPED: no workflow was run as a whole: ${program.missing} !!!\n\n`)
} else {
  process.exitCode = main(program)
}

async function actProgram(): Promise<string | { missing: string }> {
  const folder = join(packageCache(), `act-${VERSION}`)
  const built = join(folder, 'act')
  await using _ = await takeLock(`${folder}.lock`, { what: 'the building of act', waitMs: BUILDING_MS })
  if (existsSync(built)) return built
  if (spawnSync('go', ['version']).status !== 0) return { missing: 'there is no Go to build act with' }
  process.stdout.write(`building act ${VERSION} into ${folder}\n`)
  const env = { ...process.env, GOBIN: folder }
  const go = spawnSync('go', ['install', `github.com/nektos/act@${VERSION}`], { env, encoding: 'utf8' })
  if (go.status === 0) return built
  const isAway = /dial tcp|no such host|connection refused|i\/o timeout|TLS handshake/.test(go.stderr)
  if (isAway) return { missing: 'the Go module proxy cannot be reached' }
  throw new Error(`act was not built: ${go.stderr}`)
}

function main(act: string): number {
  const scratch = mkdtempSync(join(tmpdir(), 'gate-workflows-'))
  try {
    const dist = join(scratch, 'dist')
    execFileSync(process.execPath, [join(root, 'scripts/build.ts'), '--into', dist], { cwd: root, stdio: 'inherit' })
    const env = { ...process.env, WORKFLOWS_ACT: act, WORKFLOWS_DIST: dist }
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    const args = [vitest, 'run', '--config', 'test/workflows/vitest.config.ts', ...process.argv.slice(2)]
    return spawnSync(process.execPath, args, { cwd: root, env, stdio: 'inherit' }).status ?? 1
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}
