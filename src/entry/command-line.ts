import { styleText } from 'node:util'
import { terminalQuestions } from '../adapters/terminal/questions.ts'
import { EXIT } from '../core/kernel/errors.ts'
import { failureOf, failureText } from './failure.ts'
import { runCli } from './program.ts'
import type { Inputs } from './inputs.ts'
import { standardOutput } from './standard-output.ts'

const { stderr, stdin, stdout } = process
const canAnswer = stdin.isTTY === true && stderr.isTTY === true
/** Node's own rules: NO_COLOR, FORCE_COLOR, TERM, and whether somebody looks. */
const hasColor = (stream: NodeJS.WriteStream) => styleText('bold', 'x', { stream }) !== 'x'

const inputs: Inputs = {
  argv: process.argv.slice(2),
  env: { ...process.env },
  cwd: process.cwd(),
  screen: {
    isTerminal: stderr.isTTY === true && process.env['TERM'] !== 'dumb',
    hasColor: hasColor(stderr),
    columns: () => stderr.columns || 80,
    write: (text) => void stderr.write(text),
  },
  paper: { columns: stdout.isTTY === true ? stdout.columns || 80 : null, hasColor: hasColor(stdout) },
  ...(canAnswer ? { questions: () => terminalQuestions(stdin, stderr) } : {}),
}

// A reader that goes away (`| head`) is no failure of ours; what it no longer reads is lost, the exit code is not.
stderr.on('error', () => {})
process.on('uncaughtException', (error) => {
  stderr.write(failureText(failureOf(error), inputs.argv.includes('--debug')))
  // What stands is removed by the exit hooks of those who started it.
  process.exit(EXIT.failed)
})
process.exitCode = await runCli(inputs, standardOutput(process.stdout))
