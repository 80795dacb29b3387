import { Option } from 'commander'
import { openPack } from '../../adapters/system/pack.ts'
import { readPackReport } from '../../app/read-pack.ts'
import { EXIT } from '../../core/kernel/errors.ts'
import { renderReportMarkdown } from '../../core/report/report-markdown.ts'
import type { AddCommand } from '../command.ts'
import { example } from '../command.ts'

interface Options {
  format: 'markdown' | 'json'
}

export const addReport: AddCommand = (program, desk) => {
  program
    .command('report')
    .description('Render what a finished run’s pack says, offline.')
    .argument('<pack>', 'the folder that the run wrote')
    .addOption(
      new Option('--format <format>', 'Markdown for people, or JSON').choices(['markdown', 'json']).default('markdown'),
    )
    .addHelpText('after', example('capacity-gate report inference-capacity-pack --format markdown > report.md'))
    .action(async (folder: string, { format }: Options) => {
      const input = await readPackReport(await openPack(folder))
      const json = { verdict: input.verdict, capacity: input.record }
      const text = format === 'json' ? `${JSON.stringify(json, null, 2)}\n` : renderReportMarkdown(input)
      desk.finish({ exitCode: EXIT.ok, text, json })
    })
}
