import { hostname, userInfo } from 'node:os'
import { openStore } from '../../adapters/store/open-store.ts'
import type { Acceptance, Promoted } from '../../app/promote.ts'
import { promote } from '../../app/promote.ts'
import { changeText } from '../../core/gate/experiment-changes.ts'
import { parseCapacityRecord } from '../../core/gate/read.ts'
import { EXIT, GateError } from '../../core/kernel/errors.ts'
import { plainText } from '../../core/report/escape.ts'
import type { AddCommand } from '../command.ts'
import { example } from '../command.ts'
import { readRecordFile, verdictBeside } from '../read-inputs.ts'
import { clonedRepository } from '../repository-access.ts'
import { TOOL_VERSION } from '../version.ts'

interface Options {
  candidate: string
  to: string
  anchor?: true
  newExperiment?: true
  yes?: true
  reason?: string
}

export const addPromote: AddCommand = (program, desk) => {
  program
    .command('promote')
    .description('Accept a capacity record as the baseline; refused with the reasons where it cannot be one.')
    .requiredOption('--candidate <file>', 'the capacity.json of a finished sweep')
    .requiredOption('--to <ref>', 'where baselines are kept: branch:NAME[:FOLDER] of the clone’s origin, or dir:PATH')
    .option('--anchor', 'accept it as the last release’s as well')
    .option('--new-experiment', 'the manifest’s experiment was changed, and that is meant')
    .option('--reason <text>', 'why, kept beside the record')
    .option('--yes', 'accept it without a reason')
    .addHelpText(
      'after',
      example(
        'capacity-gate promote --candidate accepted/capacity.json --to branch:capacity-baselines --reason "the first baseline"',
        'capacity-gate promote --candidate accepted/capacity.json --to dir:capacity-baselines --yes',
      ),
    )
    .action(async ({ candidate, to, reason, ...flags }: Options) => {
      const [anchor, newExperiment] = [flags.anchor ?? false, flags.newExperiment ?? false]
      const acceptance = ownAcceptance(reason, flags.yes ?? false)
      const store = await openStore(to, clonedRepository(desk.inputs))
      const { file, text } = await readRecordFile('the candidate', candidate)
      const record = parseCapacityRecord(text, file)
      const verdict = await verdictBeside(candidate)
      const promoted = await promote(store, { file, record, anchor, newExperiment, acceptance, verdict })
      desk.finish({ exitCode: EXIT.ok, text: promotedText(promoted), json: promoted })
    })
}

/** A person's at a terminal: the right is theirs who may write where baselines are kept, and what is asked for is that they mean it. */
function ownAcceptance(reason: string | undefined, yes: boolean): Acceptance {
  const said = reason?.trim() ?? ''
  if (said === '' && !yes) {
    throw new GateError({
      code: 'promotion_unconfirmed',
      message: 'a new baseline is what every later revision is held to, and no reason was given for this one',
      hint: 'say why with --reason TEXT, or --yes without one',
      exitCode: EXIT.usage,
    })
  }
  return {
    acceptedAt: new Date().toISOString(),
    acceptedBy: userName(),
    authority: 'terminal',
    place: hostname(),
    approvedBy: [],
    run: null,
    reason: said === '' ? 'accepted at a terminal with --yes' : said.slice(0, REASON_MAX),
    toolVersion: TOOL_VERSION,
  }
}

/** Characters of a reason kept. */
const REASON_MAX = 2000

/** A user without an entry has a number. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}

/** Characters of a warning shown. */
const WARNING_MAX = 400

function promotedText({ path, gateId, kind, sha256, anchor, warnings, experimentChanges }: Promoted): string {
  const as = anchor ? 'baseline and anchor' : 'baseline'
  const what = kind === 'simulated' ? ' (simulated: compared with simulated records only)' : ''
  return [
    `accepted as ${as} of ${plainText(gateId)}${what}: ${path}`,
    `sha256:${sha256}`,
    ...experimentChanges.map((change) => `new experiment: ${plainText(changeText(change), WARNING_MAX)}`),
    ...warnings.map(({ text }) => `warning: ${plainText(text, WARNING_MAX)}`),
  ].join('\n')
}
