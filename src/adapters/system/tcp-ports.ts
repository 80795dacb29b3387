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
