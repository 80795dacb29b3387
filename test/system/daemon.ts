import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** What a command of the tests' own set-up said; throws where it failed. */
export function must(file: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): string {
  const { status, stdout, stderr, error } = spawnSync(file, args, {
    env,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (status !== 0) throw new Error(`${file} ${args.join(' ')}: ${error?.message ?? stderr}`)
  return stdout.trim()
}

export function has(program: string): boolean {
  return (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(join(folder, program)))
}

/** A daemon of the tests' own, with its data in a folder of its own. */
export interface Daemon {
  socket: string
  host: string
  start(): Promise<void>
  /** Ends it as a service manager does, and waits. */
  stop(signal?: NodeJS.Signals): Promise<void>
}

const START_MS = 60_000
const STOP_MS = 30_000

/** Its processes' ids stand in the folder, so that any process of the tests can end or start it. */
export function daemonIn(folder: string): Daemon {
  const socket = join(folder, 'docker.sock')
  const host = `unix://${socket}`
  const pidFile = join(folder, 'docker.pid')
  const pid = () => (existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8')) : null)
  const answers = () => spawnSync('docker', ['--host', host, 'version'], { timeout: 5000 }).status === 0
  return {
    socket,
    host,
    async start() {
      mkdirSync(folder, { recursive: true })
      const places = ['--data-root', join(folder, 'data'), '--exec-root', join(folder, 'exec'), '--pidfile', pidFile]
      // Containers are on the host's network: the daemon needs no bridge and no rules of its own.
      const network = ['--iptables=false', '--ip6tables=false', '--bridge=none']
      const log = join(folder, 'dockerd.log')
      const command = ['-c', 'exec dockerd "$@" >>"$0" 2>&1', log, '--host', host, ...places, ...network]
      spawn('sh', command, { detached: true, stdio: 'ignore' }).unref()
      for (const endMs = performance.now() + START_MS; !answers(); await delay(200)) {
        if (performance.now() > endMs)
          throw new Error(`dockerd does not start:\n${readFileSync(log, 'utf8').slice(-2000)}`)
      }
    },
    async stop(signal = 'SIGTERM') {
      const running = pid()
      if (running === null) return
      try {
        process.kill(running, signal)
      } catch {
        return
      }
      for (const endMs = performance.now() + STOP_MS; isRunning(running); await delay(50)) {
        if (performance.now() > endMs) throw new Error('dockerd does not end')
      }
    },
  }
}

/** A process that nobody has waited for yet runs no more. */
function isRunning(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** Debian's registry on a port of the loopback address, without a password. */
export async function startRegistry(folder: string, port: number): Promise<{ pid: number }> {
  mkdirSync(folder, { recursive: true })
  const config = join(folder, 'registry.yml')
  const storage = `storage: {filesystem: {rootdirectory: ${join(folder, 'registry')}}}`
  writeFileSync(config, `version: 0.1\n${storage}\nhttp: {addr: '127.0.0.1:${port}'}\n`)
  const child = spawn('docker-registry', ['serve', config], { detached: true, stdio: 'ignore' })
  child.unref()
  for (const endMs = performance.now() + 15_000; ; await delay(100)) {
    const up = await fetch(`http://127.0.0.1:${port}/v2/`).then(
      (answer) => answer.ok,
      () => false,
    )
    if (up && child.pid !== undefined) return { pid: child.pid }
    if (performance.now() > endMs) throw new Error('docker-registry does not start')
  }
}
