// docs/reference/command-line.md: every command with its arguments and options, from commander's own definitions.
import type { Command, Option } from 'commander'
import { markdownTable } from 'markdown-table'
import { buildProgram } from '../../src/entry/program.ts'
import type { Desk } from '../../src/entry/command.ts'
import type { GeneratedFile } from '../generate.ts'
import { ENDS } from '../reference/command-ends.ts'
import { cell, codeCell } from '../reference/markdown-cells.ts'

const INTRO = `# The command line

<!-- Generated from src/entry/commands by \`npm run generate\`. -->

\`capacity-gate COMMAND --help\` says the same. It is \`npm run gate -- COMMAND\` in a clone of this repository, which takes paths from the clone's
root (\`npm run --silent gate -- COMMAND\` keeps npm's own two lines off standard output), and \`node …/capacity-gate/dist/cli.js COMMAND\` with
Node 24 anywhere else: nothing is installed, paths are taken from the current folder, and \`branch:NAME\` is a branch of your \`origin\`.

The result goes to standard output, everything else to standard error. With \`--json\` the result is one JSON value. What each
command ends with is told where that is not always 0; [exit codes](exit-codes.md) has the rest.
`

export function generate(): GeneratedFile {
  const program = commandLine()
  const commands = leaves(program)
  const overview = commands.map((command) => [
    `[${codeCell(nameOf(command))}](#${nameOf(command).replaceAll(' ', '-')})`,
    cell(command.description()),
  ])
  const parts = [
    INTRO,
    markdownTable([['command', 'what it does'], ...overview]),
    `Options of every command:\n\n${optionsTable(program.options)}`,
    ...commands.map(section),
  ]
  return { path: 'docs/reference/command-line.md', text: parts.join('\n\n') }
}

/** The program as the command line builds it; nothing of it is run. */
export function commandLine(): Command {
  const screen = { isTerminal: false, hasColor: false, columns: () => 80, write: () => {} }
  const desk: Desk = { inputs: { argv: [], env: {}, cwd: '.', screen }, note: () => {}, finish: () => {} }
  return buildProgram(desk, [])
}

/** The commands that do something: those of a group instead of the group. */
export function leaves(program: Command): Command[] {
  return program.commands.flatMap((command) => (command.commands.length > 0 ? leaves(command) : [command]))
}

/** `run`, `history add` */
export function nameOf(command: Command): string {
  const group = command.parent?.parent ? `${nameOf(command.parent)} ` : ''
  return `${group}${command.name()}`
}

function section(command: Command): string {
  const usage = `capacity-gate ${nameOf(command)} ${command.usage()}`
  const files = command.registeredArguments.map((file) => [
    codeCell(file.required ? `<${file.name()}>` : `[${file.name()}]`),
    cell(file.description),
  ])
  const end = ENDS[nameOf(command)]
  const parts = [
    `## ${nameOf(command)}`,
    command.description(),
    `\`\`\`text\n${usage}\n\`\`\``,
    files.length === 0 ? '' : markdownTable([['argument', 'what it is'], ...files]),
    command.options.length === 0 ? '' : optionsTable(command.options),
    end === undefined ? '' : `Ends with: ${end}.`,
    exampleOf(command),
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

function optionsTable(options: readonly Option[]): string {
  const rows = options.map((option) => [codeCell(option.flags), defaultText(option), cell(optionText(option))])
  return markdownTable([['option', 'default', 'what it is'], ...rows])
}

function defaultText({ mandatory, defaultValue, defaultValueDescription }: Option): string {
  if (mandatory) return '**required**'
  const value: unknown = defaultValueDescription ?? defaultValue
  return value === undefined ? '' : codeCell(String(value))
}

function optionText({ description, argChoices }: Option): string {
  return argChoices === undefined ? description : `${description}; one of ${argChoices.map(codeCell).join(', ')}`
}

/** What its help shows below the options. */
function exampleOf(command: Command): string {
  let text = ''
  command.configureOutput({ writeOut: (piece) => void (text += piece) })
  command.outputHelp()
  const lines = /\nExamples?:\n((?: {2}.*\n)+)/.exec(text)?.[1]?.replaceAll(/^ {2}/gm, '').trimEnd()
  if (lines === undefined) throw new Error(`the help of ${nameOf(command)} shows no example`)
  return `\`\`\`sh\n${lines}\n\`\`\``
}
