import { readdirSync } from 'node:fs'
import type { DeployOrder } from '../../src/app/ports/engine.ts'
import { commandLineOf } from '../../src/adapters/system/process-table.ts'
import { isPortFree } from '../../src/adapters/system/tcp-ports.ts'
import { FIXTURE } from '../../src/core/dialect/fixture-table.ts'
import { freePorts } from '../fakes/free-port.ts'
import { processManifest } from '../fakes/manifest.ts'
import { must } from './daemon.ts'

/** The environment that `main.ts` makes. */
export function system(name: 'FOLDER' | 'IMAGE' | 'ROUTER' | 'REGISTRY'): string {
  const value = process.env[`SYSTEM_${name}`]
  if (value === undefined) throw new Error('start these tests with npm run test:system')
  return value
}

interface Inspected {
  Id: string
  Args: string[]
  HostConfig: Record<string, unknown> & { Ulimits: { Name: string; Soft: number }[] }
  Config: { Env: string[]; Labels: Record<string, string> }
  Mounts: { Source: string; Destination: string; RW: boolean }[]
}

export interface TinyOrder {
  order: DeployOrder
  firstPort: number
  printed: string[]
  /** The deployment's containers, as the daemon tells. */
  inspect(): [Inspected, ...Inspected[]]
}

let orders = 0

/** An order for containers of the very small engine. */
export async function tinyOrder(options: {
  replicas?: number
  flags?: readonly string[]
  deploy?: Record<string, unknown>
  model?: Record<string, unknown>
}): Promise<TinyOrder> {
  orders += 1
  const deployId = `system-${process.pid}-${orders}`
  const { replicas = 1, flags = [], deploy = {}, model = {} } = options
  const firstPort = await freePorts(replicas + 2)
  const args = ['/tiny-engine.ts', '--port', '{port}', ...flags]
  const container = { kind: 'docker', image: system('IMAGE'), args, first_port: firstPort, ...deploy }
  const engine = { deploy: { ready_timeout_seconds: 20, stop_timeout_seconds: 2, ...container } }
  const printed: string[] = []
  return {
    firstPort,
    printed,
    order: {
      manifest: processManifest({ replicas, model, engine }),
      dialect: FIXTURE,
      deployId,
      log: { write: (chunk) => printed.push(chunk) },
    },
    inspect() {
      const ids = must('docker', ['ps', '-aq', '--filter', `label=capacity-gate.deploy=${deployId}`]).split('\n')
      return JSON.parse(must('docker', ['inspect', ...ids])) as [Inspected, ...Inspected[]]
    },
  }
}

/** The programs that a run follows its containers with. */
function dockerClients(): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    const args = /^\d+$/.test(pid) ? (commandLineOf(Number(pid)) ?? []) : []
    return args[0] === 'docker' && args.some((arg) => arg.startsWith('label=capacity-gate.token='))
      ? [`process ${pid} ${args.slice(0, 2).join(' ')}`]
      : []
  })
}

/** What of ours still runs, listens or is mounted: one line for each. */
export async function nothingLeft(ports: readonly number[]): Promise<string[]> {
  const containers = must('docker', ['ps', '--all', '--filter', 'label=capacity-gate.owner', '--format', '{{.Names}}'])
  const listening = (await Promise.all(ports.map(isPortFree))).flatMap((free, index) =>
    free ? [] : [`port ${ports[index]}`],
  )
  const mounts = must('cat', ['/proc/self/mounts']).split('\n')
  return [
    ...containers
      .split('\n')
      .filter((name) => name !== '')
      .map((name) => `container ${name}`),
    ...listening,
    ...dockerClients(),
    ...mounts
      .filter((line) => line.startsWith('overlay') && line.includes(system('FOLDER')))
      .map((line) => `mount ${line}`),
  ]
}
