import { rm } from 'node:fs/promises'
import { familyMembers, stopFamily } from '../system/process-family.ts'
import type { Family } from '../system/process-family.ts'
import { environmentOf, isAlive, listProcesses, pidSpace } from '../system/process-table.ts'
import type { ProcessIdentity, ProcessRow } from '../system/process-table.ts'
import { waitForFreePorts } from '../system/tcp-ports.ts'
import { registeredDeployments } from './live-registry.ts'
import type { RegistryEntry } from './live-registry.ts'

/** In the environment of every process that is deployed: of which deployment, and started by which process. */
export const DEPLOY_MARK = 'CAPACITY_GATE_DEPLOY'
export const OWNER_MARK = 'CAPACITY_GATE_OWNER'

/**
 * The value of OWNER_MARK: pid, start time and container, so that another process with the same pid is not taken for it, and where its
 * state folder lies, since runs with another one look after their own.
 */
export function ownerMark(owner: ProcessIdentity, stateParent: string | undefined): string {
  return [owner.pid, owner.started, pidSpace().container, stateParent ?? ''].join('|')
}

const GRACE_MS = 1000
const PORTS_MS = 3000

/**
 * Stops and removes what killed runs left behind: deployments written down whose owner is gone, and processes that carry the mark of an
 * owner that is gone. What a living run owns is never touched. Returns one line for each removal.
 */
export async function removeLeftovers(parent?: string): Promise<string[]> {
  const said: string[] = []
  const here = pidSpace()
  const registered = await registeredDeployments(parent)
  const protectedLeaders = new Set<number>()
  const abandoned: typeof registered = []
  for (const item of registered) {
    const { entry } = item
    // Another container's pids mean nothing here; its own next run looks after them.
    if (entry.boot === here.boot && entry.container !== here.container) continue
    if (entry.boot !== here.boot) await rm(item.path, { force: true })
    else if (await isAlive(entry.owner)) for (const { pid } of entry.processes) protectedLeaders.add(pid)
    else abandoned.push(item)
  }
  for (const { path, entry } of abandoned) {
    const family = await familyOf(entry, protectedLeaders, parent)
    const members = await familyMembers(family)
    await stop(family)
    await waitForFreePorts(members.length > 0 ? entry.ports : [], PORTS_MS)
    await rm(path, { force: true })
    if (members.length > 0) said.push(removal(entry.deployId, entry.owner.pid, members))
  }
  for (const [mark, members] of await markedOrphans(protectedLeaders, parent)) {
    const family = { leaders: [], marks: { [OWNER_MARK]: mark } }
    await stop(family)
    said.push(removal('unknown', Number(mark.split('|', 1)[0]), members))
  }
  return said
}

function stop(family: Family): Promise<void> {
  const startMs = performance.now()
  return stopFamily(family, { signal: 'SIGTERM', graceLeftMs: () => startMs + GRACE_MS - performance.now() })
}

function removal(deployId: string, owner: number, members: readonly ProcessRow[]): string {
  const pids = members.map((member) => member.pid).join(', ')
  return `removed what run ${owner} left of deployment ${deployId}: process${members.length > 1 ? 'es' : ''} ${pids}`
}

/**
 * A leader's number may have been given to another process since. It counts while the process is the same, or gone: the kernel gives no
 * pid away that still names a session.
 */
async function familyOf(
  entry: RegistryEntry,
  protectedLeaders: ReadonlySet<number>,
  parent: string | undefined,
): Promise<Family> {
  const rows = new Map((await listProcesses()).map((row) => [row.pid, row]))
  const known = entry.processes.filter(
    ({ pid, started }) => !protectedLeaders.has(pid) && (rows.get(pid)?.started ?? started) === started,
  )
  return {
    known,
    leaders: known.map(({ pid }) => pid),
    marks: { [DEPLOY_MARK]: entry.deployId, [OWNER_MARK]: ownerMark(entry.owner, parent) },
  }
}

/** Marked processes whose owner is gone, by owner: of a deployment that was killed before it was written down whole. */
async function markedOrphans(
  protectedLeaders: ReadonlySet<number>,
  parent: string | undefined,
): Promise<Map<string, ProcessRow[]>> {
  const orphans = new Map<string, ProcessRow[]>()
  for (const row of await listProcesses()) {
    if (row.pid === process.pid || protectedLeaders.has(row.session)) continue
    const mark = (await environmentOf(row.pid))?.get(OWNER_MARK)
    const [pid, started] = mark?.split('|', 2) ?? []
    if (!mark || !started || mark !== ownerMark({ pid: Number(pid), started }, parent)) continue
    if (await isAlive({ pid: Number(pid), started })) continue
    orphans.set(mark, [...(orphans.get(mark) ?? []), row])
  }
  return orphans
}
