import { setTimeout as delay } from 'node:timers/promises'
import { GateError } from '../../core/kernel/errors.ts'
import { signalQuietly } from './process-group.ts'
import { environmentOf, findProcess, listProcesses } from './process-table.ts'
import type { ProcessIdentity, ProcessRow } from './process-table.ts'

/** Which processes belong together. */
export interface Family {
  /** Leaders of sessions of their own. */
  leaders: readonly number[]
  /** Environment that every member inherited, also one that left the session. */
  marks: Readonly<Record<string, string>>
  /** Seen as members before: one that has lost all that tells it since is still one. */
  known?: readonly ProcessIdentity[]
}

const POLL_MS = 20
/** After SIGKILL: a process that holds a device may take this long to go. */
const LAST_WAIT_MS = 5000

async function hasMarks(pid: number, marks: Readonly<Record<string, string>>): Promise<boolean> {
  const environment = await environmentOf(pid)
  return environment !== null && Object.entries(marks).every(([name, value]) => environment.get(name) === value)
}

/** This process and those above it: never a member of any family. */
function ownLine(rows: readonly ProcessRow[]): Set<number> {
  const parents = new Map(rows.map((row) => [row.pid, row.parent]))
  const line = new Set<number>()
  for (let pid: number | undefined = process.pid; pid && !line.has(pid); pid = parents.get(pid)) line.add(pid)
  return line
}

/**
 * The living members: those in a leader's group or session, those that carry the marks, those `known` before, and everything below any
 * of these. A member that left its session and cleared its environment is found while its parent lives, and known from then on.
 */
export async function familyMembers(family: Family, known: readonly ProcessIdentity[] = []): Promise<ProcessRow[]> {
  const rows = await listProcesses()
  const excluded = ownLine(rows)
  const leaders = new Set(family.leaders)
  const isMarked = Object.keys(family.marks).length > 0
  const seen = new Map([...(family.known ?? []), ...known].map(({ pid, started }) => [pid, started]))
  const members = new Set(rows.filter((row) => seen.get(row.pid) === row.started).map((row) => row.pid))
  await Promise.all(
    rows.map(async (row) => {
      if (leaders.has(row.group) || leaders.has(row.session)) members.add(row.pid)
      else if (isMarked && row.pid !== process.pid && (await hasMarks(row.pid, family.marks))) members.add(row.pid)
    }),
  )
  for (let size = -1; size !== members.size;) {
    size = members.size
    for (const row of rows) if (members.has(row.parent)) members.add(row.pid)
  }
  return rows.filter((row) => members.has(row.pid) && !excluded.has(row.pid))
}

export interface StopOptions {
  /** What the engine wants to be asked with. */
  signal: NodeJS.Signals
  /** Asked again and again: how many milliseconds of grace are left before SIGKILL. */
  graceLeftMs: () => number
}

async function living(rows: readonly ProcessIdentity[]): Promise<boolean> {
  const found = await Promise.all(rows.map(async (row) => (await findProcess(row.pid))?.started === row.started))
  return found.includes(true)
}

/**
 * Stops every member: first asked, then killed. Resolves when none is left; throws GateError `engine_not_removed` with the pids that
 * survive SIGKILL for five seconds.
 */
export async function stopFamily(family: Family, options: StopOptions): Promise<void> {
  const asked = new Set<number>()
  let killedAtMs: number | null = null
  let members = await familyMembers(family)
  while (members.length > 0) {
    if (killedAtMs === null && options.graceLeftMs() <= 0) killedAtMs = performance.now()
    for (const member of members) {
      if (killedAtMs !== null) signalQuietly(member.pid, 'SIGKILL')
      else if (!asked.has(member.pid)) signalQuietly(member.pid, options.signal)
      asked.add(member.pid)
    }
    if (killedAtMs !== null && performance.now() - killedAtMs > LAST_WAIT_MS) throw notRemoved(members)
    await delay(POLL_MS)
    // The whole table is read again only when the known members are gone, or when it is time to kill.
    const isOver = killedAtMs !== null || options.graceLeftMs() <= 0 || !(await living(members))
    if (isOver) members = await familyMembers(family, members)
  }
}

function notRemoved(members: readonly ProcessRow[]): GateError {
  return new GateError({
    code: 'engine_not_removed',
    message: `processes of the engine survive SIGKILL: ${members.map((member) => member.pid).join(', ')}`,
    hint: 'they are stuck in the kernel (a device or a network disk); the machine may need a restart',
  })
}
