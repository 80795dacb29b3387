// What a comment looks like, as the README shows it: the head of one of the report's golden files.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { GeneratedFile } from '../generate.ts'
import { replacePart } from '../generate.ts'

const golden = join(import.meta.dirname, '../../test/golden/report/regressed-warm.comment.md')

export async function generate(): Promise<GeneratedFile> {
  const [marker = '', ...lines] = (await readFile(golden, 'utf8')).split('\n')
  const end = lines.indexOf('### Evidence')
  if (!marker.startsWith('<!--') || end < 0) throw new Error(`${golden} is no comment with its evidence`)
  // As a quotation, its headings a size smaller than the README's own.
  const quoted = lines.slice(0, end).map((line) => `> ${line.replace(/^##/, '####')}`.trimEnd())
  return replacePart('README.md', 'comment-example', quoted.join('\n'))
}
