import { Command, CommanderError } from 'commander'
import type { Paper } from '../adapters/terminal/screen.ts'
import { harmless, wrapped } from '../adapters/terminal/typeset.ts'
import { EXIT } from '../core/kernel/errors.ts'
import type { AddCommand, Desk } from './command.ts'
import { addAnalyze } from './commands/analyze.ts'
import { addCalibrate } from './commands/calibrate.ts'
import { addClean } from './commands/clean.ts'
import { addDoctor } from './commands/doctor.ts'
import { addEstimate } from './commands/estimate.ts'
import { addExplain } from './commands/explain.ts'
import { addGate } from './commands/gate.ts'
import { addHistory } from './commands/history.ts'
import { addImport } from './commands/import.ts'
import { addInit } from './commands/init.ts'
import { addLint } from './commands/lint.ts'
import { addPlan } from './commands/plan.ts'
import { addProfile } from './commands/profile.ts'
import { addPromote } from './commands/promote.ts'
import { addReplay } from './commands/replay.ts'
import { addReport } from './commands/report.ts'
import { addRun } from './commands/run.ts'
import { addSchedule } from './commands/schedule.ts'
import { addSignOff } from './commands/sign-off.ts'
import { addVerify } from './commands/verify.ts'
import { failureOf, failureText } from './failure.ts'
import type { CommandResult, Inputs } from './inputs.ts'
import { misuseOf } from './misuse.ts'
import { refuseEmpty } from './refuse-empty.ts'
import { TOOL_VERSION } from './version.ts'

/** Every command, in the order in which the help and its page list them. */
const COMMANDS: readonly AddCommand[] = [
  addInit,
  addRun,
  addLint,
  addEstimate,
  addSchedule,
  addProfile,
  addReplay,
  addAnalyze,
  addGate,
  addReport,
  addExplain,
  addVerify,
  addCalibrate,
  addDoctor,
  addImport,
  addClean,
  addPromote,
  addSignOff,
  addHistory,
  addPlan,
]

const EPILOGUE = `
Exit codes: 0 held or improved, 1 the tool failed, 2 regressed, 3 inconclusive, 4 invalid, 64 usage.
COMMAND --help shows an example.
`

/** What leaves the process by standard output; resolves once it is handed over. */
export type WriteOut = (text: string) => Promise<void>

/**
 * Runs one command. Standard output gets the result or the help, and nothing where it failed; standard error one line on what failed
 * and one on how to mend it. Resolves to the exit code; never throws.
 */
export async function runCli(inputs: Inputs, writeOut: WriteOut): Promise<number> {
  const isDebug = inputs.argv.includes('--debug')
  const help: string[] = []
  let result: CommandResult | null = null
  const desk: Desk = {
    inputs,
    note: (text) => inputs.screen.write(`${noted(text, inputs.screen)}\n`),
    finish: (finished) => void (result = finished),
  }
  const program = buildProgram(desk, help)
  try {
    await parse(program, inputs.argv, help)
    await writeOut(
      result === null ? help.join('') : shown(result, program.opts()['json'] === true, inputs.paper ?? PIPE),
    )
    return (result as CommandResult | null)?.exitCode ?? EXIT.ok
  } catch (thrown) {
    const { error, command } = misuseOf(thrown, program, inputs.argv)
    const failure = failureOf(error, command)
    inputs.screen.write(failureText(failure, isDebug))
    return failure.exitCode
  }
}

/** Nobody reads at a width, and nothing is coloured. */
const PIPE: Paper = { columns: null, hasColor: false }

function shown(result: CommandResult, asJson: boolean, { columns }: Paper): string {
  if (asJson) return `${JSON.stringify(result.json, null, 2)}\n`
  const text = result.isDocument ? result.text : harmless(result.text)
  const set = result.isDocument || columns === null ? text : wrapped(text, columns)
  return set.endsWith('\n') ? set : `${set}\n`
}

function noted(text: string, { isTerminal, columns }: Inputs['screen']): string {
  return isTerminal ? wrapped(harmless(text), columns()) : harmless(text)
}

async function parse(program: Command, argv: readonly string[], help: string[]): Promise<void> {
  try {
    await program.parseAsync(argv, { from: 'user' })
  } catch (error) {
    // Help and version that were asked for are results; help shown for want of a command is not.
    if (!(error instanceof CommanderError) || error.exitCode !== 0 || help.length === 0) throw error
  }
}

/** The program with every command; its help goes to `help` instead of a stream. */
export function buildProgram(desk: Desk, help: string[]): Command {
  const program = new Command('capacity-gate')
    .description('Tells whether a pinned inference-engine revision still carries the accepted SLO-compliant capacity.')
    .version(TOOL_VERSION, '--version', 'print the version')
    .option('--json', 'print one JSON value on standard output, and nothing else there')
    .option('--debug', 'print the stack of an error')
    .helpOption('--help', 'say what there is')
    .helpCommand(false)
    .configureHelp({ showGlobalOptions: true, helpWidth: Math.min(120, Math.max(60, desk.inputs.screen.columns())) })
    .configureOutput({ writeOut: (text) => void help.push(text), writeErr: () => {}, outputError: () => {} })
    .exitOverride()
    .addHelpText('after', EPILOGUE)
    .hook('preAction', (_, command) => refuseEmpty(command))
  for (const add of COMMANDS) add(program, desk)
  return program
}
