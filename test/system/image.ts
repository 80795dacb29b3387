import { cpSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { spawnSync } from 'node:child_process'
import { must } from './daemon.ts'

const root = join(import.meta.dirname, '../..')

/** A program and every library that it loads, below `folder` at their own places. */
function withLibraries(folder: string, program: string, target: string): void {
  mkdirSync(dirname(join(folder, target)), { recursive: true })
  cpSync(realpathSync(program), join(folder, target))
  for (const [, path = ''] of must('ldd', [program]).matchAll(/(\/\S+) \(0x/g)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    cpSync(realpathSync(path), join(folder, path))
  }
}

/** Imports a folder as an image; returns its id. */
function importFolder(host: string, folder: string, name: string, entrypoint: readonly string[]): string {
  const archive = `${folder}.tar`
  must('tar', ['-C', folder, '-cf', archive, '.'])
  const change = `ENTRYPOINT ${JSON.stringify(entrypoint)}`
  const id = must('docker', ['--host', host, 'import', '--change', change, archive, name])
  rmSync(archive)
  rmSync(folder, { recursive: true })
  return id
}

/** The embedded engine, and the very small one of the contract's tests, with Node: no registry is asked. */
export function importEngine(host: string, scratch: string): string {
  const folder = join(scratch, 'engine-image')
  withLibraries(folder, process.execPath, '/node')
  cpSync(join(root, 'fixtures/engine'), join(folder, 'engine'), { recursive: true })
  cpSync(join(root, 'test/fakes/tiny-engine.ts'), join(folder, 'tiny-engine.ts'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  mkdirSync(join(folder, 'tmp'))
  return importFolder(host, folder, 'capacity-gate-test/engine:1', ['/node'])
}

/** Debian's HAProxy as its own image starts it; null where there is none. */
export function importHaproxy(host: string, scratch: string): string | null {
  const program = spawnSync('sh', ['-c', 'command -v haproxy || ls /usr/sbin/haproxy'], {
    encoding: 'utf8',
  }).stdout.trim()
  if (program === '') return null
  const folder = join(scratch, 'haproxy-image')
  withLibraries(folder, program, '/usr/sbin/haproxy')
  mkdirSync(join(folder, 'usr/local/etc/haproxy'), { recursive: true })
  mkdirSync(join(folder, 'etc'), { recursive: true })
  writeFileSync(join(folder, 'etc/passwd'), readFileSync('/etc/passwd'))
  return importFolder(host, folder, 'capacity-gate-test/haproxy:1', [
    '/usr/sbin/haproxy',
    '-W',
    '-db',
    '-f',
    '/usr/local/etc/haproxy/haproxy.cfg',
  ])
}
