import { stat } from 'node:fs/promises'
import { openPack } from '../adapters/system/pack.ts'
import { readPackReport } from '../app/read-pack.ts'
import type { CapacityRecord } from '../core/capacity/record.ts'
import { parseCapacityRecord } from '../core/gate/read.ts'
import type { Verdict } from '../core/gate/verdict.ts'
import { readRecordFile } from './read-inputs.ts'

export interface HistoryRun {
  record: CapacityRecord
  /** Null for a record without its pack. */
  verdict: Verdict | null
  /** As the run was told; null: the gate's id. */
  series: string | null
  runUrl: string | null
}

/** A finished run's pack, or a capacity.json alone. Throws GateError for one that is unfinished or damaged, exit 4. */
export async function readHistoryRun(path: string): Promise<HistoryRun> {
  const isFolder = (await stat(path).catch(() => null))?.isDirectory() ?? false
  if (isFolder) {
    const { record, verdict, context } = await readPackReport(await openPack(path))
    return { record, verdict, series: context.series ?? null, runUrl: context.runUrl ?? null }
  }
  const { file, text } = await readRecordFile('the run', path)
  return { record: parseCapacityRecord(text, file), verdict: null, series: null, runUrl: null }
}
