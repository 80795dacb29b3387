import { readdir, readFile, readlink } from 'node:fs/promises'
import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { systemErrorCode } from './file-errors.ts'

function canListen(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    // Only a port that is taken counts: no right to it, or no such address family, is for the engine to say.
    server.once('error', (error) => resolve(systemErrorCode(error) !== 'EADDRINUSE'))
    server.listen({ port, host, exclusive: true, ipv6Only: host === '::' }, () => server.close(() => resolve(true)))
  })
}

/** Whether nothing listens on a TCP port of this machine, on any of its addresses. */
export async function isPortFree(port: number): Promise<boolean> {
  return (await canListen(port, '0.0.0.0')) && canListen(port, '::')
}

const POLL_MS = 20

/** Waits until the ports are free; returns those that are not, at the latest after `timeoutMs`. */
export async function waitForFreePorts(ports: readonly number[], timeoutMs: number): Promise<number[]> {
  const deadlineMs = performance.now() + timeoutMs
  let taken = [...ports]
  for (;;) {
    const free = await Promise.all(taken.map(isPortFree))
    taken = taken.filter((_, index) => !free[index])
    if (taken.length === 0 || performance.now() >= deadlineMs) return taken
    await delay(POLL_MS)
  }
}

const LISTENING = '0A'

async function listeningInodes(port: number): Promise<Set<string>> {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const tables = await Promise.all(['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(() => '')))
  const rows = tables.flatMap((table) => table.split('\n').map((line) => line.trim().split(/\s+/)))
  return new Set(rows.filter((row) => row[1]?.endsWith(suffix) && row[3] === LISTENING).map((row) => row[9] ?? ''))
}

/** The pid of the process that listens on a port, where this user may see it (Linux); else null. */
export async function portHolder(port: number): Promise<number | null> {
  const inodes = await listeningInodes(port)
  if (inodes.size === 0) return null
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  for (const pid of pids) {
    const files = await readdir(`/proc/${pid}/fd`).catch(() => [])
    for (const file of files) {
      const target = await readlink(`/proc/${pid}/fd/${file}`).catch(() => '')
      if (inodes.has(/^socket:\[(\d+)\]$/.exec(target)?.[1] ?? 'none')) return Number(pid)
    }
  }
  return null
}
