import type { CapacityRecord } from '../../core/capacity/record.ts'
import type { ContextFile } from '../../core/report/context-file.ts'
import { renderFailureTest } from '../../core/report/failure-test.ts'
import { renderReportMarkdown } from '../../core/report/report-markdown.ts'
import { packJson, pathsOf } from '../point/files.ts'
import type { Pack } from '../ports/pack.ts'
import { writeChecksums } from './checksums.ts'
import type { Settled, Settlement } from './settle.ts'
import { settle } from './settle.ts'

export const CONTEXT_FILE = 'report-context.json'

/** Gates the record and writes everything that stands at the pack's root; the checksums come last. */
export async function finishPack(pack: Pack, measured: CapacityRecord, settlement: Settlement): Promise<Settled> {
  const settled = settle(measured, settlement)
  const { record, verdict, baseline, anchor } = settled
  const { context, onMissingBaseline } = settlement
  if (record.selected !== null) await publishSelected(pack, record.selected)
  await pack.write('capacity.json', packJson(record))
  await pack.write('verdict.json', packJson(verdict))
  if (baseline !== null) await pack.write('baseline.json', packJson(baseline))
  if (anchor !== null) await pack.write('anchor.json', packJson(anchor))
  await pack.write(CONTEXT_FILE, packJson({ onMissingBaseline, context } satisfies ContextFile))
  await pack.write('report.md', renderReportMarkdown({ record, verdict, baseline, anchor, context }))
  await pack.write('failure-test.md', renderFailureTest())
  await writeChecksums(pack)
  return settled
}

/** Copies the selected point's two files to the pack's root. */
async function publishSelected(pack: Pack, selected: string): Promise<void> {
  const paths = pathsOf(selected)
  for (const [from, to] of [
    [paths.requests, 'requests.csv'],
    [paths.slo, 'slo-report.json'],
  ] as const) {
    const bytes = await pack.read(from)
    if (bytes !== null) await pack.write(to, bytes)
  }
}
