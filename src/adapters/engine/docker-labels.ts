import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { printableLine } from '../system/bounded-http.ts'
import { signalQuietly } from '../system/process-group.ts'
import { commandLineOf, isAlive, listProcesses, ownIdentity, pidSpace } from '../system/process-table.ts'
import { accepted, isDockerGone } from './docker-program.ts'
import type { Docker } from './docker-program.ts'

/** On every container that is started: of which deployment, and by which process. */
const DEPLOY_LABEL = 'capacity-gate.deploy'
const OWNER_LABEL = 'capacity-gate.owner'
/** One deployment of one run. */
const TOKEN_LABEL = 'capacity-gate.token'

/** What the name of every container that is started begins with. */
export const NAME_PREFIX = 'capacity-gate-'

export interface DeploymentLabels {
  labels: Readonly<Record<string, string>>
  /** `NAME=VALUE`: all containers of the deployment, and no other. */
  own: string
  /** `NAME=VALUE`: all containers of the run. */
  owner: string
}

/** Labels that tell a deployment's containers and the run that owns them. */
export async function deploymentLabels(deployId: string): Promise<DeploymentLabels> {
  const { pid, started } = await ownIdentity()
  const { boot, container } = pidSpace()
  const token = randomUUID()
  const owner = [pid, started, boot, container].join('|')
  return {
    labels: { [DEPLOY_LABEL]: deployId, [OWNER_LABEL]: owner, [TOKEN_LABEL]: token },
    own: `${TOKEN_LABEL}=${token}`,
    owner: `${OWNER_LABEL}=${owner}`,
  }
}

const rowSchema = z.tuple([z.string(), z.string(), z.string(), z.string()])
const LIST_MS = 10_000
const REMOVE_MS = 30_000

/** Ids of the containers that carry a label, running or not. */
export async function containersWith(docker: Docker, label: string): Promise<string[]> {
  const args = ['ps', '--all', '--quiet', '--no-trunc', '--filter', `label=${label}`]
  const listed = accepted(await docker.call(args, { deadlineMs: LIST_MS }), 'list containers')
  return listed.split('\n').filter((id) => id !== '')
}

/** Ends and removes containers with the volumes that are theirs alone. One that is gone, or that somebody removes already, is no error. */
export async function removeContainers(docker: Docker, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const answer = await docker.call(['rm', '--force', '--volumes', '--', ...ids], { deadlineMs: REMOVE_MS })
  if (answer.ok || /^(?:.*(?:no such container|is already in progress).*\s*)+$/i.test(answer.stderr)) return
  accepted(answer, 'remove containers')
}

/**
 * Removes containers whose owner is gone; says which. What a living run owns, or one that cannot be looked at from here (in another
 * container), stays. Without Docker there is nothing to remove.
 */
export async function removeContainerLeftovers(docker: Docker): Promise<string[]> {
  await endFollowers()
  // As JSON: an image may carry labels of these names, with whatever in them; a name it cannot give.
  const template = `{{json .ID}}\\t{{json (.Label "${DEPLOY_LABEL}")}}\\t{{json (.Label "${OWNER_LABEL}")}}\\t{{json .Names}}`
  const args = ['ps', '--all', '--no-trunc', '--filter', `label=${OWNER_LABEL}`, '--format', template]
  const answer = await docker.call(args, { deadlineMs: LIST_MS })
  if (isDockerGone(answer)) return []
  const said: string[] = []
  for (const line of accepted(answer, 'list containers').split('\n')) {
    const labelled = line === '' ? null : rowSchema.parse(line.split('\t').map((field) => JSON.parse(field) as unknown))
    if (labelled === null) continue
    const [id, deployId, owner, name] = labelled
    if (!name.startsWith(NAME_PREFIX) || !(await isOrphaned(owner))) continue
    await removeContainers(docker, [id])
    const whose = `run ${owner.split('|', 1)[0]} left of deployment ${printableLine(deployId, 100)}`
    said.push(`removed what ${whose}: container ${id.slice(0, 12)}`)
  }
  return said
}

/** A program that follows the daemon's events for a run does not notice that nobody reads it any more, while none comes. */
async function endFollowers(): Promise<void> {
  const sign = `label=${OWNER_LABEL}=`
  for (const { pid } of await listProcesses()) {
    const [program, verb, ...rest] = commandLineOf(pid) ?? []
    if (program !== 'docker' || verb !== 'events') continue
    const owner = rest.find((arg) => arg.startsWith(sign))?.slice(sign.length)
    if (owner !== undefined && (await isOrphaned(owner))) signalQuietly(pid, 'SIGKILL')
  }
}

async function isOrphaned(owner: string): Promise<boolean> {
  const [pid, started, boot, container] = owner.split('|')
  const here = pidSpace()
  // An owner that no run wrote: not ours.
  if (!pid || !/^[1-9]\d*$/.test(pid) || !started) return false
  if (boot !== here.boot) return true
  return container === here.container && !(await isAlive({ pid: Number(pid), started }))
}
