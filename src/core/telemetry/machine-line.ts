/** What holds the clocks down, by NVIDIA's own names. `display_clocks_setting` and unknown bits are kept as they are told. */
type ClockReason = string

/** One process on a GPU. `ours`: whether it is the measured engine's; null where that cannot be told. */
export interface GpuProcess {
  /** The GPU's UUID. */
  gpu: string
  pid: number
  name: string
  usedMib: number | null
  user: string | null
  /** The full id of its container; null: it runs in none, or that cannot be read. */
  container: string | null
  ours: boolean | null
}

/** Errors of a GPU's memories, as counted since the driver was loaded (`volatile`) and ever (`aggregate`). */
export interface EccCounts {
  correctedVolatile: number | null
  correctedAggregate: number | null
  uncorrectedVolatile: number | null
  uncorrectedAggregate: number | null
}

/** One GPU as `nvidia-smi -q -x` tells it. Null is what it does not tell; never zero. */
export interface GpuState {
  uuid: string
  /** nvidia-smi's own number: its place in the list. */
  index: number
  name: string | null
  /** `0000:19:00`, lower case. */
  bus: string | null
  driver: string | null
  vbios: string | null
  memoryTotalMib: number | null
  memoryUsedMib: number | null
  migMode: 'Enabled' | 'Disabled' | 'unsupported' | null
  persistence: string | null
  powerLimitW: number | null
  powerDrawW: number | null
  temperatureC: number | null
  smMhz: number | null
  smMaxMhz: number | null
  utilPercent: number | null
  reasons: ClockReason[] | null
  /** For how long each reason held the clocks since the driver was loaded, in microseconds. */
  heldUs: Record<ClockReason, number> | null
  eccMode: string | null
  ecc: EccCounts
  remappedCorrectable: number | null
  remappedUncorrectable: number | null
  remapPending: boolean | null
  remapFailure: boolean | null
  retiredPages: number | null
  retirementPending: boolean | null
  /** What the driver asks for: `None`, `GPU Reset` … */
  recoveryAction: string | null
  nvlinksUp: number | null
}

/** One GPU at one moment of a point, from `nvidia-smi --query-gpu`. */
export interface GpuSample {
  uuid: string
  utilPercent: number | null
  memoryUtilPercent: number | null
  memoryUsedMib: number | null
  smMhz: number | null
  memoryMhz: number | null
  powerW: number | null
  temperatureC: number | null
  memoryTemperatureC: number | null
  reasons: ClockReason[] | null
}

/** A driver's error message in the kernel's log, or a switch's (`SXid`). */
export interface XidLine {
  /** Seconds since boot, as the log writes them; null where it does not. */
  atSeconds: number | null
  /** `gpu`: an Xid. `switch`: an SXid of an NVSwitch. */
  of: 'gpu' | 'switch'
  code: number
  /** `0000:19:00`, lower case. */
  bus: string
  text: string
}

/** What of the kernel's log matters here. */
export interface KernelLog {
  xids: XidLine[]
  /** `Out of memory: Killed process 123 (name)`, as written. */
  oomKills: string[]
}

/** A GPU's values on a DCGM exporter's page, by our own names. */
export type DcgmValues = Record<string, number>

/** A process that used much processor time, and is neither the engine's nor ours. */
export interface BusyProcess {
  pid: number
  name: string
  user: string | null
  /** Processors that it kept busy, on average since it was looked at before. */
  cores: number
}

/** The host beside its GPUs. Shares are of all its processors since the sample before; null in the first. */
export interface HostSample {
  busyShare: number | null
  stealShare: number | null
  load1: number | null
  memoryAvailableMib: number | null
}

export interface HostState extends HostSample {
  logicalCpus: number | null
  /** Free space where the pack is written. */
  diskFreeMib: number | null
  /** Processes that the kernel killed for want of memory, on the whole machine since it booted. */
  oomKills: number | null
  busy: BusyProcess[] | null
}

/** A container of the engine, as its runtime tells of it. */
export interface ContainerState {
  /** In full. */
  id: string
  /** By the runtime's own restart policy. */
  restarts: number
  /** The kernel ended it for its memory. */
  oomKilled: boolean
  /** As the runtime writes it: another text is another start. */
  startedAt: string
}

/** Everything that was seen of the machine at one moment. */
export interface MachineState {
  /** Every GPU of the machine; null where they cannot be read, and then `gpusWhy` says why. */
  gpus: GpuState[] | null
  gpusWhy: string | null
  processes: GpuProcess[] | null
  kernel: KernelLog | null
  dcgm: Record<string, DcgmValues> | null
  host: HostState
  /** Processes that were killed at the engine's own memory limit, over all its control groups. */
  engineOomKills: number | null
  /** The engine's containers; null where it has none, and where their runtime does not tell. */
  containers: ContainerState[] | null
}

/** What one `machine` line of a point's telemetry holds. */
export type MachineSeen =
  /** All of it, before the point's load and after it. */
  | { kind: 'state'; phase: 'before' | 'after'; state: MachineState }
  | { kind: 'gpus'; gpus: GpuSample[] }
  | { kind: 'processes'; processes: GpuProcess[] }
  | { kind: 'host'; host: HostSample }
  | { kind: 'dcgm'; gpus: Record<string, DcgmValues> }
  /** A probe that did not answer. */
  | { kind: 'gap'; probe: 'gpus' | 'processes' | 'dcgm'; error: string }
