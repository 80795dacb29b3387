// Every error_code of requests.csv: the status that it gives and whom it blames, as a table of docs/pack.md.
import { markdownTable } from 'markdown-table'
import { ERROR_CODES } from '../../src/core/stream/error-codes.ts'
import type { GeneratedFile } from '../generate.ts'
import { replacePart } from '../generate.ts'

export function generate(): Promise<GeneratedFile> {
  const rows = Object.entries(ERROR_CODES).map(([code, { status, blames, text }]) => [
    `\`${code}\``,
    `\`${status}\``,
    blames,
    text.replaceAll('|', '\\|'),
  ])
  const table = markdownTable([['error_code', 'status', 'blames', 'what happened'], ...rows])
  return replacePart('docs/pack.md', 'error-codes', table)
}
