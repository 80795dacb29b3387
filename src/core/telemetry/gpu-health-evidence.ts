import type { Evidence } from '../kernel/evidence.ts'
import { newXids, xidBlame, xidName } from './gpu-xid.ts'
import type { GpuState, XidLine } from './machine-line.ts'
import type { MachineProbe, MachineView } from './machine-view.ts'
import { hostEvidence } from './machine-view.ts'
import { gpuName } from './process-text.ts'

/**
 * Whether the GPUs stayed sound: `host.xid` (a fault of hardware or driver), `stability.xid` (a fault of the program on it: the engine's),
 * `host.ecc`, `host.remapped_rows` (a warning), `host.nvlink`. Errors from before the point are another's; what rose during it counts.
 */
export function gpuHealthEvidence(view: MachineView): Evidence[] {
  return [
    ...xidEvidence(view),
    hostEvidence('ecc', true, ecc(view)),
    hostEvidence('remapped_rows', false, remapped(view)),
    hostEvidence('nvlink', true, nvlink(view)),
    ...dcgmEvidence(view),
  ]
}

interface Pair {
  was: GpuState
  is: GpuState
}

/** Each claimed GPU before and after; null where one of the looks is missing. */
function pairs({ claimed, after }: MachineView): Pair[] | null {
  const found = (claimed ?? []).flatMap((was) => {
    const is = after?.gpus?.find(({ uuid }) => uuid === was.uuid)
    return is ? [{ was, is }] : []
  })
  return claimed === null || found.length < claimed.length ? null : found
}

function xidEvidence(view: MachineView): Evidence[] {
  const { claimed, why } = view
  if (claimed === null) return [hostEvidence('xid', true, { state: 'unknown', text: why })]
  const found = xidsOf(view, claimed)
  if (found === null) {
    const text =
      'the kernel’s log cannot be read: let this user read it (group adm or systemd-journal), or run a DCGM exporter'
    return [hostEvidence('xid', true, { state: 'unknown', text })]
  }
  const of = (blame: ReturnType<typeof xidBlame>) => found.filter((xid) => xidBlame(xid) === blame)
  const [hosts, engines, told] = [of('host'), of('engine'), of(null)]
  const evidence: Evidence[] = []
  if (engines.length > 0) {
    const text = `${named(engines, claimed)}: a fault of the program on the GPU`
    const shared = { probe: 'stability.xid', state: 'fail', required: true, blames: 'engine' } as const
    evidence.push({ ...shared, value: engines.length, limit: 0, unit: 'errors', text })
  }
  const hostText =
    hosts.length > 0
      ? `${named(hosts, claimed)}: a fault of the hardware or its driver`
      : told.length > 0
        ? `told only: ${named(told, claimed)}`
        : 'no new Xid'
  const state = hosts.length > 0 ? 'fail' : 'pass'
  const shared = { value: hosts.length, limit: 0, unit: 'errors' }
  return [...evidence, hostEvidence('xid', true, { state, ...shared, text: hostText })]
}

/** Each different one once, four at most. */
function named(xids: readonly XidLine[], gpus: readonly GpuState[]): string {
  const texts = xids.map((xid) => `${busOwner(xid.bus, gpus)} ${xidName(xid)}${xid.text === '' ? '' : `: ${xid.text}`}`)
  return [...new Set(texts)].slice(0, 4).join('; ')
}

function busOwner(bus: string, gpus: readonly GpuState[]): string {
  const gpu = gpus.find((one) => one.bus === bus)
  return gpu ? gpuName(gpu) : bus
}

/** New errors of the claimed GPUs, and of any switch between them. The exporter's last Xid counts where the log does not tell it. */
function xidsOf({ before, after }: MachineView, claimed: readonly GpuState[]): XidLine[] | null {
  const buses = new Set(claimed.map(({ bus }) => bus))
  const logged =
    before?.kernel && after?.kernel
      ? newXids(before.kernel, after.kernel).filter(({ bus, of }) => of === 'switch' || buses.has(bus))
      : null
  const lasts = claimed.map((gpu) => ({
    gpu,
    was: before?.dcgm?.[gpu.uuid]?.['lastXid'],
    is: after?.dcgm?.[gpu.uuid]?.['lastXid'],
  }))
  const isExported = lasts.every(({ was, is }) => was !== undefined && is !== undefined)
  if (logged === null && !isExported) return null
  const exported = lasts.flatMap(({ gpu, was, is }): XidLine[] => {
    if (was === undefined || is === undefined || is === was || is === 0) return []
    const bus = gpu.bus ?? gpu.uuid
    if (logged?.some((xid) => xid.bus === bus && xid.code === is)) return []
    return [{ atSeconds: null, of: 'gpu', code: is, bus, text: 'by the DCGM exporter' }]
  })
  return [...(logged ?? []), ...exported]
}

function ecc(view: MachineView): MachineProbe {
  const both = pairs(view)
  if (both === null) return { state: 'unknown', text: view.why || 'the GPUs could not be read after the load' }
  const found: string[] = []
  const silent: string[] = []
  for (const { was, is } of both) {
    const rises = [
      ['uncorrected ECC errors', rise(was.ecc.uncorrectedVolatile, is.ecc.uncorrectedVolatile)],
      ['uncorrected ECC errors ever', rise(was.ecc.uncorrectedAggregate, is.ecc.uncorrectedAggregate)],
      ['rows remapped for uncorrected errors', rise(was.remappedUncorrectable, is.remappedUncorrectable)],
    ] as const
    if (rises.slice(0, 2).every(([, by]) => by === null)) silent.push(gpuName(is))
    for (const [what, by] of rises) {
      if (by !== null && by > 0) found.push(`${gpuName(is)}: ${by} ${what}`)
      if (by !== null && by < 0) found.push(`${gpuName(is)}: its counters fell, it was reset`)
    }
    if (is.remapFailure === true) found.push(`${gpuName(is)}: a row could not be remapped, it is to be replaced`)
  }
  if (found.length > 0) {
    const text = `${[...new Set(found)].slice(0, 5).join('; ')}: drain the machine and reset the GPU`
    return { state: 'fail', value: found.length, limit: 0, unit: 'findings', text }
  }
  if (silent.length > 0) return { state: 'unknown', text: `${silent.join(', ')} counts no ECC errors` }
  const corrected = both.reduce(
    (sum, { was, is }) => sum + (rise(was.ecc.correctedVolatile, is.ecc.correctedVolatile) ?? 0),
    0,
  )
  return {
    state: 'pass',
    value: 0,
    limit: 0,
    unit: 'findings',
    text: `no uncorrected memory error; ${corrected} corrected`,
  }
}

function rise(was: number | null, is: number | null): number | null {
  return was === null || is === null ? null : is - was
}

/** A pending remap waits for a reset: the GPU works on, with its spare already counted. */
function remapped(view: MachineView): MachineProbe {
  const both = pairs(view)
  if (both === null) return { state: 'unknown', text: view.why || 'the GPUs could not be read after the load' }
  const pending = both
    .filter(({ is }) => is.remapPending === true || is.retirementPending === true)
    .map(({ is }) => gpuName(is))
  if (pending.length > 0) {
    const text = `a remap is pending on ${pending.join(', ')}: reset the GPU when nothing runs on it`
    return { state: 'fail', value: pending.length, limit: 0, unit: 'GPUs', text }
  }
  const isKnown = both.every(({ is }) => is.remapPending !== null || is.retirementPending !== null)
  return isKnown
    ? { state: 'pass', value: 0, limit: 0, unit: 'GPUs', text: 'no remap is pending' }
    : { state: 'unknown', text: 'whether a remap is pending is not told' }
}

function nvlink(view: MachineView): MachineProbe {
  const both = pairs(view)
  if (both === null) return { state: 'unknown', text: view.why || 'the GPUs could not be read after the load' }
  const lost = both.filter(({ was, is }) => (rise(was.nvlinksUp, is.nvlinksUp) ?? 0) < 0)
  if (lost.length > 0) {
    const text = lost
      .map(({ was, is }) => `${gpuName(is)}: ${is.nvlinksUp} of ${was.nvlinksUp} links are left`)
      .join('; ')
    return { state: 'fail', value: lost.length, limit: 0, unit: 'GPUs', text: `${text}: reset the GPUs` }
  }
  const up = both.map(({ is }) => is.nvlinksUp)
  if (up.includes(null)) return { state: 'unknown', text: 'nvidia-smi nvlink does not tell the links' }
  const [fewest, most] = [Math.min(...up.map(Number)), Math.max(...up.map(Number))]
  return {
    state: 'pass',
    value: fewest,
    unit: 'links',
    text: fewest === most ? `${most} NVLinks up` : `${fewest} to ${most} NVLinks up`,
  }
}

/** What only the exporter knows: how much of the tensor cores and of the memory's bandwidth the load used. Nothing without an exporter. */
function dcgmEvidence({ claimed, after }: MachineView): Evidence[] {
  const own = (claimed ?? []).map(({ uuid }) => after?.dcgm?.[uuid]).filter((values) => values !== undefined)
  const mean = (field: string): string | null => {
    const known = own.flatMap((values) => values[field] ?? [])
    return known.length === 0
      ? null
      : `${Math.round((100 * known.reduce((sum, value) => sum + value, 0)) / known.length)} %`
  }
  const shown = [
    ['tensor cores', mean('tensorActiveShare')],
    ['memory', mean('dramActiveShare')],
    ['engines', mean('engineActiveShare')],
  ].flatMap(([name, value]) => (value === null ? [] : [`${name} ${value}`]))
  if (own.length === 0) return []
  const text = `DCGM of ${own.length} GPUs at the end${shown.length === 0 ? '' : `: active ${shown.join(', ')}`}`
  return [hostEvidence('dcgm', false, { state: 'pass', value: own.length, unit: 'GPUs', text })]
}
