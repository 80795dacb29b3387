import type { Clock } from '../../src/app/ports/clock.ts'
import type { Machine, MachineLook } from '../../src/app/ports/machine.ts'
import type {
  GpuSample,
  GpuState,
  HostSample,
  MachineSeen,
  MachineState,
} from '../../src/core/telemetry/machine-line.ts'

export interface FakeMachineOptions {
  clock: Clock
  /** The machine at its look of that number, from 0. Without it, one without GPUs that is fit. */
  state?: (look: number, order: MachineLook) => MachineState
  /** What is seen of each GPU at a sample; nothing by default. */
  sample?: (uuid: string) => GpuSample
}

export const PLAIN_HOST: HostSample = { busyShare: 0.1, stealShare: 0, load1: 0.5, memoryAvailableMib: 16_000 }

/** A machine without GPUs, with nothing to complain of. */
export function plainMachine(change: Partial<MachineState> = {}): MachineState {
  return {
    gpus: null,
    gpusWhy: 'there is none',
    processes: null,
    kernel: null,
    dcgm: null,
    host: { ...PLAIN_HOST, logicalCpus: 8, diskFreeMib: 100_000, oomKills: 0, busy: [] },
    engineOomKills: null,
    containers: null,
    ...change,
  }
}

/** A sound, idle H100. */
export function plainGpu(index: number, change: Partial<GpuState> = {}): GpuState {
  return {
    uuid: fakeUuid(index),
    index,
    name: 'NVIDIA H100 80GB HBM3',
    bus: `0000:${(index + 16).toString(16)}:00`,
    driver: '580.105.08',
    vbios: '96.00.89.00.01',
    memoryTotalMib: 81_559,
    memoryUsedMib: 4,
    migMode: 'Disabled',
    persistence: 'Enabled',
    powerLimitW: 700,
    powerDrawW: 70,
    temperatureC: 30,
    smMhz: 1980,
    smMaxMhz: 1980,
    utilPercent: 0,
    reasons: ['gpu_idle'],
    heldUs: { sw_power_cap: 0, hw_thermal_slowdown: 0, sw_thermal_slowdown: 0, hw_power_brake_slowdown: 0 },
    eccMode: 'Enabled',
    ecc: { correctedVolatile: 0, correctedAggregate: 0, uncorrectedVolatile: 0, uncorrectedAggregate: 0 },
    remappedCorrectable: 0,
    remappedUncorrectable: 0,
    remapPending: false,
    remapFailure: false,
    retiredPages: null,
    retirementPending: null,
    recoveryAction: 'None',
    nvlinksUp: 18,
    ...change,
  }
}

/** A machine of so many sound GPUs. */
export function gpuMachine(count: number, change: Partial<MachineState> = {}): MachineState {
  const gpus = Array.from({ length: count }, (_, index) => plainGpu(index))
  return plainMachine({ gpus, gpusWhy: null, processes: [], kernel: { xids: [], oomKills: [] }, ...change })
}

export function fakeUuid(index: number): string {
  return `GPU-${String(index).padStart(8, '0')}-0000-4000-8000-000000000000`
}

/** An H100 at full load. */
export function busySample(uuid: string, change: Partial<GpuSample> = {}): GpuSample {
  return {
    uuid,
    utilPercent: 98,
    memoryUtilPercent: 40,
    memoryUsedMib: 70_000,
    smMhz: 1605,
    memoryMhz: 2619,
    powerW: 690,
    temperatureC: 61,
    memoryTemperatureC: 75,
    reasons: ['sw_power_cap'],
    ...change,
  }
}

/** A machine made of functions. */
export function fakeMachine({ clock, state, sample = busySample }: FakeMachineOptions): Machine {
  let looks = 0
  return {
    async look(order, signal) {
      signal.throwIfAborted()
      return state?.(looks++, order) ?? plainMachine()
    },
    watch({ gpus, originUs, intervalMs }, onLine) {
      const stopping = new AbortController()
      const see = (seen: MachineSeen) => onLine({ t: 'machine', atUs: clock.nowUs() - originUs, seen })
      const run = async () => {
        for (;;) {
          see({ kind: 'host', host: PLAIN_HOST })
          if (gpus.length > 0) see({ kind: 'gpus', gpus: gpus.map((uuid) => sample(uuid)) })
          try {
            await clock.sleep(intervalMs, stopping.signal)
          } catch {
            return
          }
        }
      }
      const running = run()
      return {
        async [Symbol.asyncDispose]() {
          stopping.abort()
          await running
        },
      }
    },
  }
}
