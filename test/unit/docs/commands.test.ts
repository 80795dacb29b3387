import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { commandLine } from '../../../scripts/generators/command-line-page.ts'
import { commandBlocks } from './documented-commands.ts'
import { page, pages } from './pages.ts'

const program = commandLine()
const { scripts } = JSON.parse(page('package.json').text) as { scripts: Record<string, string> }

/** What is wrong with a line of a shell block: a script of npm that is none, a command, an option or an argument too many. */
function problems(line: string): string[] {
  // Without what is said of it, where its output goes, and words that are the engine's own.
  const [command = ''] = line.split(/ (?:[#>]|--(?= -)) /)
  const words: string[] = command.match(/"[^"]*"|\S+/g) ?? []
  if (words[0] === 'capacity-gate') return gateProblems(words.slice(1))
  if (words[0] !== 'npm') return []
  const [script = ''] = words[1] === 'run' ? words.slice(2).filter((word) => word !== '--silent') : words.slice(1)
  if (!(script in scripts)) return [`npm has no script ${script}`]
  return script === 'gate' && words.includes('--') ? gateProblems(words.slice(words.indexOf('--') + 1)) : []
}

function gateProblems(words: string[], group: Command = program): string[] {
  const [name = '', ...rest] = words
  if (name.startsWith('--')) return []
  const command = group.commands.find((candidate) => candidate.name() === name)
  if (command === undefined) return [`there is no command ${name}`]
  if (command.commands.length > 0) return gateProblems(rest, command)
  const used = rest.filter((word) => word.startsWith('--'))
  const known = command.options.map((option) => option.long)
  const lacking = command.options.filter((option) => option.mandatory && !used.includes(option.long ?? ''))
  return [
    ...used.filter((option) => !known.includes(option)).map((option) => `${name} has no option ${option}`),
    ...lacking.map((option) => `${name} is not given ${option.long}`),
    ...(takes(command, operands(command, rest).length) ? [] : [`${name} has other arguments`]),
  ]
}

function takes({ registeredArguments: known }: Command, given: number): boolean {
  const most = known.some(({ variadic }) => variadic) ? Infinity : known.length
  return given >= known.filter(({ required }) => required).length && given <= most
}

function operands(command: Command, words: string[]): string[] {
  return words.filter((word, index) => {
    const before = command.options.find((option) => option.long === words[index - 1])
    return !word.startsWith('--') && !(before?.required ?? false)
  })
}

const lines = pages().flatMap((entry) =>
  commandBlocks(entry).flatMap(({ commands }) => commands.map(({ text }) => [entry.path, text] as const)),
)

test.each(lines)('%s: %s', (_path, line) => {
  expect(problems(line)).toEqual([])
})

test('what is not there is found', () => {
  expect(lines.length).toBeGreaterThan(15)
  expect(problems('npm run nothing')).toEqual(['npm has no script nothing'])
  expect(problems('npm run gate -- nothing')).toEqual(['there is no command nothing'])
  expect(problems('npm run gate -- verify pack --twice')).toEqual(['verify has no option --twice'])
  expect(problems('npm run gate -- promote --to dir:x')).toEqual(['promote is not given --candidate'])
  expect(problems('npm run gate -- history forget x')).toEqual(['there is no command forget'])
  expect(problems('npm run gate -- history add pack')).toEqual(['add is not given --to'])
  expect(problems('npm run gate -- verify')).toEqual(['verify has other arguments'])
})
