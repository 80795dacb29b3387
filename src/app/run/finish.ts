import type { CapacityRecord } from '../../core/capacity/record.ts'
import type { ContextFile } from '../../core/report/context-file.ts'
import { renderFailureTest } from '../../core/report/failure-test.ts'
import { renderReportMarkdown } from '../../core/report/report-markdown.ts'
import { packJson, pathsOf } from '../point/files.ts'
import type { Pack } from '../ports/pack.ts'
import { REPORT_PAGE_FILE, reportPage } from '../report-page.ts'
import { writeChecksums } from './checksums.ts'
import type { Settled, Settlement } from './settle.ts'
import { settle } from './settle.ts'
import { writeOrRemove } from './write-or-remove.ts'

export const CONTEXT_FILE = 'report-context.json'
/** The accepted losses by which the verdict was reached, as they were read. */
export const ACCEPTED_LOSSES_FILE = 'accepted.yaml'

/** Gates the record and writes everything that stands at the pack's root; the checksums come last. */
export async function finishPack(pack: Pack, measured: CapacityRecord, settlement: Settlement): Promise<Settled> {
  const settled = settle(measured, settlement)
  const { record, verdict, baseline, anchor } = settled
  const { context, onMissingBaseline, onHostChange, acceptedLosses } = settlement
  await publishSelected(pack, record.selected)
  await pack.write('capacity.json', packJson(record))
  await pack.write('verdict.json', packJson(verdict))
  await writeOrRemove(pack, 'baseline.json', baseline && packJson(baseline))
  await writeOrRemove(pack, 'anchor.json', anchor && packJson(anchor))
  await writeOrRemove(pack, ACCEPTED_LOSSES_FILE, acceptedLosses && acceptedLosses.text)
  const asOf = acceptedLosses === null ? {} : { acceptedAsOf: acceptedLosses.asOf }
  await pack.write(CONTEXT_FILE, packJson({ onMissingBaseline, onHostChange, ...asOf, context } satisfies ContextFile))
  await pack.write('report.md', renderReportMarkdown({ record, verdict, baseline, anchor, context }))
  await pack.write(REPORT_PAGE_FILE, await reportPage(pack, { record, verdict, baseline, anchor, context }))
  await pack.write('failure-test.md', renderFailureTest())
  await writeChecksums(pack)
  return settled
}

/** Copies the selected point's two files to the pack's root. */
async function publishSelected(pack: Pack, selected: string | null): Promise<void> {
  const paths = selected === null ? null : pathsOf(selected)
  await writeOrRemove(pack, 'requests.csv', paths && (await pack.read(paths.requests)))
  await writeOrRemove(pack, 'slo-report.json', paths && (await pack.read(paths.slo)))
}
