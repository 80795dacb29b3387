import { GateError } from '../../core/kernel/errors.ts'

/** How many of an engine's last lines go into a message. */
export const LAST_LINES = 5

const OUT_OF_MEMORY = /out of memory|OutOfMemoryError|cannot allocate memory/i

/** Whether an engine's last words are of memory that it could not get. */
export function saysOutOfMemory(last: readonly string[]): boolean {
  return OUT_OF_MEMORY.test(last.join('\n'))
}

/** `replica 1 ended with exit code 3; its last line: …` */
export function endedText(who: string, how: string, last: readonly string[]): string {
  return `${who} ${how}${last.length > 0 ? `; its last line: ${last.at(-1)}` : ''}`
}

export function diedAtStart(who: string, how: string, last: readonly string[]): GateError {
  const said = last.length > 0 ? `; its last lines: ${last.join(' | ')}` : '; it printed nothing'
  return new GateError({
    code: 'engine_died_at_start',
    message: `${who} ${how} before it was ready${said}`,
    hint: 'see engine.log in the pack; run the same command by hand',
  })
}
