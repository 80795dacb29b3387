import { runCli } from './program.ts'
import type { Inputs } from './inputs.ts'
import { standardOutput } from './standard-output.ts'

const { stderr } = process

const inputs: Inputs = {
  argv: process.argv.slice(2),
  env: { ...process.env },
  cwd: process.cwd(),
  screen: {
    isTerminal: stderr.isTTY === true,
    hasColor: stderr.isTTY === true && stderr.hasColors(),
    columns: () => stderr.columns || 80,
    write: (text) => void stderr.write(text),
  },
}

// A reader that goes away (`| head`) is no failure of ours; what it no longer reads is lost, the exit code is not.
stderr.on('error', () => {})
process.exitCode = await runCli(inputs, standardOutput(process.stdout))
