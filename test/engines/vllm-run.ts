import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pidsWithEntry } from '../../src/adapters/system/process-table.ts'
import { isPortFree } from '../../src/adapters/system/tcp-ports.ts'
import { pointName } from '../../src/core/kernel/point.ts'
import type { PointReport } from '../../src/core/capacity/record.ts'
import type { Evidence } from '../../src/core/kernel/evidence.ts'
import type { GateRun } from '../e2e/run/gate-run.ts'
import { markOf } from './vllm-manifest.ts'

/** Requests that ended before a point counts as under way. */
const UNDER_WAY = 10

/** A pack's point that is in the middle of its load. */
function underWay(pack: string, known: ReadonlySet<string>): string | undefined {
  const points = join(pack, 'points')
  const ended = (name: string) => {
    const journal = join(points, name, 'journal.jsonl')
    return existsSync(journal) ? readFileSync(journal, 'utf8').split('\n').length - 1 : 0
  }
  const names = existsSync(points) ? readdirSync(points) : []
  return names.find((name) => !known.has(name) && ended(name) >= UNDER_WAY)
}

/**
 * Calls back in the middle of every point of a run, until it ends: one that a busy machine made invalid is measured again. Resolves with
 * the processes that the engine had.
 */
export async function inEachPoint(run: Promise<GateRun>, pack: string, port: number, middle: (port: number) => void) {
  let isOver = false
  void run.finally(() => (isOver = true))
  const known = new Set<string>()
  const pids = new Set<number>()
  while (!isOver) {
    const name = underWay(pack, known)
    if (name === undefined) {
      await sleep(50)
      continue
    }
    known.add(name)
    for (const { pid } of vllmProcesses(port)) pids.add(pid)
    middle(port)
  }
  return [...pids]
}

/** What counts of a run of one rate: its last point. */
export function lastPoint(run: GateRun): PointReport {
  const point = run.points().at(-1)
  if (!point) throw new Error(`the run has no point: ${run.stderr}`)
  return point
}

interface Process {
  pid: number
  parent: number
  session: number
  command: string
}

/** vLLM's processes: the server that was given the port, then what descends from it (its core, which vLLM names so). */
function vllmProcesses(port: number): Process[] {
  const all = allProcesses()
  const family = all.filter(({ command }) => command.includes('vllm.entrypoints') && command.includes(`--port ${port}`))
  for (const member of family) family.push(...all.filter(({ parent }) => parent === member.pid))
  return family
}

function allProcesses(): Process[] {
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? processOf(Number(name)) : []))
}

function processOf(pid: number): Process[] {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    // After the name, which may hold anything, stand state, parent, group and session.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return fields[0] === 'Z' ? [] : [{ pid, parent: Number(fields[1]), session: Number(fields[3]), command }]
  } catch {
    return []
  }
}

export function coreOf(port: number): number {
  const core = vllmProcesses(port).find(({ command }) => command.includes('EngineCore'))
  if (!core) throw new Error(`no engine core among ${JSON.stringify(vllmProcesses(port))}`)
  return core.pid
}

export function serverOf(port: number): number {
  const [server] = vllmProcesses(port)
  if (!server) throw new Error(`no server has the port ${port}`)
  return server.pid
}

/**
 * What of an engine still runs or listens: the processes that were seen, those in a session that one of them led, and those that bear the
 * mark of its port. Its core and workers overwrite theirs with a name.
 */
export async function left(port: number, seen: readonly number[]): Promise<string[]> {
  const { name, value } = markOf(port)
  const marked = new Set(pidsWithEntry(new Set([`${name}=${value}`])))
  const alive = allProcesses().filter(
    ({ pid, session }) => seen.includes(pid) || seen.includes(session) || marked.has(pid),
  )
  const found = alive.map(({ pid, command }) => `process ${pid}: ${command}`)
  return (await isPortFree(port)) ? found : [...found, `port ${port}`]
}

/** A point's evidence by its probe; of several of one name the worst. */
export function evidenceOf(point: PointReport | undefined, probe: string): Evidence | undefined {
  const found = point?.evidence.filter((item) => item.probe === probe) ?? []
  return (['fail', 'unknown', 'pass'] as const).flatMap((state) => found.filter((item) => item.state === state))[0]
}

/** The rows of a point's requests.csv, by column. */
export function requestsOf(pack: string, { key }: PointReport): Record<string, string>[] {
  const [header = '', ...lines] = readFileSync(join(pack, 'points', pointName(key), 'requests.csv'), 'utf8')
    .trim()
    .split('\n')
  const names = header.split(',')
  return lines.map((line) => Object.fromEntries(line.split(',').map((value, index) => [names[index] ?? '', value])))
}

/** What the client was allowed, beside what came of it: for whoever reads the output. */
export function printed(name: string, manifest: string, run: GateRun): void {
  const limits = /^ *(?:send_lag_p99_max_ms|calibration_error_max_share|request_t\w+_cutoff_ms):.*$/gm
  const stated = [...new Set(readFileSync(manifest, 'utf8').match(limits) ?? [])].map((line) => line.trim())
  const points = run.points().map(({ key, outcome, ratesRps, reasons }) => {
    const rate = 'openMilliRps' in key.load ? key.load.openMilliRps / 1000 : key.load.closedConcurrency
    return `${key.cache} ${rate} RPS: ${outcome}, ${ratesRps.good.toFixed(1)} good (${reasons.map(({ text }) => text).join('; ')})`
  })
  const ready = run.stderr.match(/ready after [\d.]+ s/g)?.join(', ')
  process.stdout.write(
    `\n${name}: ${run.verdict().outcome}; ${ready}; ${stated.join(', ')}\n  ${points.join('\n  ')}\n`,
  )
}
