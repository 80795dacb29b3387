import { openStore } from '../../adapters/store/open-store.ts'
import { promote } from '../../app/promote.ts'
import type { Promoted } from '../../app/promote.ts'
import { parseCapacityRecord } from '../../core/gate/read.ts'
import { EXIT } from '../../core/kernel/errors.ts'
import { plainText } from '../../core/report/escape.ts'
import type { AddCommand } from '../command.ts'
import { example } from '../command.ts'
import { readRecordFile } from '../read-inputs.ts'

interface Options {
  candidate: string
  to: string
  anchor?: true
}

export const addPromote: AddCommand = (program, desk) => {
  program
    .command('promote')
    .description('Accept a capacity record as the baseline; refused with the reasons where it cannot be one.')
    .requiredOption('--candidate <file>', 'the capacity.json of a finished sweep')
    .requiredOption('--to <ref>', 'where baselines are kept: dir:PATH')
    .option('--anchor', 'accept it as the last release’s as well')
    .addHelpText('after', example('capacity-gate promote --candidate pack/capacity.json --to dir:capacity-baselines'))
    .action(async ({ candidate, to, anchor }: Options) => {
      const store = openStore(to)
      const { file, text } = await readRecordFile('the candidate', candidate)
      const promoted = await promote(store, { file, record: parseCapacityRecord(text, file), anchor: anchor ?? false })
      desk.finish({ exitCode: EXIT.ok, text: promotedText(promoted), json: promoted })
    })
}

/** Characters of a warning shown. */
const WARNING_MAX = 400

function promotedText({ path, gateId, kind, sha256, anchor, warnings }: Promoted): string {
  const as = anchor ? 'baseline and anchor' : 'baseline'
  const what = kind === 'simulated' ? ' (simulated: compared with simulated records only)' : ''
  const accepted = `accepted as ${as} of ${plainText(gateId)}${what}: ${path}`
  return [accepted, `sha256:${sha256}`, ...warnings.map(({ text }) => `warning: ${plainText(text, WARNING_MAX)}`)].join(
    '\n',
  )
}
