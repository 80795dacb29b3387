import type { GpuState } from './machine-line.ts'

/** The hardware facts of a record. */
export interface GpuFacts {
  /** What makes two capacities comparable. */
  mustEqual: Record<string, string>
  recorded: Record<string, string>
}

/** A machine's GPUs as a record holds them. What is not known is `unknown`; GPUs that differ are listed in their order. */
export function gpuFacts(gpus: readonly GpuState[] | null): GpuFacts {
  const each = (read: (gpu: GpuState) => string | null): string => summary((gpus ?? []).map(read))
  const driver = each((gpu) => gpu.driver)
  return {
    mustEqual: {
      gpuCount: gpus === null || gpus.length === 0 ? 'unknown' : String(gpus.length),
      gpuModel: each((gpu) => gpu.name),
      gpuMemoryMib: each((gpu) => text(gpu.memoryTotalMib)),
      gpuMigMode: each((gpu) => gpu.migMode),
      gpuPowerLimitW: each((gpu) => gpu.powerLimitW?.toFixed(2) ?? null),
      gpuNvlinksUp: each((gpu) => text(gpu.nvlinksUp)),
      gpuDriverMajor: /^\d+/.exec(driver)?.[0] ?? 'unknown',
    },
    recorded: {
      gpuDriver: driver,
      gpuUuids: each((gpu) => gpu.uuid),
      gpuVbios: each((gpu) => gpu.vbios),
      gpuPersistence: each((gpu) => gpu.persistence),
      gpuClockMaxMhz: each((gpu) => text(gpu.smMaxMhz)),
    },
  }
}

/** One value where all GPUs agree, else each in order. */
function summary(values: readonly (string | null)[]): string {
  const told = values.map((value) => value ?? 'unknown')
  const distinct = [...new Set(told)]
  return distinct.length === 1 ? (distinct[0] ?? 'unknown') : told.join(', ') || 'unknown'
}

function text(value: number | null): string | null {
  return value === null ? null : String(value)
}
