import { parse } from 'csv-parse/sync'

/** Runs nvidia-smi with these arguments; null where it is missing or fails. */
export type NvidiaSmi = (args: readonly string[]) => Promise<string | null>

export interface GpuFacts {
  mustEqual: Record<string, string>
  recorded: Record<string, string>
}

/** nvidia-smi's query field → whether it must be equal, and its name in the record. */
const FIELDS = [
  ['name', 'mustEqual', 'gpuModel'],
  ['memory.total', 'mustEqual', 'gpuMemoryMib'],
  ['mig.mode.current', 'mustEqual', 'gpuMigMode'],
  ['power.limit', 'mustEqual', 'gpuPowerLimitW'],
  ['driver_version', 'recorded', 'gpuDriver'],
  ['uuid', 'recorded', 'gpuUuids'],
  ['vbios_version', 'recorded', 'gpuVbios'],
  ['persistence_mode', 'recorded', 'gpuPersistence'],
] as const

/** One value where all GPUs agree, else each in order. */
function summary(values: readonly string[]): string {
  const distinct = [...new Set(values)]
  return distinct.length === 1 ? (distinct[0] ?? 'unknown') : values.join(', ')
}

/** nvidia-smi writes `[N/A]` and `[Unknown Error]` for what it cannot tell; a card that cannot be partitioned has no MIG mode. */
function known(name: string, value: string | undefined): string {
  if (name === 'gpuMigMode' && value === '[N/A]') return 'unsupported'
  return value === undefined || value === '' || value.startsWith('[') ? 'unknown' : value
}

/** `nvidia-smi nvlink --status` prints a rate for a link that is up, `<inactive>` for one that is not. */
function linksUp(status: string | null): string {
  if (status === null) return 'unknown'
  // A card without links, or with none in use, prints this in place of the table.
  if (/all links are inactive/i.test(status)) return '0'
  const gpus = status.split(/^GPU \d+/m).slice(1)
  return summary(gpus.map((gpu) => String([...gpu.matchAll(/^\s*Link \d+: *[\d.]+ GB\/s/gm)].length)))
}

/** The machine's GPUs. Every value that cannot be read is `unknown`. */
export async function probeGpus(nvidiaSmi: NvidiaSmi): Promise<GpuFacts> {
  const query = FIELDS.map(([field]) => field).join(',')
  const [table, links] = await Promise.all([
    nvidiaSmi([`--query-gpu=${query}`, '--format=csv,noheader,nounits']),
    nvidiaSmi(['nvlink', '--status']),
  ])
  const rows = parseTable(table)
  const facts: GpuFacts = {
    mustEqual: { gpuCount: rows.length > 0 ? String(rows.length) : 'unknown', gpuNvlinksUp: linksUp(links) },
    recorded: {},
  }
  FIELDS.forEach(([, part, name], column) => {
    facts[part][name] = rows.length > 0 ? summary(rows.map((row) => known(name, row[column]))) : 'unknown'
  })
  facts.mustEqual['gpuDriverMajor'] = /^\d+/.exec(facts.recorded['gpuDriver'] ?? '')?.[0] ?? 'unknown'
  return facts
}

function parseTable(table: string | null): string[][] {
  if (table === null) return []
  try {
    return parse(table, { trim: true, skip_empty_lines: true })
  } catch {
    return []
  }
}
