// The command line's commands as the README's table: what each must be given, and what it does.
import { Command } from 'commander'
import { markdownTable } from 'markdown-table'
import type { Desk } from '../../src/entry/command.ts'
import { COMMANDS } from '../../src/entry/program.ts'
import type { GeneratedFile } from '../generate.ts'
import { replacePart } from '../generate.ts'

export function generate(): Promise<GeneratedFile> {
  const rows = commandLine()
    .commands.flatMap((command) => (command.commands.length > 0 ? command.commands : [command]))
    .map((command) => [cell(`\`${usage(command)}\``), cell(command.description())])
  return replacePart('README.md', 'cli-table', markdownTable([['command', 'what it does'], ...rows]))
}

/** The program as the command line builds it; nothing of it is run. */
export function commandLine(): Command {
  const program = new Command('capacity-gate')
  const screen = { isTerminal: false, hasColor: false, columns: () => 80, write: () => {} }
  const desk: Desk = { inputs: { argv: [], env: {}, cwd: '.', screen }, note: () => {}, finish: () => {} }
  for (const add of COMMANDS) add(program, desk)
  return program
}

/** Name, arguments and the options that must be there. */
function usage(command: Command): string {
  const files = command.registeredArguments.map((file) => (file.required ? `<${file.name()}>` : `[${file.name()}]`))
  const options = command.options.filter((option) => option.mandatory).map((option) => option.flags)
  const group = command.parent?.parent ? [command.parent.name()] : []
  return [...group, command.name(), ...files, ...options].join(' ')
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}
