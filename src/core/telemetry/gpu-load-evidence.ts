import type { Evidence } from '../kernel/evidence.ts'
import { IDLE, POWER_CAP, SLOWDOWNS } from './gpu-reasons.ts'
import type { GpuProcess, GpuSample, GpuState } from './machine-line.ts'
import type { MachineProbe, MachineView } from './machine-view.ts'
import { hostEvidence } from './machine-view.ts'
import { gpuName, processText } from './process-text.ts'

/** Less of the arrival window than this sampled says nothing of the rest. */
const SAMPLED_MIN = 0.9
/** Of the time between the states before and after: a slowdown counter may tick at a change of clocks. */
const HELD_SHARE_MAX = 0.001
/** A GPU that holds more than this is held by a process, whether it is listed or not. */
const UNSEEN_MIB = 2048

/** How the GPUs fared under the load. `host.gpu`: they were there and sampled; `host.gpu_processes`, `host.slowdown`, `host.power_cap`, `host.clocks`. */
export function gpuLoadEvidence(view: MachineView): Evidence[] {
  return [
    hostEvidence('gpu', true, presence(view)),
    hostEvidence('gpu_processes', true, foreignProcesses(view)),
    hostEvidence('slowdown', true, slowdown(view)),
    hostEvidence('power_cap', false, powerCap(view)),
    hostEvidence('clocks', false, clocks(view)),
  ]
}

function presence({ claimed, why, after, sampledShare, lastGap }: MachineView): MachineProbe {
  if (claimed === null) return { state: 'unknown', text: why }
  const left = after?.gpus
  const lost = left ? claimed.filter(({ uuid }) => !left.some((gpu) => gpu.uuid === uuid)) : []
  if (lost.length > 0) {
    const text = `${lost.map(gpuName).join(', ')} no longer answers: look into the kernel's log, then reset it or restart the machine`
    return { state: 'fail', value: lost.length, limit: 0, unit: 'GPUs', text }
  }
  if (!left) return { state: 'unknown', text: after?.gpusWhy ?? 'the GPUs could not be read after the load' }
  const shared = { value: rounded(sampledShare), limit: SAMPLED_MIN, unit: 'share' }
  const seen = `${claimed.length} GPUs, sampled over ${percent(sampledShare)} of the arrivals`
  if (sampledShare >= SAMPLED_MIN) return { state: 'pass', ...shared, text: seen }
  return { state: 'unknown', ...shared, text: lastGap === null ? seen : `${seen}; ${lastGap}` }
}

function foreignProcesses({ claimed, why, processLists, before, after }: MachineView): MachineProbe {
  if (claimed === null) return { state: 'unknown', text: why }
  const listed = onGpus(processLists, claimed)
  const foreign = listed.filter(({ ours }) => ours === false)
  if (foreign.length > 0) {
    const shown = foreign.slice(0, 5).map((process) => processText(process, claimed))
    const more = foreign.length > 5 ? `; and ${foreign.length - 5} more` : ''
    const text = `others used our GPUs: ${shown.join('; ')}${more}: give the run its GPUs alone`
    return { state: 'fail', value: foreign.length, limit: 0, unit: 'processes', text }
  }
  if (!before?.processes || !after?.processes)
    return { state: 'unknown', text: 'the processes on the GPUs could not be listed' }
  const unsure = listed.find(({ ours }) => ours === null)
  if (unsure) return { state: 'unknown', text: `whose it is cannot be told: ${processText(unsure, claimed)}` }
  const unseen = claimed.find(
    (gpu) => (gpu.memoryUsedMib ?? 0) > UNSEEN_MIB && !listed.some(({ gpu: uuid }) => uuid === gpu.uuid),
  )
  if (unseen) {
    const text = `${gpuName(unseen)} holds ${unseen.memoryUsedMib} MiB and no process is listed: those of other containers are not seen from here`
    return { state: 'unknown', text }
  }
  return { state: 'pass', value: 0, limit: 0, unit: 'processes', text: 'no process but the engine’s used its GPUs' }
}

/** Each process on the GPUs once. What was recognised as the engine's once is its own, whatever a hasty look said of it. */
function onGpus(lists: readonly (readonly GpuProcess[])[], gpus: readonly GpuState[]): GpuProcess[] {
  const uuids = new Set(gpus.map(({ uuid }) => uuid))
  const found = new Map<string, GpuProcess>()
  for (const process of lists.flat()) {
    if (!uuids.has(process.gpu)) continue
    const key = `${process.gpu} ${process.pid}`
    const known = found.get(key)
    found.set(
      key,
      known
        ? { ...process, ours: known.ours === true || process.ours === true ? true : (known.ours ?? process.ours) }
        : process,
    )
  }
  return [...found.values()]
}

/** For how much of a GPU's samples a reason was active; null where none tells reasons. */
function sampleShare(samples: readonly GpuSample[], reason: string): { count: number; share: number } | null {
  const told = samples.flatMap(({ reasons }) => (reasons === null ? [] : [reasons]))
  if (told.length === 0) return null
  const count = told.filter((reasons) => reasons.includes(reason)).length
  return { count, share: count / told.length }
}

/** What the driver's own counter rose by, as a share of the time between the two looks; null where it does not count. */
function heldUs({ after }: MachineView, gpu: GpuState, reason: string): number | null {
  const from = gpu.heldUs?.[reason]
  const to = after?.gpus?.find(({ uuid }) => uuid === gpu.uuid)?.heldUs?.[reason]
  return from === undefined || to === undefined || to < from ? null : to - from
}

function slowdown(view: MachineView): MachineProbe {
  const { claimed, why, samples, sampledShare, spanUs } = view
  if (claimed === null) return { state: 'unknown', text: why }
  const found: string[] = []
  let unknown = sampledShare < SAMPLED_MIN
  for (const gpu of claimed) {
    const own = samples.get(gpu.uuid) ?? []
    for (const reason of SLOWDOWNS) {
      const seen = sampleShare(own, reason)
      const held = heldUs(view, gpu, reason)
      if (seen === null && held === null) unknown = true
      const heldTooLong = held !== null && held > HELD_SHARE_MAX * spanUs
      // The bare bit also shows for a moment when the clocks change: once is none.
      const seenTooOften = seen !== null && seen.count > (reason === 'hw_slowdown' ? 1 : 0)
      if (heldTooLong || seenTooOften) {
        const by = heldTooLong ? `${(held / 1e6).toFixed(1)} s` : `${percent(seen?.share ?? 0)} of the samples`
        found.push(`${gpuName(gpu)} ${reason} ${by}`)
      }
    }
  }
  if (found.length > 0) {
    const text = `the hardware held its clocks down: ${found.slice(0, 6).join(', ')}: look to cooling and power`
    return { state: 'fail', value: found.length, limit: 0, unit: 'slowdowns', text }
  }
  if (unknown)
    return { state: 'unknown', text: 'the reasons that hold the clocks down are not known of the whole load' }
  return { state: 'pass', value: 0, limit: 0, unit: 'slowdowns', text: 'no thermal or hardware slowdown' }
}

/** Normal at full load: a fact that a comparison of clocks needs. */
function powerCap(view: MachineView): MachineProbe {
  const { claimed, why, samples } = view
  if (claimed === null) return { state: 'unknown', text: why }
  const shares = claimed.flatMap(({ uuid }) => sampleShare(samples.get(uuid) ?? [], POWER_CAP)?.share ?? [])
  if (shares.length === 0) return { state: 'unknown', text: 'no sample tells what held the clocks' }
  const most = Math.max(...shares)
  const text = `the power limit held the clocks of the most capped GPU for ${percent(most)} of the load`
  return { state: 'pass', value: rounded(most), unit: 'share', text }
}

/** The lowest of the GPUs' median SM clocks while they worked: the slowest sets the pace of its replica. */
function clocks({ claimed, why, samples }: MachineView): MachineProbe {
  if (claimed === null) return { state: 'unknown', text: why }
  const medians: number[] = []
  const limits = new Map<string, number>()
  for (const { uuid } of claimed) {
    const busy = (samples.get(uuid) ?? []).filter(
      ({ utilPercent, reasons }) => utilPercent !== 0 && !reasons?.includes(IDLE),
    )
    const median = medianOf(busy.flatMap(({ smMhz }) => smMhz ?? []))
    if (median !== null) medians.push(median)
    for (const reason of new Set(busy.flatMap(({ reasons }) => reasons ?? []))) {
      const share = sampleShare(busy, reason)?.share ?? 0
      limits.set(reason, Math.max(limits.get(reason) ?? 0, share))
    }
  }
  if (medians.length < claimed.length || medians.length === 0)
    return { state: 'unknown', text: 'the clocks of a working GPU were not sampled' }
  const lowest = Math.min(...medians)
  const held = [...limits].toSorted(([, a], [, b]) => b - a).map(([reason, share]) => `${reason} ${percent(share)}`)
  const text = `median SM clock ${lowest} to ${Math.max(...medians)} MHz over ${medians.length} GPUs; held by ${held.join(', ') || 'nothing'}`
  return { state: 'pass', value: lowest, unit: 'MHz', text }
}

function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.ceil(sorted.length / 2) - 1] ?? null
}

function percent(share: number): string {
  return `${Math.round(share * 1000) / 10} %`
}

function rounded(share: number): number {
  return Math.round(share * 1e6) / 1e6
}
