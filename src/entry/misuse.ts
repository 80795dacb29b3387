import { CommanderError } from 'commander'
import type { Command } from 'commander'
import { nearest } from '../core/manifest/unknown-keys.ts'
import { EXIT } from '../core/kernel/errors.ts'

/** What was thrown, as it is told, and the words of the command that it was about; null where none was recognised. */
export interface Misuse {
  error: unknown
  command: string | null
}

/**
 * Commander asks for options that are missing before it looks for those that it does not know, so that a misspelt one would be told as missing: it is
 * told as what it is.
 */
export function misuseOf(error: unknown, program: Command, argv: readonly string[]): Misuse {
  const called = calledCommands(program, argv)
  const command = called.length === 0 ? null : called.map((one) => one.name()).join(' ')
  const isMissing = error instanceof CommanderError && error.code === 'commander.missingMandatoryOptionValue'
  if (!isMissing) return { error, command }
  const options = [program, ...called].flatMap((one) => one.options)
  const flag = firstUnknown(options, argv)
  return { error: flag === null ? error : unknownOption(flag, options), command }
}

/** The command that is called, below the one that it belongs to. */
function calledCommands(program: Command, argv: readonly string[]): Command[] {
  const [first, second] = argv.filter((word) => !word.startsWith('-'))
  const command = program.commands.find((one) => one.name() === first)
  const below = command?.commands.find((one) => one.name() === second)
  return [command, below].flatMap((one) => one ?? [])
}

/** In Commander's own words. */
function unknownOption(flag: string, options: Command['options']): CommanderError {
  const names = options.flatMap(({ long }) => long?.slice(2) ?? [])
  const meant = nearest(flag.slice(2), names)
  const suggestion = meant === null ? '' : `\n(Did you mean --${meant}?)`
  return new CommanderError(EXIT.usage, 'commander.unknownOption', `error: unknown option '${flag}'${suggestion}`)
}

function firstUnknown(options: Command['options'], argv: readonly string[]): string | null {
  for (let at = 0; at < argv.length; at += 1) {
    const [flag = ''] = (argv[at] ?? '').split('=')
    if (flag === '--') return null
    if (!flag.startsWith('--') || flag === '--help') continue
    const option = options.find(({ long }) => long === flag)
    if (option === undefined) return flag
    // What follows is its value, whatever it looks like.
    if (option.required && flag === argv[at]) at += 1
  }
  return null
}
