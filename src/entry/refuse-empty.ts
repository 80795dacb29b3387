import type { Command } from 'commander'
import { usage } from './usage.ts'

/**
 * Throws GateError `usage` (exit 64) where an argument or option was given as an empty text: mostly a variable that is not set, and never a
 * place, a name or a number.
 */
export function refuseEmpty(command: Command): void {
  const argument = command.processedArgs.flat().indexOf('')
  if (argument >= 0) {
    const name = command.registeredArguments[Math.min(argument, command.registeredArguments.length - 1)]?.name()
    throw emptyInput(`the argument ${name ?? argument + 1}`)
  }
  const option = command.options.find((one) => {
    const value: unknown = command.getOptionValue(one.attributeName())
    const isGiven = command.getOptionValueSource(one.attributeName()) === 'cli'
    return isGiven && (value === '' || (Array.isArray(value) && value.includes('')))
  })
  if (option !== undefined) throw emptyInput(option.long ?? option.name())
}

function emptyInput(what: string): Error {
  return usage(`${what} is empty`, 'give it a value; in a script, look whether its variable is set')
}
