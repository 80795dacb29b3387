import type { TelemetryLine } from '../../core/telemetry/line.ts'
import type { MachineState } from '../../core/telemetry/machine-line.ts'
import type { Owned } from './engine.ts'

export interface MachineLook {
  /** Without GPUs no program is started: what is seen is what the system itself tells. */
  withGpus: boolean
  /** Of a DCGM exporter's page; `auto`: the usual one, where it answers; `none`. */
  dcgmUrl: string
  /** What belongs to the engine that stands; null where none does, or where it cannot be told. */
  owned: (() => Promise<Owned>) | null
}

export interface MachineWatch extends MachineLook {
  /** UUIDs of the GPUs to sample. */
  gpus: readonly string[]
  /** The cohort's start on `Clock.nowUs`: lines carry times relative to it. */
  originUs: number
  intervalMs: number
}

/** The machine that the engine runs on, as far as it can be seen. Nothing of it is ever guessed: what cannot be read is null. */
export interface Machine {
  /** Everything that can be seen now; it may take seconds. Throws only the reason of an aborted signal. */
  look(order: MachineLook, signal: AbortSignal): Promise<MachineState>
  /** Samples GPUs, processes on them and host every interval until disposed, and says as gaps what did not answer. */
  watch(order: MachineWatch, onLine: (line: TelemetryLine) => void): AsyncDisposable
}
