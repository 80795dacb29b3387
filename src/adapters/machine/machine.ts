import type { Clock } from '../../app/ports/clock.ts'
import type { Owned } from '../../app/ports/engine.ts'
import type { Machine, MachineLook } from '../../app/ports/machine.ts'
import type { MachineState } from '../../core/telemetry/machine-line.ts'
import type { DcgmPage } from './dcgm-page.ts'
import { boundedCommand } from './bounded-command.ts'
import { containerStates } from './container-state.ts'
import { dcgmPage } from './dcgm-page.ts'
import { hostFacts } from './host-facts.ts'
import { readKernelLog } from './kernel-log.ts'
import type { MachineSources } from './machine-sources.ts'
import { ownedNow } from './machine-sources.ts'
import { MachineWatching } from './machine-watching.ts'
import { engineOomKills } from './memory-limit.ts'
import type { NvidiaSmi } from './nvidia-smi.ts'
import { nvidiaSmi } from './nvidia-smi.ts'
import { describeProcesses, userNames } from './process-owner.ts'

export interface SystemMachineOptions {
  clock: Clock
  /** Where the pack is written: its disk is the one that must have room. */
  diskPath: string
  smi?: NvidiaSmi
}

/** The machine that this process runs on, by its own tools: nvidia-smi, the kernel's log, a DCGM exporter, /proc. */
export function systemMachine(options: SystemMachineOptions): Machine & AsyncDisposable {
  const names = userNames()
  const pages = new Map<string, DcgmPage>()
  const sources: MachineSources = {
    clock: options.clock,
    smi: options.smi ?? nvidiaSmi(),
    docker: boundedCommand('docker'),
    host: hostFacts(options.diskPath, names),
    names,
    dcgm({ dcgmUrl: url }) {
      const known = pages.get(url) ?? dcgmPage(url)
      pages.set(url, known)
      return known
    },
  }
  return {
    async look(order, signal) {
      signal.throwIfAborted()
      const state = await abortable(lookNow(sources, order), signal)
      // Its field names are asked for now, so that a watch begins at once.
      if (order.withGpus) await abortable(sources.smi.columns(), signal)
      return state
    },
    watch: (order, onLine) => new MachineWatching(sources, order, onLine),
    async [Symbol.asyncDispose]() {
      await Promise.all([...pages.values()].map((page) => page[Symbol.asyncDispose]()))
    },
  }
}

async function lookNow(sources: MachineSources, order: MachineLook): Promise<MachineState> {
  const owned = await ownedNow(order)
  const excluded = new Set([process.pid, process.ppid, ...(owned?.pids ?? [])])
  const [gpus, kernel, dcgm, host, oomKills, containers] = await Promise.all([
    order.withGpus ? lookAtGpus(sources, owned) : { gpus: null, gpusWhy: 'no GPU was asked for', processes: null },
    order.withGpus ? readKernelLog() : null,
    order.withGpus ? sources.dcgm(order).read() : null,
    sources.host.state(excluded),
    engineOomKills(owned),
    containerStates(owned, sources.docker),
  ])
  return { ...gpus, kernel, dcgm: dcgm && 'why' in dcgm ? null : dcgm, host, engineOomKills: oomKills, containers }
}

type GpusSeen = Pick<MachineState, 'gpus' | 'gpusWhy' | 'processes'>

async function lookAtGpus({ smi, names }: MachineSources, owned: Owned | null): Promise<GpusSeen> {
  const report = await smi.report()
  if ('why' in report) return { gpus: null, gpusWhy: report.why, processes: null }
  return { gpus: report.gpus, gpusWhy: null, processes: await describeProcesses(report.processes, owned, names) }
}

/** What a look began is bounded by itself: an abort does not wait for it. */
async function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>()
  const abort = () => aborted.reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([work, aborted.promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
