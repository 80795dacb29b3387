import { INPUT_LIMITS, readInputText } from '../../adapters/system/files.ts'
import { lint } from '../../app/lint.ts'
import type { LintResult } from '../../app/lint.ts'
import { EXIT } from '../../core/kernel/errors.ts'
import type { Finding } from '../../core/manifest/finding.ts'
import { plainText } from '../../core/report/escape.ts'
import type { AddCommand } from '../command.ts'
import { example } from '../command.ts'

const MESSAGE_MAX = 1000

export const addLint: AddCommand = (program, desk) => {
  program
    .command('lint')
    .description('Check a manifest: every finding with its place, what is wrong and how to mend it.')
    .argument('<manifest>', 'the workload-manifest.yaml')
    .option('--deployable', 'also ask what a run asks: pinned image, model and tokenizer, declared cache states …')
    .addHelpText('after', example('capacity-gate lint workload-manifest.yaml --deployable'))
    .action(async (path: string, options: { deployable?: true }) => {
      const text = await readInputText({ what: 'the manifest', path, maximumBytes: INPUT_LIMITS.manifest })
      const result = lint(path, text, options.deployable ? 'deployable' : 'valid')
      desk.finish({ exitCode: result.errors > 0 ? EXIT.invalid : EXIT.ok, text: lintText(result), json: result })
    })
}

function lintText(result: LintResult): string {
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
