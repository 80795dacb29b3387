import type { CapacityRecord } from '../core/capacity/record.ts'
import { parseCapacityRecord, parseVerdict } from '../core/gate/read.ts'
import type { ReportContext, ReportInput } from '../core/report/context.ts'
import { parseContextFile } from '../core/report/context-file.ts'
import { readPackText } from './point/files.ts'
import type { Pack } from './ports/pack.ts'
import { CONTEXT_FILE } from './run/finish.ts'

/**
 * What a finished run's pack says, for rendering it again: under `context`, or else under the one it was rendered with. Nothing is
 * recomputed: that is `verify`'s. Throws GateError `pack_incomplete` for an unfinished pack, and those of the files that are damaged.
 */
export async function readPackReport(pack: Pack, context?: ReportContext): Promise<ReportInput> {
  const record = parseCapacityRecord(await readPackText(pack, 'capacity.json'))
  const verdict = parseVerdict(await readPackText(pack, 'verdict.json'))
  const [baseline, anchor] = [await accepted(pack, 'baseline.json'), await accepted(pack, 'anchor.json')]
  const shown = context ?? parseContextFile(await readPackText(pack, CONTEXT_FILE)).context
  return { record, verdict, baseline, anchor, context: shown }
}

async function accepted(pack: Pack, path: string): Promise<CapacityRecord | null> {
  return (await pack.read(path)) === null ? null : parseCapacityRecord(await readPackText(pack, path), path)
}
