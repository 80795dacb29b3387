import { Option } from 'commander'
import { openPack } from '../../adapters/system/pack.ts'
import { readPackReport } from '../../app/read-pack.ts'
import { reportPage } from '../../app/report-page.ts'
import { EXIT } from '../../core/kernel/errors.ts'
import { renderReportMarkdown } from '../../core/report/report-markdown.ts'
import type { AddCommand } from '../command.ts'
import { example } from '../command.ts'

interface Options {
  format: 'markdown' | 'html' | 'json'
}

export const addReport: AddCommand = (program, desk) => {
  program
    .command('report')
    .description('Render what a finished run’s pack says, offline.')
    .argument('<pack>', 'the folder that the run wrote')
    .addOption(
      new Option('--format <format>', 'Markdown or one HTML file for people, or JSON')
        .choices(['markdown', 'html', 'json'])
        .default('markdown'),
    )
    .addHelpText('after', example('capacity-gate report inference-capacity-pack --format html > report.html'))
    .action(async (folder: string, { format }: Options) => {
      const pack = await openPack(folder)
      const input = await readPackReport(pack)
      const json = { verdict: input.verdict, capacity: input.record }
      const text = await {
        markdown: () => renderReportMarkdown(input),
        html: () => reportPage(pack, input),
        json: () => `${JSON.stringify(json, null, 2)}\n`,
      }[format]()
      desk.finish({ exitCode: EXIT.ok, text, isDocument: true, json })
    })
}
