import { readdir, readFile } from 'node:fs/promises'
import { availableParallelism, cpus } from 'node:os'
import type { ClientHost } from '../../app/ports/client-host.ts'
import type { ClientFacts } from '../../core/telemetry/client-host.ts'
import { portListeners } from '../system/port-listeners.ts'
import { isPortFree } from '../system/tcp-ports.ts'

/** `engine.deploy.first_port` where a manifest leaves it out. */
const USUAL_PORT = 8000
const CLOCK_SOURCE = 'devices/system/clocksource/clocksource0/current_clocksource'

/** This process on this machine. `proc` and `sys`: where Linux shows what it tells. */
export function systemClientHost(proc = '/proc', sys = '/sys', usualPort = USUAL_PORT): ClientHost {
  return {
    async look(): Promise<ClientFacts> {
      const clock = (await text(`${sys}/${CLOCK_SOURCE}`))?.trim() ?? ''
      const processors = cpus().length
      return {
        node: process.versions.node,
        cpus: availableParallelism(),
        logicalCpus: Math.max(processors, availableParallelism()),
        descriptors: await descriptorsOf(proc),
        clockSource: /^[\w-]{1,40}$/.test(clock) ? clock : null,
        localPorts: await localPorts(proc),
        usualPort: { port: usualPort, taken: await holderOf(usualPort) },
      }
    },
  }
}

function text(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch(() => null)
}

/** Node has raised the soft limit to the hard one by now. */
async function descriptorsOf(proc: string): Promise<ClientFacts['descriptors']> {
  const soft = /^Max open files\s+(\d+|unlimited)/m.exec((await text(`${proc}/self/limits`)) ?? '')?.[1]
  const open = await readdir(`${proc}/self/fd`).catch(() => null)
  if (soft === undefined || open === null) return null
  return { limit: soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft), open: open.length }
}

async function localPorts(proc: string): Promise<number | null> {
  const range = /^(\d+)\s+(\d+)$/.exec(((await text(`${proc}/sys/net/ipv4/ip_local_port_range`)) ?? '').trim())
  if (range === null) return null
  return Math.max(0, Number(range[2]) - Number(range[1]) + 1)
}

async function holderOf(port: number): Promise<string | null> {
  if (await isPortFree(port)) return null
  const pid = (await portListeners(port).catch(() => null))?.flat()[0]
  return pid === undefined ? 'by a process that this user may not see' : `by process ${pid}`
}
