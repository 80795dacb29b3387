import { POWER_CAP, SLOWDOWNS } from './gpu-reasons.ts'
import { xidBlame, xidName } from './gpu-xid.ts'
import type { MachineFinding } from './machine-findings.ts'
import type { GpuState, MachineState } from './machine-line.ts'
import { gpuName, processText } from './process-text.ts'

export interface GpuNeeds {
  mig: 'disabled' | 'enabled'
  gpu_memory_floor_mib: number
  /** Nothing is to run on them yet. */
  isIdle: boolean
}

/** The findings about the GPUs that a run would use. */
export function gpuFindings(state: MachineState, gpus: readonly GpuState[], needs: GpuNeeds): MachineFinding[] {
  return [
    presence(gpus),
    processes(state, gpus, needs.isIdle),
    ...(needs.isIdle ? [memory(state, gpus, needs.gpu_memory_floor_mib)] : []),
    mig(gpus, needs.mig),
    health(gpus),
    clocks(gpus),
    links(gpus),
    log(state, gpus),
    exporter(state, gpus),
  ]
}

/** The same probes where the GPUs cannot be read: none of them passes. */
export function gpuFindingsUnseen(state: MachineState): MachineFinding[] {
  const probes = ['processes', 'memory', 'mig', 'health', 'clocks', 'nvlink']
  const text = 'not known of GPUs that cannot be read'
  const unseen = probes.map((probe): MachineFinding => ({ probe, state: 'unknown', text, mend: null }))
  const xid: MachineFinding = {
    probe: 'xid',
    state: 'unknown',
    text: 'whose errors the kernel’s log tells is not known',
    mend: null,
  }
  const dcgm: MachineFinding = {
    probe: 'dcgm',
    state: 'unknown',
    text: 'which of its GPUs are ours is not known',
    mend: null,
  }
  return [...unseen, state.kernel === null ? log(state, []) : xid, state.dcgm === null ? exporter(state, []) : dcgm]
}

function presence(gpus: readonly GpuState[]): MachineFinding {
  const models = [...new Set(gpus.map(({ name }) => name ?? 'unknown model'))].join(', ')
  const text = `${gpus.length} × ${models}, driver ${gpus[0]?.driver ?? 'unknown'}`
  return { probe: 'gpus', state: 'pass', text, mend: null, value: gpus.length, unit: 'GPUs' }
}

function processes(state: MachineState, gpus: readonly GpuState[], isIdle: boolean): MachineFinding {
  if (state.processes === null) {
    return { probe: 'processes', state: 'unknown', text: 'the processes on the GPUs cannot be listed', mend: null }
  }
  const uuids = new Set(gpus.map(({ uuid }) => uuid))
  const own = state.processes.filter(({ gpu }) => uuids.has(gpu))
  const shared = { probe: 'processes', value: own.length, limit: 0, unit: 'processes' }
  if (own.length === 0) return { ...shared, state: 'pass', text: 'no process on the GPUs', mend: null }
  const shown = own.slice(0, 6).map((process) => processText(process, gpus))
  const more = own.length > 6 ? `; and ${own.length - 6} more` : ''
  const text = `held by ${shown.join('; ')}${more}`
  if (!isIdle) return { probe: 'processes', state: 'pass', text, mend: null, value: own.length, unit: 'processes' }
  const [first] = own
  const container = first?.container?.slice(0, 12)
  const stop = container === undefined ? `kill ${first?.pid}` : `docker stop ${container}`
  return {
    ...shared,
    state: 'fail',
    text,
    mend: `stop what holds them (${stop}), or run elsewhere`,
  }
}

function memory(state: MachineState, gpus: readonly GpuState[], limit: number): MachineFinding {
  const used = gpus.map(({ memoryUsedMib }) => memoryUsedMib)
  if (used.includes(null))
    return { probe: 'memory', state: 'unknown', text: 'the GPUs’ memory in use is not told', mend: null }
  const value = Math.max(0, ...used.map(Number))
  const shared = { probe: 'memory', value, limit, unit: 'MiB' }
  const over = gpus.filter(({ memoryUsedMib }) => (memoryUsedMib ?? 0) > limit)
  if (over.length === 0) return { ...shared, state: 'pass', text: `at most ${value} MiB of a GPU in use`, mend: null }
  const text = over.map((gpu) => `${gpuName(gpu)} holds ${gpu.memoryUsedMib} MiB`).join(', ')
  const isListed = over.every(({ uuid }) => state.processes?.some(({ gpu }) => gpu === uuid))
  const mend = isListed
    ? 'stop the processes that hold it'
    : 'no process is listed for it: look from the host (another container’s are not seen here), or reset the GPU'
  return { ...shared, state: 'fail', text, mend }
}

function mig(gpus: readonly GpuState[], wanted: GpuNeeds['mig']): MachineFinding {
  const other = gpus.filter(({ migMode }) => (migMode === 'Enabled') !== (wanted === 'enabled') && migMode !== null)
  if (other.length > 0) {
    const text = `MIG is ${wanted === 'enabled' ? 'off' : 'on'} for ${other.map(gpuName).join(', ')}, and machine.mig says ${wanted}`
    const mend =
      wanted === 'enabled'
        ? 'nvidia-smi -mig 1, or machine.mig: disabled'
        : 'nvidia-smi -mig 0, or machine.mig: enabled'
    return { probe: 'mig', state: 'fail', text, mend, value: other.length, limit: 0, unit: 'GPUs' }
  }
  if (gpus.some(({ migMode }) => migMode === null)) {
    return { probe: 'mig', state: 'unknown', text: 'whether the GPUs are partitioned is not told', mend: null }
  }
  return { probe: 'mig', state: 'pass', text: `MIG is ${wanted === 'enabled' ? 'on' : 'off'}`, mend: null }
}

/** What the driver asks for, and what its error counters say. */
function health(gpus: readonly GpuState[]): MachineFinding {
  const failed = gpus.flatMap((gpu) => [
    ...(gpu.recoveryAction !== null && gpu.recoveryAction !== 'None'
      ? [`${gpuName(gpu)}: the driver asks for ${gpu.recoveryAction}`]
      : []),
    ...(gpu.remapFailure === true ? [`${gpuName(gpu)}: a row could not be remapped`] : []),
  ])
  if (failed.length > 0) {
    const mend =
      'reset the GPU (nvidia-smi --gpu-reset) or restart the machine; one that cannot remap is to be replaced'
    return {
      probe: 'health',
      state: 'fail',
      text: failed.join('; '),
      mend,
      value: failed.length,
      limit: 0,
      unit: 'findings',
    }
  }
  const told = gpus.flatMap((gpu) => [
    ...(gpu.remapPending === true || gpu.retirementPending === true ? [`${gpuName(gpu)}: a remap is pending`] : []),
    ...((gpu.ecc.uncorrectedVolatile ?? 0) > 0
      ? [`${gpuName(gpu)}: ${gpu.ecc.uncorrectedVolatile} uncorrected memory errors since the driver was loaded`]
      : []),
  ])
  if (told.length > 0)
    return { probe: 'health', state: 'warn', text: told.join('; '), mend: 'reset the GPU while nothing runs on it' }
  const isKnown = gpus.every(({ ecc, remapPending }) => ecc.uncorrectedVolatile !== null || remapPending !== null)
  return isKnown
    ? { probe: 'health', state: 'pass', text: 'no memory error, no remap pending', mend: null }
    : { probe: 'health', state: 'unknown', text: 'error counters are not told', mend: null }
}

/** What holds an idle GPU's clocks down will hold a busy one's. Power capping is none of it. */
function clocks(gpus: readonly GpuState[]): MachineFinding {
  if (gpus.some(({ reasons }) => reasons === null)) {
    return { probe: 'clocks', state: 'unknown', text: 'what holds the clocks is not told', mend: null }
  }
  const slowed: readonly string[] = SLOWDOWNS
  const held = gpus.flatMap((gpu) =>
    (gpu.reasons ?? [])
      .filter((reason) => slowed.includes(reason) || reason === 'applications_clocks_setting')
      .map((reason) => `${gpuName(gpu)} ${reason}`),
  )
  const off = gpus.filter(({ persistence }) => persistence === 'Disabled')
  if (held.length > 0) {
    const mend =
      'look to cooling and power; undo fixed clocks by nvidia-smi --reset-gpu-clocks, unless the baseline had them'
    return { probe: 'clocks', state: 'warn', text: `clocks are held: ${held.join(', ')}`, mend }
  }
  if (off.length > 0) {
    const text = `persistence mode is off for ${off.map(gpuName).join(', ')}`
    return { probe: 'clocks', state: 'warn', text, mend: 'nvidia-smi -pm 1: every query else wakes the GPUs anew' }
  }
  const capped = gpus.filter(({ reasons }) => reasons?.includes(POWER_CAP)).length
  const limits = [...new Set(gpus.map(({ powerLimitW }) => powerLimitW))].map((watts) =>
    watts === null ? 'unknown' : `${watts} W`,
  )
  const text = `nothing but ${capped > 0 ? 'the power limit' : 'idling'} holds the clocks; power limit ${limits.join(', ')}`
  return { probe: 'clocks', state: 'pass', text, mend: null }
}

function links(gpus: readonly GpuState[]): MachineFinding {
  const up = gpus.map(({ nvlinksUp }) => nvlinksUp)
  if (up.includes(null))
    return { probe: 'nvlink', state: 'unknown', text: 'nvidia-smi nvlink does not tell the links', mend: null }
  const most = Math.max(0, ...up.map(Number))
  const fewer = gpus.filter(({ nvlinksUp }) => nvlinksUp !== most)
  if (fewer.length > 0) {
    const text = fewer.map((gpu) => `${gpuName(gpu)} has ${gpu.nvlinksUp} of ${most} NVLinks up`).join(', ')
    return {
      probe: 'nvlink',
      state: 'warn',
      text,
      mend: 'reset the GPUs; look at nvidia-smi nvlink --errorcounters and the kernel’s log',
    }
  }
  return { probe: 'nvlink', state: 'pass', text: `${most} NVLinks up on each`, mend: null, value: most, unit: 'links' }
}

function log({ kernel }: MachineState, gpus: readonly GpuState[]): MachineFinding {
  if (kernel === null) {
    const mend =
      'let this user read it: group adm or systemd-journal, or kernel.dmesg_restrict=0; or run a DCGM exporter'
    return { probe: 'xid', state: 'unknown', text: 'the kernel’s log cannot be read', mend }
  }
  const own = kernel.xids.filter(
    (xid) => xidBlame(xid) === 'host' && (xid.of === 'switch' || gpus.some(({ bus }) => bus === xid.bus)),
  )
  if (own.length === 0)
    return { probe: 'xid', state: 'pass', text: 'no hardware error in the kernel’s log', mend: null }
  const shown = [...new Set(own.map((xid) => `${xid.bus} ${xidName(xid)}`))].slice(-4)
  const text = `${own.length} hardware errors since the machine booted, the last ${shown.join(', ')}`
  return {
    probe: 'xid',
    state: 'warn',
    text,
    mend: 'a point is judged by new ones only; reset the GPU or restart the machine if they come again',
  }
}

function exporter({ dcgm }: MachineState, gpus: readonly GpuState[]): MachineFinding {
  if (dcgm === null)
    return {
      probe: 'dcgm',
      state: 'unknown',
      text: 'no DCGM exporter answers',
      mend: 'none is needed; machine.dcgm_url names one elsewhere',
    }
  const known = gpus.filter(({ uuid }) => dcgm[uuid] !== undefined).length
  return { probe: 'dcgm', state: 'pass', text: `a DCGM exporter tells of ${known} of the GPUs`, mend: null }
}
