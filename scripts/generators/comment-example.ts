// What a comment looks like, as the README shows it: of one of the report's golden files the verdict, and the state that decided it.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { GeneratedFile } from '../generate.ts'
import { replacePart } from '../generate.ts'

const golden = join(import.meta.dirname, '../../test/golden/report/regressed-warm.comment.md')

export async function generate(): Promise<GeneratedFile> {
  const [marker = '', ...lines] = (await readFile(golden, 'utf8')).split('\n')
  const [cold = -1, warm = -1, after = -1] = [
    '### Cold cache: held',
    '### Warm cache: regressed',
    '### How to accept this',
  ].map((heading) => lines.indexOf(heading))
  if (!marker.startsWith('<!--') || cold < 0 || warm < cold || after < warm) {
    throw new Error(`${golden} is no comment on a held cold state and a regressed warm one`)
  }
  // As a quotation, its headings a size smaller than the README's own.
  const shown = [...lines.slice(0, cold), ...lines.slice(warm, after)]
  const quoted = shown.map((line) => `> ${line.replace(/^##/, '####')}`.trimEnd())
  return replacePart('README.md', 'comment-example', quoted.join('\n'))
}
