import { openPack } from '../../adapters/system/pack.ts'
import { explainPack } from '../../app/explain.ts'
import { EXIT } from '../../core/kernel/errors.ts'
import { explanationText } from '../../core/report/explain/text.ts'
import type { AddCommand } from '../command.ts'
import { example } from '../command.ts'
import { readRunRecord } from '../read-inputs.ts'

export const addExplain: AddCommand = (program, desk) => {
  program
    .command('explain')
    .description('Say why a run carries less than its baseline: the causes by how much of the loss they account for.')
    .argument('<pack>', 'the folder that the run wrote')
    .option(
      '--baseline <pack or file>',
      'another pack, or a capacity.json (default: the one that the run was compared with)',
    )
    .addHelpText('after', example('capacity-gate explain inference-capacity-pack --baseline accepted/capacity.json'))
    .action(async (folder: string, { baseline }: { baseline?: string }) => {
      const named = baseline === undefined ? null : await readRunRecord('the baseline', baseline)
      const explained = await explainPack({ pack: await openPack(folder), baseline: named })
      const text = explained.states.map(explanationText)
      desk.finish({ exitCode: EXIT.ok, text: text.join('\n'), json: explained })
    })
}
