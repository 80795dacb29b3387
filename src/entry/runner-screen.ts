import type { Screen } from '../adapters/terminal/screen.ts'

/**
 * A workflow's log as a screen. The runner takes `::command::` at a line's start and `##[command]` anywhere as an order to itself; in
 * a log line they could only come from a manifest, an engine or a path, so they are broken up.
 */
export function runnerScreen(write: (text: string) => void): Screen {
  return {
    isTerminal: false,
    hasColor: false,
    columns: () => 120,
    write: (text) => write(text.replaceAll('##[', '## [').replaceAll(/^(\s*)::/gm, '$1: :')),
  }
}
