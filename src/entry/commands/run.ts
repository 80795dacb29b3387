import type { Command } from 'commander'
import { Option } from 'commander'
import { openStore } from '../../adapters/store/open-store.ts'
import { unusedFolder } from '../../adapters/system/earlier-pack.ts'
import { painter } from '../../adapters/terminal/typeset.ts'
import { acceptedFacts, requireAcceptedLosses } from '../../app/accepted-losses.ts'
import { run } from '../../app/run/run.ts'
import type { OnHostChange } from '../../core/gate/host-proof.ts'
import type { Cache } from '../../core/kernel/point.ts'
import { plainText } from '../../core/report/escape.ts'
import { typedCommand } from '../../core/report/next-commands.ts'
import type { AddCommand, Desk } from '../command.ts'
import { example, positiveNumber } from '../command.ts'
import { composeEffects } from '../compose.ts'
import { interruptible } from '../interruptible.ts'
import { readAcceptedFile, readManifestFile, today } from '../read-inputs.ts'
import { clonedRepository } from '../repository-access.ts'
import { TOOL_VERSION } from '../version.ts'
import { acceptedOption, onHostChangeOption, onInconclusiveOption, verdictResult } from './gate.ts'
import { baselineOption, cacheOption, subjectOption } from './run-options.ts'

interface Options {
  pack: string
  plan: 'confirm' | 'sweep'
  baseline?: string
  accepted?: string
  cache: Cache[]
  subject?: string
  resume?: true
  onMissingBaseline: 'fail' | 'record'
  onHostChange: OnHostChange
  onInconclusive: 'fail' | 'warn'
  budgetMinutes?: number
  lockWaitMinutes?: number
}

export const addRun: AddCommand = (program, desk) => {
  const command = program
    .command('run')
    .description('The whole flow: deploy, replay, judge, compare; writes the pack and ends as the verdict says.')
    .argument('<manifest>', 'the workload-manifest.yaml')
    .requiredOption('--pack <dir>', 'the folder for everything the run leaves')
  addRunOptions(command)
    .addHelpText(
      'after',
      example(
        'capacity-gate run workload-manifest.yaml --plan sweep --pack accepted --on-missing-baseline record',
        'capacity-gate run workload-manifest.yaml --pack pack --baseline dir:capacity-baselines',
      ),
    )
    .action((path: string, options: Options) => runCommand(desk, path, options))
}

function addRunOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--plan <plan>', 'confirm asks at the guard rate, sweep finds the capacity')
        .choices(['confirm', 'sweep'])
        .default('confirm'),
    )
    .addOption(baselineOption())
    .addOption(cacheOption())
    .addOption(subjectOption())
    .option('--resume', 'go on with the interrupted run in --pack at its next point')
    .addOption(
      new Option('--on-missing-baseline <what>', 'without an accepted record: inconclusive, or record an ungated run')
        .choices(['fail', 'record'])
        .default('fail'),
    )
    .addOption(acceptedOption())
    .addOption(onHostChangeOption())
    .addOption(onInconclusiveOption())
    .option('--budget-minutes <m>', 'refuse a longer plan, and begin no point after it', positiveNumber)
    .option('--lock-wait-minutes <m>', 'wait so long for another run on the same ports or GPUs', positiveNumber)
}

async function runCommand({ inputs, note, finish }: Desk, path: string, options: Options): Promise<void> {
  const { manifest, text, subjectText } = await readManifestFile(path, 'deployable', options.subject)
  const read = await readAcceptedFile(options.accepted)
  const acceptedLosses = read === null ? null : requireAcceptedLosses(read, acceptedFacts(manifest, today()))
  for (const { message, line } of acceptedLosses?.warnings ?? []) {
    note(`warning: ${plainText(`${options.accepted}:${line}: ${message}`, 1000)}`)
  }
  const baselineRef = options.baseline === undefined ? {} : { baselineRef: options.baseline }
  const subjectFile = subjectText === null ? {} : { hasSubjectFile: true as const }
  const context = { toolVersion: TOOL_VERSION, packPath: options.pack, ...subjectFile, ...baselineRef }
  const store = options.baseline === undefined ? null : await openStore(options.baseline, clonedRepository(inputs))
  await interruptible(
    async (signal) => {
      await using composed = await composeEffects(inputs, {
        packFolder: options.pack,
        manifest,
        manifestPath: path,
        signal,
        lockWaitMinutes: options.lockWaitMinutes ?? 0,
      })
      const request = {
        manifest,
        manifestText: text,
        subjectText,
        plan: options.plan,
        caches: options.cache,
        resume: options.resume ?? false,
        onMissingBaseline: options.onMissingBaseline,
        acceptedLosses,
        onHostChange: options.onHostChange,
        budgetMinutes: options.budgetMinutes ?? null,
        context,
      }
      const { record: candidate, ...rest } = await run({ ...composed.effects, store }, request, signal)
      const typed = { manifest: path, argv: inputs.argv, freshPack: await unusedFolder(options.pack) }
      const paint = painter(inputs.paper?.hasColor ?? false)
      finish(verdictResult({ candidate, ...rest }, options.onInconclusive, context, { paint, typed }))
    },
    `go on at the next point: ${resumeCommand(inputs.argv)}`,
  )
}

/** The same command line, to go on with what it began. */
function resumeCommand(argv: readonly string[]): string {
  return typedCommand(argv.includes('--resume') ? argv : [...argv, '--resume'])
}
