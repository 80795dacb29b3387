import { dirname } from 'node:path'
import { Option } from 'commander'
import { isPack } from '../../adapters/system/earlier-pack.ts'
import { painter } from '../../adapters/terminal/typeset.ts'
import type { Compared } from '../../app/compare.ts'
import { compare } from '../../app/compare.ts'
import { exitCodeOf } from '../../core/gate/exit.ts'
import type { OnHostChange } from '../../core/gate/host-proof.ts'
import type { ReportContext } from '../../core/report/context.ts'
import { renderText } from '../../core/report/text.ts'
import type { ScreenOptions } from '../../core/report/text.ts'
import type { AddCommand } from '../command.ts'
import { example } from '../command.ts'
import type { CommandResult } from '../inputs.ts'
import { readAcceptedFile, readRecordFile, today } from '../read-inputs.ts'
import { TOOL_VERSION } from '../version.ts'

interface Options {
  candidate: string
  baseline: string
  anchor?: string
  accepted?: string
  onHostChange: OnHostChange
  onInconclusive: 'fail' | 'warn'
}

export const addGate: AddCommand = (program, desk) => {
  program
    .command('gate')
    .description(
      'Compare two capacity records offline: the verdict on standard output, its exit code as the verdict says.',
    )
    .requiredOption('--candidate <file>', 'the capacity.json of the run that is judged')
    .requiredOption('--baseline <file>', 'the capacity.json that was accepted')
    .option('--anchor <file>', 'the capacity.json of the last release')
    .addOption(acceptedOption())
    .addOption(onHostChangeOption())
    .addOption(onInconclusiveOption())
    .addHelpText(
      'after',
      example('capacity-gate gate --candidate pack/capacity.json --baseline accepted/capacity.json'),
    )
    .action(async (options: Options) => {
      const candidate = await readRecordFile('the candidate', options.candidate)
      const baseline = await readRecordFile('the baseline', options.baseline)
      const anchor = options.anchor === undefined ? null : await readRecordFile('the anchor', options.anchor)
      const read = await readAcceptedFile(options.accepted)
      const acceptedLosses = read === null ? null : { ...read, asOf: today() }
      const { onHostChange, onInconclusive } = options
      const compared = compare({ candidate, baseline, anchor, onMissingBaseline: 'fail', onHostChange, acceptedLosses })
      const folder = dirname(options.candidate)
      const packPath = (await isPack(folder)) ? { packPath: folder } : {}
      const context = { toolVersion: TOOL_VERSION, ...packPath }
      const paint = painter(desk.inputs.paper?.hasColor ?? false)
      desk.finish(verdictResult(compared, onInconclusive, context, { paint, baselineFile: options.baseline }))
    })
}

export function acceptedOption(): Option {
  return new Option('--accepted <file>', 'the losses that were accepted, as .capacity-gate/accepted.yaml holds them')
}

export function onInconclusiveOption(): Option {
  return new Option('--on-inconclusive <what>', 'how an inconclusive verdict ends: exit code 3, or 0 with warn')
    .choices(['fail', 'warn'])
    .default('fail')
}

export function onHostChangeOption(): Option {
  return new Option(
    '--on-host-change <what>',
    'on another machine than the baseline’s: measure its revision here first, compare all the same, or be inconclusive',
  )
    .choices(['remeasure', 'accept', 'fail'])
    .default('remeasure')
}

/** A verdict as a command leaves it. */
export function verdictResult(
  compared: Compared,
  onInconclusive: 'fail' | 'warn',
  context: ReportContext,
  options: ScreenOptions,
): CommandResult {
  const { verdict, candidate: record, baseline, anchor } = compared
  return {
    exitCode: exitCodeOf(verdict, onInconclusive),
    text: renderText({ verdict, record, baseline, anchor, context }, options),
    json: verdict,
  }
}
