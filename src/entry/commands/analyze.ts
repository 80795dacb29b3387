import { INPUT_LIMITS, streamInput } from '../../adapters/system/files.ts'
import { analyzeFile } from '../../app/analyze.ts'
import type { Reconciled } from '../../app/reconcile.ts'
import { EXIT } from '../../core/kernel/errors.ts'
import { showNumber } from '../../core/manifest/finding.ts'
import { parseDurationSeconds, parseQueueTrend } from '../../core/slo/arguments.ts'
import { sloReportJson } from '../../core/slo/json.ts'
import type { AddCommand } from '../command.ts'
import { example } from '../command.ts'
import { readManifestFile, readScheduleFile } from '../read-inputs.ts'

interface Options {
  manifest: string
  requests: string
  durationSeconds: string
  queueTrend: string
  schedule?: string
}

export const addAnalyze: AddCommand = (program, desk) => {
  program
    .command('analyze')
    .description('Judge a file of requests by a manifest: slo-report.json on standard output, whatever it says.')
    .requiredOption('--manifest <file>', 'the workload-manifest.yaml')
    .requiredOption('--requests <csv>', 'the requests.csv')
    .requiredOption('--duration-seconds <s>', 'the whole cohort’s duration, its drain included')
    .requiredOption('--queue-trend <flat|growing>', 'how the queue stood during the arrivals')
    .option('--schedule <file>', 'the frozen schedule that the requests must be the cohort of')
    .addHelpText(
      'after',
      example(
        'capacity-gate analyze --manifest workload-manifest.yaml --requests requests.csv \\',
        '  --duration-seconds 925.4 --queue-trend flat > slo-report.json',
      ),
    )
    .action(async (options: Options) => {
      const durationSeconds = parseDurationSeconds(options.durationSeconds)
      const queueTrend = parseQueueTrend(options.queueTrend)
      const { manifest } = await readManifestFile(options.manifest, 'valid')
      const schedule = options.schedule === undefined ? null : await readScheduleFile(options.schedule)
      const file = options.requests
      const csv = streamInput({ what: 'the requests', path: file, maximumBytes: INPUT_LIMITS.csv })
      const { report, reconciled } = await analyzeFile({ manifest, csv, file, durationSeconds, queueTrend, schedule })
      if (reconciled) desk.note(reconciledText(reconciled))
      const text = sloReportJson(report)
      desk.finish({ exitCode: EXIT.ok, text, isDocument: true, json: report })
    })
}

function reconciledText({ requests, extensionBlocks, scheduleSha256 }: Reconciled): string {
  const blocks = extensionBlocks === 0 ? 'no extension block' : `${extensionBlocks} extension blocks`
  return `reconciled with the schedule ${scheduleSha256.slice(0, 12)}…: ${showNumber(requests)} requests, ids and classes equal, ${blocks}`
}
