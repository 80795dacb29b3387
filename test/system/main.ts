// The whole gate on real containers: `npm run test:system [-- vitest arguments]`. It starts a Docker daemon of its own, for which it
// installs Debian's packages where it may, and an image made here: nothing is downloaded but those packages.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePorts } from '../fakes/free-port.ts'
import { daemonIn, has, must, startRegistry } from './daemon.ts'
import { importEngine, importHaproxy } from './image.ts'

const PACKAGES = {
  dockerd: 'docker.io',
  'docker-registry': 'docker-registry',
  haproxy: 'haproxy',
  iptables: 'iptables',
}
const AS_ROOT = 'as root'
const root = join(import.meta.dirname, '../..')
process.env['PATH'] = `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin`

const why = missing()
if (why === AS_ROOT) {
  // A daemon of its own needs root; where that takes no password it is asked for.
  const args = ['-n', '--preserve-env=PATH', process.execPath, import.meta.filename, ...process.argv.slice(2)]
  process.exitCode = spawnSync('sudo', args, { stdio: 'inherit' }).status ?? 1
} else if (why !== null) {
  process.stdout.write(`\n!!! SKIPPED: the tests on real containers did not run: ${why} !!!\n\n`)
} else {
  process.exitCode = await main()
}

/** Installs what is not there; why that cannot be done, or null. */
function missing(): string | null {
  const wanted = Object.entries(PACKAGES).filter(([program]) => !has(program))
  if (process.platform !== 'linux') return 'containers need Linux'
  if (process.getuid?.() !== 0) {
    return spawnSync('sudo', ['-n', 'true']).status === 0 ? AS_ROOT : 'a Docker daemon of their own needs root'
  }
  if (wanted.length === 0) return null
  const names = wanted.map(([, name]) => name)
  if (!has('apt-get')) return `there is no ${names.join(', ')}, and no apt-get to install it with`
  process.stdout.write(`installing ${names.join(', ')}\n`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...args: string[]) => spawnSync('apt-get', args, { env, encoding: 'utf8' })
  const install = () => apt('install', '-y', '--no-install-recommends', ...names)
  let done = install()
  if (done.status !== 0) {
    apt('update')
    done = install()
  }
  if (done.status === 0 && names.every((name) => wanted.some(([program, of]) => of === name && has(program))))
    return null
  return `apt-get cannot install ${names.join(', ')}: ${done.stderr.trim().split('\n').at(-1) ?? ''}`
}

async function main(): Promise<number> {
  const scratch = mkdtempSync(join(tmpdir(), 'gate-system-'))
  const daemon = daemonIn(join(scratch, 'docker'))
  let registry = 0
  try {
    const refusal = await daemon.start().then(
      () => null,
      (error: unknown) => String(error),
    )
    if (refusal !== null) {
      process.stdout.write(`\n!!! SKIPPED: the tests on real containers did not run: ${refusal} !!!\n\n`)
      return 0
    }
    const port = await freePorts(1)
    registry = (await startRegistry(join(scratch, 'registry'), port)).pid
    const env = {
      ...process.env,
      SYSTEM_FOLDER: scratch,
      DOCKER_HOST: daemon.host,
      SYSTEM_IMAGE: importEngine(daemon.host, scratch),
      SYSTEM_ROUTER: importHaproxy(daemon.host, scratch) ?? '',
      SYSTEM_REGISTRY: `127.0.0.1:${port}`,
    }
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    const args = [vitest, 'run', '--config', 'test/system/vitest.config.ts', ...process.argv.slice(2)]
    return spawnSync(process.execPath, args, { cwd: root, env, stdio: 'inherit' }).status ?? 1
  } finally {
    await daemon.stop()
    if (registry > 0) process.kill(-registry, 'SIGKILL')
    for (const mount of mountsBelow(scratch)) spawnSync('umount', ['--lazy', mount])
    rmSync(scratch, { recursive: true, force: true })
  }
}

function mountsBelow(folder: string): string[] {
  const table = must('cat', ['/proc/self/mounts'])
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '')
  return table.filter((target) => target.startsWith(folder)).toReversed()
}
