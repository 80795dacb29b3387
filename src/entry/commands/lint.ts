import { INPUT_LIMITS, readInputText } from '../../adapters/system/files.ts'
import { lintAcceptedLosses } from '../../app/accepted-losses.ts'
import type { AcceptedLint } from '../../app/accepted-losses.ts'
import { lint } from '../../app/lint.ts'
import type { LintResult } from '../../app/lint.ts'
import { EXIT } from '../../core/kernel/errors.ts'
import type { Finding } from '../../core/manifest/finding.ts'
import { plainText } from '../../core/report/escape.ts'
import type { AddCommand } from '../command.ts'
import { example } from '../command.ts'
import { readAcceptedFile, today } from '../read-inputs.ts'

const MESSAGE_MAX = 1000

export const addLint: AddCommand = (program, desk) => {
  program
    .command('lint')
    .description('Check a manifest: every finding with its place, what is wrong and how to mend it.')
    .argument('<manifest>', 'the workload-manifest.yaml')
    .option('--deployable', 'also ask what a run asks: pinned image, model and tokenizer, declared cache states …')
    .option('--accepted <file>', 'check the accepted losses as well, as .capacity-gate/accepted.yaml holds them')
    .addHelpText('after', example('capacity-gate lint workload-manifest.yaml --deployable'))
    .action(async (path: string, options: { deployable?: true; accepted?: string }) => {
      const text = await readInputText({ what: 'the manifest', path, maximumBytes: INPUT_LIMITS.manifest })
      const result = lint(path, text, options.deployable ? 'deployable' : 'valid')
      const read = await readAcceptedFile(options.accepted)
      const accepted = read === null ? [] : [lintAcceptedLosses(read, text, today())]
      desk.finish({
        exitCode: [result, ...accepted].some(({ errors }) => errors > 0) ? EXIT.invalid : EXIT.ok,
        text: [lintText(result), ...accepted.map((losses) => lintText({ ...losses, level: 'valid' }))].join('\n'),
        json: accepted.length === 0 ? result : { ...result, accepted: accepted[0] },
      })
    })
}

function lintText(result: AcceptedLint & Pick<LintResult, 'level'>): string {
  const { errors, warnings, level } = result
  const counts = [errors > 0 ? count(errors, 'error') : '', warnings > 0 ? count(warnings, 'warning') : '']
  const found = counts.filter(Boolean).join(', ') || 'no findings'
  const head = `${plainText(result.file, MESSAGE_MAX)}: ${errors > 0 ? `not ${level}` : level}, ${found}`
  return [...result.findings.map((finding) => findingText(result.file, finding)), head].join('\n')
}

/** In the form that editors and terminals turn into a link: `file:line:column: severity: …`. */
export function findingText(file: string, finding: Finding): string {
  const place = `${plainText(file, MESSAGE_MAX)}:${finding.line}:${finding.column}`
  const path = finding.path === '' ? '' : `${finding.path}: `
  const what = plainText(`${path}${finding.message}`, MESSAGE_MAX)
  return `${place}: ${finding.severity}: ${what} [${finding.rule}]\n    mend: ${plainText(finding.hint, MESSAGE_MAX)}`
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
