import { readdir, readFile, statfs } from 'node:fs/promises'
import { cpus, loadavg } from 'node:os'
import type { BusyProcess, HostSample, HostState } from '../../core/telemetry/machine-line.ts'
import type { UserNames } from './process-owner.ts'
import { userOf } from './process-owner.ts'

/** The kernel's unit of processor time in /proc, whatever it ticks at itself. */
const TICKS_A_SECOND = 100
const BUSY_MIN_CORES = 0.2
const BUSY_SHOWN = 5

interface CpuTimes {
  total: number
  idle: number
  steal: number
}

/** Shares are of the time since the call before. */
export interface HostFacts {
  sample(): Promise<HostSample>
  /** `excluded` are the processes that are measured and those that measure. */
  state(excluded: ReadonlySet<number>): Promise<HostState>
}

/** Where there is no /proc, what it tells is null. `diskPath`: where the pack is written. `proc`: where /proc is. */
export function hostFacts(diskPath: string, names: UserNames, proc = '/proc'): HostFacts {
  let last: CpuTimes | null = null
  let lastTable: { atMs: number; ticks: Map<string, number> } | null = null
  const sample = async (): Promise<HostSample> => {
    const now = await cpuTimes(proc)
    const before = last
    last = now
    const total = now && before ? now.total - before.total : 0
    const share = (part: number) => Math.round((1000 * part) / total) / 1000
    return {
      busyShare: now && before && total > 0 ? share(total - (now.idle - before.idle)) : null,
      stealShare: now && before && total > 0 ? share(now.steal - before.steal) : null,
      load1: Math.round((loadavg()[0] ?? 0) * 100) / 100,
      memoryAvailableMib: await memoryAvailableMib(proc),
    }
  }
  return {
    sample,
    async state(excluded) {
      const [host, table, diskFreeMib, oomKills] = await Promise.all([
        sample(),
        processorTable(proc),
        freeMib(diskPath),
        oomKillsSinceBoot(proc),
      ])
      const earlier = lastTable
      lastTable = table && { atMs: performance.now(), ticks: new Map(table.map(({ key, ticks }) => [key, ticks])) }
      const seconds = earlier && lastTable ? (lastTable.atMs - earlier.atMs) / 1000 : 0
      const busy =
        earlier && table && seconds > 0 ? await busiest(table, earlier.ticks, { seconds, excluded, names }) : null
      return { ...host, logicalCpus: cpus().length || null, diskFreeMib, oomKills, busy }
    },
  }
}

async function cpuTimes(proc: string): Promise<CpuTimes | null> {
  const text = await readFile(`${proc}/stat`, 'utf8').catch(() => '')
  const fields = /^cpu +(.+)$/m.exec(text)?.[1]?.split(' ').map(Number)
  if (!fields || fields.length < 8 || fields.some(Number.isNaN)) return null
  // user nice system idle iowait irq softirq steal; the guests' times that follow are in user and nice already.
  const total = fields.slice(0, 8).reduce((sum, value) => sum + value, 0)
  return { total, idle: (fields[3] ?? 0) + (fields[4] ?? 0), steal: fields[7] ?? 0 }
}

async function memoryAvailableMib(proc: string): Promise<number | null> {
  const text = await readFile(`${proc}/meminfo`, 'utf8').catch(() => '')
  const kib = /^MemAvailable:\s+(\d+) kB$/m.exec(text)?.[1]
  return kib === undefined ? null : Math.round(Number(kib) / 1024)
}

async function freeMib(path: string): Promise<number | null> {
  const stats = await statfs(path).catch(() => null)
  return stats === null ? null : Math.floor((stats.bavail * stats.bsize) / 1024 ** 2)
}

async function oomKillsSinceBoot(proc: string): Promise<number | null> {
  const text = await readFile(`${proc}/vmstat`, 'utf8').catch(() => '')
  const kills = /^oom_kill (\d+)$/m.exec(text)?.[1]
  return kills === undefined ? null : Number(kills)
}

interface ProcessorTime {
  pid: number
  name: string
  /** The pid and when it started: one process. */
  key: string
  ticks: number
}

async function processorTable(proc: string): Promise<ProcessorTime[] | null> {
  const pids = (await readdir(proc).catch(() => [])).filter((name) => /^\d+$/.test(name))
  if (pids.length === 0) return null
  const rows = await Promise.all(
    pids.map(async (pid): Promise<ProcessorTime | null> => {
      const text = await readFile(`${proc}/${pid}/stat`, 'utf8').catch(() => '')
      const end = text.lastIndexOf(')')
      const fields = text.slice(end + 2).split(' ')
      const ticks = Number(fields[11]) + Number(fields[12])
      if (end < 0 || Number.isNaN(ticks)) return null
      return { pid: Number(pid), name: text.slice(text.indexOf('(') + 1, end), key: `${pid} ${fields[19]}`, ticks }
    }),
  )
  return rows.filter((row) => row !== null)
}

async function busiest(
  table: readonly ProcessorTime[],
  earlier: ReadonlyMap<string, number>,
  { seconds, excluded, names }: { seconds: number; excluded: ReadonlySet<number>; names: UserNames },
): Promise<BusyProcess[]> {
  const used = table
    .filter(({ pid }) => !excluded.has(pid))
    .map(({ pid, name, key, ticks }) => {
      return { pid, name, cores: (ticks - (earlier.get(key) ?? ticks)) / TICKS_A_SECOND / seconds }
    })
    .filter(({ cores }) => cores >= BUSY_MIN_CORES)
    .toSorted((a, b) => b.cores - a.cores)
    .slice(0, BUSY_SHOWN)
  return Promise.all(
    used.map(async ({ pid, name, cores }) => {
      return { pid, name, user: await userOf(pid, names), cores: Math.round(cores * 100) / 100 }
    }),
  )
}
