// Every reason that the gate itself gives, with what to do about it, as a table of docs/reading-a-verdict.md.
import { markdownTable } from 'markdown-table'
import { GATE_REASONS } from '../../src/core/gate/reason-table.ts'
import type { GeneratedFile } from '../generate.ts'
import { replacePart } from '../generate.ts'

export function generate(): Promise<GeneratedFile> {
  const rows = Object.entries(GATE_REASONS).map(([code, { outcome, mend }]) => [`\`${code}\``, outcome, cell(mend)])
  const table = markdownTable([['code', 'leads to', 'what to do'], ...rows])
  return replacePart('docs/reading-a-verdict.md', 'reason-codes', table)
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}
