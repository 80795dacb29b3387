import { openPack } from '../../adapters/system/pack.ts'
import { verifyPack } from '../../app/verify/verify.ts'
import type { Verification } from '../../app/verify/verify.ts'
import { EXIT } from '../../core/kernel/errors.ts'
import { plainText } from '../../core/report/escape.ts'
import type { AddCommand } from '../command.ts'
import { example } from '../command.ts'

export const addVerify: AddCommand = (program, desk) => {
  program
    .command('verify')
    .description('Recompute every number of a pack from its raw files, and check its checksums.')
    .argument('<pack>', 'the folder that a run wrote')
    .addHelpText('after', example('capacity-gate verify inference-capacity-pack'))
    .action(async (folder: string) => {
      const verification = await verifyPack(await openPack(folder))
      const isWhole = verification.discrepancies.length === 0
      const text = verifyText(verification, folder)
      desk.finish({ exitCode: isWhole ? EXIT.ok : EXIT.invalid, text, json: verification })
    })
}

function verifyText({ discrepancies, files, points }: Verification, folder: string): string {
  const lines = discrepancies.map(
    ({ code, path, text }) => `${plainText(path, 500)}: ${plainText(text, 500)} [${code}]`,
  )
  const checked = `${files} files, ${points} points judged again`
  const said =
    lines.length === 0
      ? 'every number follows from the raw files'
      : `${lines.length} things do not follow from the raw files`
  return [...lines, `${plainText(folder, 500)}: ${checked}: ${said}`].join('\n')
}
