import type { DcgmValues } from './machine-line.ts'
import { parsePrometheus } from './prometheus.ts'

/** A DCGM exporter's fields → our names. Which are there is the exporter's own list; units are DCGM's. */
const DCGM_METRICS: Readonly<Record<string, string>> = {
  DCGM_FI_DEV_XID_ERRORS: 'lastXid',
  DCGM_FI_DEV_SM_CLOCK: 'smMhz',
  DCGM_FI_DEV_MEM_CLOCK: 'memoryMhz',
  DCGM_FI_DEV_GPU_UTIL: 'utilPercent',
  DCGM_FI_DEV_GPU_TEMP: 'temperatureC',
  DCGM_FI_DEV_MEMORY_TEMP: 'memoryTemperatureC',
  DCGM_FI_DEV_POWER_USAGE: 'powerW',
  DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION: 'energyMj',
  DCGM_FI_DEV_FB_USED: 'memoryUsedMib',
  DCGM_FI_DEV_ECC_DBE_VOL_TOTAL: 'eccUncorrectedVolatile',
  DCGM_FI_DEV_ECC_DBE_AGG_TOTAL: 'eccUncorrectedAggregate',
  DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS: 'remappedUncorrectable',
  DCGM_FI_DEV_CORRECTABLE_REMAPPED_ROWS: 'remappedCorrectable',
  DCGM_FI_DEV_ROW_REMAP_FAILURE: 'remapFailure',
  DCGM_FI_DEV_ROW_REMAP_PENDING: 'remapPending',
  DCGM_FI_DEV_PCIE_REPLAY_COUNTER: 'pcieReplays',
  DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL: 'nvlinkTotal',
  DCGM_FI_DEV_POWER_VIOLATION: 'powerViolation',
  DCGM_FI_DEV_THERMAL_VIOLATION: 'thermalViolation',
  DCGM_FI_DEV_CLOCKS_EVENT_REASONS: 'reasonsMask',
  DCGM_FI_DEV_CLOCK_THROTTLE_REASONS: 'reasonsMask',
  DCGM_FI_PROF_GR_ENGINE_ACTIVE: 'engineActiveShare',
  DCGM_FI_PROF_PIPE_TENSOR_ACTIVE: 'tensorActiveShare',
  DCGM_FI_PROF_DRAM_ACTIVE: 'dramActiveShare',
}
const NAMES: ReadonlySet<string> = new Set(Object.keys(DCGM_METRICS))

/** DCGM's blanks (no value yet, not supported) reach the page as numbers of this size and above; a GPU's energy grows to it in years. */
const BLANK = 1e14
const UUID_MAX = 200

/**
 * A DCGM exporter's page, by the GPU's UUID. Series of a MIG instance say nothing of the whole GPU and are left out, blanks too. Null
 * where the page is none of DCGM's.
 */
export function parseDcgm(page: string): Record<string, DcgmValues> | null {
  const gpus = new Map<string, DcgmValues>()
  for (const { name, labels, value } of parsePrometheus(page, NAMES)) {
    const field = DCGM_METRICS[name]
    const uuid = labels['UUID'] ?? labels['uuid']
    if (field === undefined || !uuid || uuid.length > UUID_MAX || labels['GPU_I_ID']) continue
    const values = gpus.get(uuid) ?? {}
    gpus.set(uuid, values)
    if (Number.isFinite(value) && Math.abs(value) < BLANK) values[field] ??= value
  }
  return gpus.size === 0 ? null : Object.fromEntries(gpus)
}
