import { plainText } from '../../core/report/escape.ts'
import { EXIT } from '../../core/kernel/errors.ts'
import { cleanUp } from '../clean-up.ts'
import type { AddCommand } from '../command.ts'
import { example } from '../command.ts'

export const addClean: AddCommand = (program, desk) => {
  program
    .command('clean')
    .description('Remove what killed runs left on this machine: engines, containers, locks, temporary files.')
    .addHelpText('after', example('capacity-gate clean'))
    .action(async () => {
      const removed: string[] = []
      for await (const line of cleanUp(desk.inputs)) removed.push(line)
      const text = removed.length === 0 ? 'nothing was left' : removed.map((line) => plainText(line, 1000)).join('\n')
      desk.finish({ exitCode: EXIT.ok, text, json: { removed } })
    })
}
