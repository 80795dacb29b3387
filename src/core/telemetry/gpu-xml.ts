import { busName, smiFlag, smiNumber, smiPid, smiText, smiUuid } from './gpu-values.ts'
import type { EccCounts, GpuState } from './machine-line.ts'
import { readXml, xmlAt, xmlText } from './smi-xml.ts'
import type { XmlElement } from './smi-xml.ts'

/** A process as nvidia-smi lists it; whose it is, is found out elsewhere. */
export interface SmiProcess {
  gpu: string
  pid: number
  name: string
  usedMib: number | null
}

/** More than any machine has: what is longer is no list of it. */
const GPUS_MAX = 256
export const PROCESSES_MAX = 4096
const REASONS_MAX = 100

export interface SmiReport {
  gpus: GpuState[]
  processes: SmiProcess[]
}

/**
 * Reads `nvidia-smi -q -x` of the drivers from R470 on, whose names differ (`clocks_throttle_reasons`, `power_readings`). Links are not in
 * it: `nvlinksUp` is null. Null where the document is cut or something else.
 */
export function parseSmiXml(text: string): SmiReport | null {
  const log = readXml(text)
  if (log?.name !== 'nvidia_smi_log') return null
  const driver = smiText(xmlText(log, 'driver_version'))
  const elements = log.children.filter(({ name }) => name === 'gpu').slice(0, GPUS_MAX)
  const gpus = elements.map((gpu, index) => gpuState(gpu, index, driver)).filter((gpu) => gpu !== null)
  return { gpus, processes: elements.flatMap(processesOf).slice(0, PROCESSES_MAX) }
}

function gpuState(gpu: XmlElement, index: number, driver: string | null): GpuState | null {
  const text = (...paths: string[]) => smiText(xmlText(gpu, ...paths))
  const number = (...paths: string[]) => smiNumber(xmlText(gpu, ...paths))
  const flag = (...paths: string[]) => smiFlag(xmlText(gpu, ...paths))
  const uuid = smiUuid(xmlText(gpu, 'uuid'))
  // A GPU that was lost stands in the list without one.
  if (uuid === null) return null
  return {
    uuid,
    index,
    name: text('product_name'),
    bus: busName(gpu.attributes['id'] ?? xmlText(gpu, 'pci/pci_bus_id')),
    driver,
    vbios: text('vbios_version'),
    memoryTotalMib: number('fb_memory_usage/total'),
    memoryUsedMib: number('fb_memory_usage/used'),
    migMode: migMode(xmlText(gpu, 'mig_mode/current_mig')),
    persistence: text('persistence_mode'),
    powerLimitW: number(
      'gpu_power_readings/current_power_limit',
      'power_readings/enforced_power_limit',
      'power_readings/power_limit',
    ),
    powerDrawW: number(
      'gpu_power_readings/power_draw',
      'gpu_power_readings/average_power_draw',
      'power_readings/power_draw',
    ),
    temperatureC: number('temperature/gpu_temp'),
    smMhz: number('clocks/sm_clock'),
    smMaxMhz: number('max_clocks/sm_clock'),
    utilPercent: number('utilization/gpu_util'),
    reasons: reasonsOf(gpu),
    heldUs: heldOf(gpu),
    eccMode: text('ecc_mode/current_ecc'),
    ecc: eccOf(gpu),
    remappedCorrectable: number('remapped_rows/remapped_row_corr'),
    remappedUncorrectable: number('remapped_rows/remapped_row_unc'),
    remapPending: flag('remapped_rows/remapped_row_pending'),
    remapFailure: flag('remapped_rows/remapped_row_failure'),
    retiredPages: total([
      number('retired_pages/multiple_single_bit_retirement/retired_count'),
      number('retired_pages/double_bit_retirement/retired_count'),
    ]),
    retirementPending: flag('retired_pages/pending_retirement', 'retired_pages/pending_blacklist'),
    recoveryAction: recoveryOf(gpu),
    nvlinksUp: null,
  }
}

function migMode(text: string | null): GpuState['migMode'] {
  if (text === 'Enabled' || text === 'Disabled') return text
  return text === 'N/A' ? 'unsupported' : null
}

/** `None` is an answer here. Older drivers say whether a reset is required. */
function recoveryOf(gpu: XmlElement): string | null {
  const action = xmlText(gpu, 'gpu_recovery_action')
  if (action !== null) return /^none$/i.test(action) ? 'None' : smiText(action)
  const required = smiFlag(xmlText(gpu, 'gpu_reset_status/reset_required'))
  return required === null ? null : required ? 'GPU Reset' : 'None'
}

const REASON = /^clocks_(?:event|throttle)_reason_(\w{1,60})$/

/** Those that are active now; null where none is told. */
function reasonsOf(gpu: XmlElement): string[] | null {
  const block = xmlAt(gpu, 'clocks_event_reasons') ?? xmlAt(gpu, 'clocks_throttle_reasons')
  const told = (block?.children ?? []).slice(0, REASONS_MAX).flatMap(({ name, text }) => {
    const reason = REASON.exec(name)?.[1]
    const state = text.trim()
    return reason && (state === 'Active' || state === 'Not Active') ? [{ reason, isActive: state === 'Active' }] : []
  })
  return told.length === 0 ? null : told.filter(({ isActive }) => isActive).map(({ reason }) => reason)
}

const COUNTER = /^clocks_(?:event|throttle)_reasons_counters_(\w{1,60})$/
/** The counters' names are shorter than the reasons'. */
const COUNTED: Readonly<Record<string, string>> = {
  sw_therm_slowdown: 'sw_thermal_slowdown',
  hw_therm_slowdown: 'hw_thermal_slowdown',
  hw_power_brake: 'hw_power_brake_slowdown',
}

function heldOf(gpu: XmlElement): Record<string, number> | null {
  const block = xmlAt(gpu, 'clocks_event_reasons_counters') ?? xmlAt(gpu, 'clocks_throttle_reasons_counters')
  const told = (block?.children ?? []).slice(0, REASONS_MAX).flatMap(({ name, text }): [string, number][] => {
    const reason = COUNTER.exec(name)?.[1]
    const us = smiNumber(text)
    return reason && us !== null ? [[COUNTED[reason] ?? reason, us]] : []
  })
  return told.length === 0 ? null : Object.fromEntries(told)
}

/** Sums over the memories; uncorrectable errors of the SRAMs stand in one field or, newer, in two. GPUs before Ampere count bits. */
function eccOf(gpu: XmlElement): EccCounts {
  const sum = (...names: string[]): number | null =>
    total(names.map((name) => smiNumber(xmlText(gpu, `ecc_errors/${name}`))))
  const corrected = (age: string) =>
    sum(`${age}/sram_correctable`, `${age}/dram_correctable`, `${age}/single_bit/total`)
  const uncorrected = (age: string) =>
    sum(
      `${age}/sram_uncorrectable`,
      `${age}/sram_uncorrectable_parity`,
      `${age}/sram_uncorrectable_secded`,
      `${age}/dram_uncorrectable`,
      `${age}/double_bit/total`,
    )
  return {
    correctedVolatile: corrected('volatile'),
    correctedAggregate: corrected('aggregate'),
    uncorrectedVolatile: uncorrected('volatile'),
    uncorrectedAggregate: uncorrected('aggregate'),
  }
}

/** Of those that are known; null where none is. */
function total(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0)
}

function processesOf(gpu: XmlElement): SmiProcess[] {
  const uuid = smiUuid(xmlText(gpu, 'uuid'))
  if (uuid === null) return []
  const listed = xmlAt(gpu, 'processes')?.children.filter(({ name }) => name === 'process_info') ?? []
  return listed.flatMap((info): SmiProcess[] => {
    const pid = smiPid(xmlText(info, 'pid'))
    if (pid === null) return []
    const name = smiText(xmlText(info, 'process_name')) ?? 'unknown'
    return [{ gpu: uuid, pid, name, usedMib: smiNumber(xmlText(info, 'used_memory')) }]
  })
}
