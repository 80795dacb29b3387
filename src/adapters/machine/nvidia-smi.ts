import type { QueryColumn } from '../../core/telemetry/gpu-query.ts'
import {
  newestColumns,
  parseNvlinks,
  parseProcessRows,
  parseSampleRow,
  PROCESS_QUERY,
  queryArguments,
  withoutRefused,
} from '../../core/telemetry/gpu-query.ts'
import type { SmiProcess, SmiReport } from '../../core/telemetry/gpu-xml.ts'
import { parseSmiXml } from '../../core/telemetry/gpu-xml.ts'
import type { BoundedCommand } from './bounded-command.ts'
import { boundedCommand } from './bounded-command.ts'

/** Without persistence mode the driver wakes every GPU first: seconds for each. */
const REPORT_DEADLINE_MS = 30_000
const QUERY_DEADLINE_MS = 5000

/** nvidia-smi, asked. A value, or why there is none. */
export interface NvidiaSmi {
  readonly program: string
  /** `-q -x`, with the links of `nvlink --status`. */
  report(): Promise<SmiReport | { why: string }>
  /** The GPUs there are, by nvidia-smi's number: quick. */
  list(): Promise<{ index: number; uuid: string }[] | { why: string }>
  processes(): Promise<SmiProcess[] | { why: string }>
  /** What a query of samples may ask of this driver; kept once it is known. */
  columns(): Promise<QueryColumn[] | { why: string }>
}

export function nvidiaSmi(command: BoundedCommand = boundedCommand('nvidia-smi')): NvidiaSmi {
  let known: QueryColumn[] | null = null
  return {
    program: command.program,
    async report() {
      const { stdout, why } = await command.run(['-q', '-x'], REPORT_DEADLINE_MS)
      // With a GPU lost it fails and still tells of the others.
      const report = parseSmiXml(stdout)
      if (!report) return { why: why ?? `${command.program} -q -x printed no whole document` }
      const links = parseNvlinks((await command.run(['nvlink', '--status'], QUERY_DEADLINE_MS)).stdout)
      return { ...report, gpus: report.gpus.map((gpu) => ({ ...gpu, nvlinksUp: links.get(gpu.uuid) ?? null })) }
    },
    async list() {
      const { stdout, why } = await command.run(['--query-gpu=index,uuid', '--format=csv,noheader'], QUERY_DEADLINE_MS)
      const rows = [...stdout.matchAll(/^(\d{1,4}), *(GPU-[\w-]{1,100})$/gm)]
      if (rows.length === 0) return { why: why ?? `${command.program} lists no GPU` }
      return rows.map(([, index, uuid]) => ({ index: Number(index), uuid: uuid ?? '' }))
    },
    async processes() {
      const { stdout, why } = await command.run(PROCESS_QUERY, QUERY_DEADLINE_MS)
      return (
        (why === null ? parseProcessRows(stdout) : null) ?? { why: why ?? `${command.program} listed no processes` }
      )
    },
    async columns() {
      if (known) return known
      const found = await acceptedColumns(command)
      if (!('why' in found)) known = found
      return found
    },
  }
}

/** Asks by the newest names, and with every refusal by older ones or without. */
async function acceptedColumns(command: BoundedCommand): Promise<QueryColumn[] | { why: string }> {
  let columns = newestColumns()
  for (;;) {
    const { stdout, why } = await command.run(queryArguments(columns), QUERY_DEADLINE_MS)
    const next = withoutRefused(columns, `${why ?? ''}\n${stdout}`)
    if (next === null) {
      // With another GPU lost it fails and still answers for the rest.
      const isAnswered = stdout.split('\n').some((row) => parseSampleRow(columns, row) !== null)
      return isAnswered ? columns : { why: why ?? `${command.program} printed no row of the query` }
    }
    columns = next
  }
}
