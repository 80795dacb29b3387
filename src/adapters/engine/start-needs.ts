import { constants } from 'node:fs'
import { access, readdir } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import type { NeedAnswer, StartNeed } from '../../app/ports/start-need.ts'
import type { Manifest } from '../../core/manifest/schema.ts'
import { printableLine } from '../system/bounded-http.ts'
import { isPortFree } from '../system/tcp-ports.ts'
import type { Docker } from './docker-program.ts'
import { lastLine } from './docker-program.ts'
import { portTaken } from './port-taken.ts'

export interface NeedsOrder {
  manifest: Manifest
  /** Each that a server or a router would listen on. */
  ports: readonly number[]
  docker: Docker
  /** Where programs are looked for. */
  path: string
}

const DEADLINE_MS = 10_000

/** What a manifest's deployment needs of this machine. Nothing is pulled, started or written. None for an endpoint. */
export function startNeeds({ manifest, ports, docker, path }: NeedsOrder): StartNeed[] {
  const { deploy } = manifest.engine
  if (deploy === undefined || deploy.kind === 'endpoint') return []
  const listen: StartNeed = { probe: 'ports', look: () => freePorts(ports) }
  if (deploy.kind === 'process') {
    return [{ probe: 'program', look: () => programThere(deploy.argv[0] ?? '', path) }, listen]
  }
  const { weights } = deploy
  return [
    { probe: 'docker', look: (signal) => daemonAnswers(docker, signal) },
    { probe: 'image', look: (signal) => imageThere(docker, deploy.image, signal) },
    ...(weights === undefined ? [] : [{ probe: 'weights', look: () => folderThere(weights) } as const]),
    listen,
  ]
}

async function freePorts(ports: readonly number[]): Promise<NeedAnswer> {
  for (const port of ports) {
    if (!(await isPortFree(port))) return { fail: (await portTaken(port, 'port_in_use', 'is taken')).message }
  }
  const [first, last] = [ports[0], ports.at(-1)]
  return { pass: first === last ? `port ${first} is free` : `ports ${first} to ${last} are free` }
}

async function programThere(program: string, path: string): Promise<NeedAnswer> {
  if (program === '{node}') return { pass: 'our own Node' }
  const candidates = program.includes('/')
    ? [program]
    : path.split(delimiter).flatMap((folder) => (folder === '' ? [] : [join(folder, program)]))
  for (const candidate of candidates) {
    if (await access(candidate, constants.X_OK).then(is, isNot)) return { pass: candidate }
  }
  return { fail: `there is no program ${printableLine(program, 200)}` }
}

async function folderThere(folder: string): Promise<NeedAnswer> {
  const names = await readdir(folder).catch((error: unknown) => (error instanceof Error ? error.message : 'unreadable'))
  if (typeof names === 'string') return { fail: printableLine(names, 200) }
  const shown = printableLine(folder, 200)
  return names.length === 0 ? { fail: `${shown} is empty` } : { pass: `${shown} is there; a run checks its digests` }
}

async function daemonAnswers(docker: Docker, signal: AbortSignal): Promise<NeedAnswer> {
  const answer = await docker.call(['version', '--format', '{{.Server.Version}}'], { deadlineMs: DEADLINE_MS, signal })
  return answer.ok ? { pass: `Docker ${printableLine(answer.stdout, 50)}` } : { fail: lastLine(answer) }
}

async function imageThere(docker: Docker, image: string, signal: AbortSignal): Promise<NeedAnswer> {
  const asked = ['image', 'inspect', '--format', '{{.Id}}', '--', image]
  const answer = await docker.call(asked, { deadlineMs: DEADLINE_MS, signal })
  if (answer.ok) return { pass: `${image} is here` }
  return { unknown: `${image} is not here: a run pulls it before it claims the machine` }
}

const is = (): boolean => true
const isNot = (): boolean => false
