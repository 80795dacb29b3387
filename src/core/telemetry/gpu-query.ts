import { reasonNames } from './gpu-reasons.ts'
import { smiNumber, smiPid, smiText, smiUuid } from './gpu-values.ts'
import type { SmiProcess } from './gpu-xml.ts'
import { PROCESSES_MAX } from './gpu-xml.ts'
import type { GpuSample } from './machine-line.ts'

/** What is asked each second: our field, and nvidia-smi's names for it, newest first. Drivers refuse a query with one name they lack. */
const SAMPLE_FIELDS = {
  uuid: ['uuid', 'gpu_uuid'],
  utilPercent: ['utilization.gpu'],
  memoryUtilPercent: ['utilization.memory'],
  memoryUsedMib: ['memory.used'],
  smMhz: ['clocks.current.sm', 'clocks.sm'],
  memoryMhz: ['clocks.current.memory', 'clocks.mem'],
  powerW: ['power.draw'],
  temperatureC: ['temperature.gpu'],
  memoryTemperatureC: ['temperature.memory'],
  reasons: ['clocks_event_reasons.active', 'clocks_throttle_reasons.active'],
} as const satisfies Record<keyof GpuSample, readonly string[]>

type Field = keyof typeof SAMPLE_FIELDS

/** One column of the query: our field and the name it is asked by. */
export interface QueryColumn {
  field: Field
  name: string
}

export function newestColumns(): QueryColumn[] {
  return (Object.keys(SAMPLE_FIELDS) as Field[]).map((field) => ({ field, name: SAMPLE_FIELDS[field][0] }))
}

/**
 * The columns to try next after nvidia-smi refused one: by its older name, or without it. Null where the message is about no column, or
 * about the UUID, without which nothing is known.
 */
export function withoutRefused(columns: readonly QueryColumn[], message: string): QueryColumn[] | null {
  const refused = /Field "([^"]{1,200})" is not a valid field to query/.exec(message)?.[1]
  const column = columns.find(({ name }) => name === refused)
  if (!column) return null
  const names: readonly string[] = SAMPLE_FIELDS[column.field]
  const older = names[names.indexOf(column.name) + 1]
  if (older !== undefined) return columns.map((other) => (other === column ? { ...column, name: older } : other))
  return column.field === 'uuid' ? null : columns.filter((other) => other !== column)
}

export function queryArguments(columns: readonly QueryColumn[]): string[] {
  return [`--query-gpu=${columns.map(({ name }) => name).join(',')}`, '--format=csv,noheader,nounits']
}

/** One row of the query; null where it is none (a message among the rows). A field that was not asked is null. */
export function parseSampleRow(columns: readonly QueryColumn[], row: string): GpuSample | null {
  const cells = row.split(',')
  if (cells.length !== columns.length) return null
  const cell = (field: Field): string | undefined => cells[columns.findIndex((column) => column.field === field)]
  const uuid = smiUuid(cell('uuid'))
  if (uuid === null) return null
  const number = (field: Field) => smiNumber(cell(field))
  const mask = /^0x([0-9a-f]{1,16})$/i.exec(smiText(cell('reasons')) ?? '')?.[1]
  return {
    uuid,
    utilPercent: number('utilPercent'),
    memoryUtilPercent: number('memoryUtilPercent'),
    memoryUsedMib: number('memoryUsedMib'),
    smMhz: number('smMhz'),
    memoryMhz: number('memoryMhz'),
    powerW: number('powerW'),
    temperatureC: number('temperatureC'),
    memoryTemperatureC: number('memoryTemperatureC'),
    // The low 32 bits: no reason beyond them has been given out.
    reasons: mask === undefined ? null : reasonNames(Number.parseInt(mask.slice(-8), 16)),
  }
}

export const PROCESS_QUERY = [
  '--query-compute-apps=gpu_uuid,pid,process_name,used_gpu_memory',
  '--format=csv,noheader,nounits',
]

/** The compute processes, one a row; a name may hold commas. Null where a line is neither a row nor says that there are none. */
export function parseProcessRows(text: string): SmiProcess[] | null {
  const rows: SmiProcess[] = []
  for (const line of text.split('\n')) {
    if (line.trim() === '' || /no running processes found/i.test(line)) continue
    const cells = line.split(',').map((cell) => cell.trim())
    const [gpu, pid] = [smiUuid(cells[0]), smiPid(cells[1])]
    if (cells.length < 4 || gpu === null || pid === null || rows.length === PROCESSES_MAX) return null
    const name = smiText(cells.slice(2, -1).join(',')) ?? 'unknown'
    rows.push({ gpu, pid, name, usedMib: smiNumber(cells.at(-1)) })
  }
  return rows
}

/** Links that are up, by UUID, from `nvidia-smi nvlink --status`. A card that prints none, or that all are inactive, has none up. */
export function parseNvlinks(text: string): Map<string, number> {
  const up = new Map<string, number>()
  for (const block of text.split(/^(?=GPU \d+:)/m)) {
    const uuid = /^GPU \d+:.*\(UUID: (\S+)\)/.exec(block)?.[1]
    if (uuid) up.set(uuid, [...block.matchAll(/^\s*Link \d+: *[\d.]+ GB\/s/gm)].length)
  }
  return up
}
