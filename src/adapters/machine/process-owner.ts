import { readFile, stat } from 'node:fs/promises'
import type { Owned } from '../../app/ports/engine.ts'
import type { SmiProcess } from '../../core/telemetry/gpu-xml.ts'
import type { GpuProcess } from '../../core/telemetry/machine-line.ts'
import { findProcess } from '../system/process-table.ts'

const CONTAINER = /(?<![0-9a-f])([0-9a-f]{64})(?![0-9a-f])/

/** The full id of the container that a process runs in, as its control group names it; null: none, or it cannot be read. */
async function containerOf(pid: number): Promise<string | null> {
  const groups = await readFile(`/proc/${pid}/cgroup`, 'utf8').catch(() => '')
  return CONTAINER.exec(groups)?.[1] ?? null
}

/** The names of this machine's users, read once. */
export type UserNames = () => Promise<ReadonlyMap<number, string>>

export function userNames(): UserNames {
  let read: Promise<ReadonlyMap<number, string>> | null = null
  return () => {
    read ??= readFile('/etc/passwd', 'utf8')
      .catch(() => '')
      .then((text) => {
        const rows = text.split('\n').map((line) => line.split(':'))
        return new Map(rows.flatMap(([name, , uid]) => (name && /^\d+$/.test(uid ?? '') ? [[Number(uid), name]] : [])))
      })
    return read
  }
}

/** Who a process runs as: a name, else a number; null where it is gone or hidden. */
export async function userOf(pid: number, names: UserNames): Promise<string | null> {
  const uid = (await stat(`/proc/${pid}`).catch(() => null))?.uid
  return uid === undefined ? null : ((await names()).get(uid) ?? `uid ${uid}`)
}

/**
 * Who the processes on the GPUs are, and whether they are the engine's: one of its processes, or in one of its containers. A process that
 * cannot be seen (another pid space, or gone) may be anyone's: null.
 */
export async function describeProcesses(
  processes: readonly SmiProcess[],
  owned: Owned | null,
  names: UserNames,
): Promise<GpuProcess[]> {
  const pids = new Set(owned?.pids)
  const containers = new Set(owned?.containers)
  return Promise.all(
    processes.map(async (process): Promise<GpuProcess> => {
      const { pid } = process
      const [user, container, row] = await Promise.all([userOf(pid, names), containerOf(pid), findProcess(pid)])
      const isOurs = pids.has(pid) || (container !== null && containers.has(container))
      const ours = owned === null ? null : isOurs ? true : row === null ? null : false
      return { ...process, user, container, ours }
    }),
  )
}
