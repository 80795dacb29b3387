import { openPack } from '../../adapters/system/pack.ts'
import { verifyPack } from '../../app/verify/verify.ts'
import type { Verification } from '../../app/verify/verify.ts'
import { EXIT } from '../../core/kernel/errors.ts'
import { plainText } from '../../core/report/escape.ts'
import type { AddCommand } from '../command.ts'
import { example } from '../command.ts'
import { folderSources } from '../compose.ts'
import { requireFolder } from '../read-inputs.ts'

export const addVerify: AddCommand = (program, desk) => {
  program
    .command('verify')
    .description('Recompute every number of a pack from its raw files, and check its checksums.')
    .argument('<pack>', 'the folder that a run wrote')
    .option('--sources <dir>', 'the manifest’s folder: the trace or dataset beside it, to build the schedules again')
    .addHelpText('after', example('capacity-gate verify inference-capacity-pack'))
    .action(async (folder: string, { sources }: { sources?: string }) => {
      if (sources !== undefined) await requireFolder('the folder of --sources', sources)
      const beside = sources === undefined ? null : folderSources(desk.inputs, sources)
      const verification = await verifyPack(await openPack(folder), beside)
      const isWhole = verification.discrepancies.length === 0
      const text = verifyText(verification, folder)
      desk.finish({ exitCode: isWhole ? EXIT.ok : EXIT.invalid, text, json: verification })
    })
}

function verifyText({ discrepancies, unverified, partial, files, points }: Verification, folder: string): string {
  const lines = [...discrepancies, ...unverified].map(
    ({ code, path, text }) => `${plainText(path, 500)}: ${plainText(text, 500)} [${code}]`,
  )
  const checked = `${files} files, ${points} points judged again`
  const said =
    discrepancies.length === 0 && partial !== null
      ? 'PARTIAL: the run was ended before its verdict; what it had judged follows from the raw files'
      : discrepancies.length > 0
        ? `${discrepancies.length} ${discrepancies.length === 1 ? 'thing does' : 'things do'} not follow from the raw files`
        : unverified.length > 0
          ? 'every number follows from the raw files, and from the schedules as they stand'
          : 'every number follows from the raw files'
  const unfinished = (partial?.unfinished ?? []).map(
    (name) => `points/${plainText(name, 200)}: was not finished, and is not judged [unfinished]`,
  )
  return [...lines, ...unfinished, `${plainText(folder, 500)}: ${checked}: ${said}`].join('\n')
}
