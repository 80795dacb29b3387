// docs/decisions/README.md: an index of the pages of decisions, by their titles.
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { GeneratedFile } from '../generate.ts'

const folder = join(import.meta.dirname, '../../docs/decisions')
const INTRO = `# Decisions

<!-- Generated from the pages' titles by \`npm run generate\`. -->

What was settled, and why, a page for each part of the house. A change that departs from one of them changes its page.
`

export async function generate(): Promise<GeneratedFile> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.md') && name !== 'README.md').toSorted()
  const lines = await Promise.all(names.map(async (name) => `- [${await title(name)}](${name})`))
  return { path: 'docs/decisions/README.md', text: `${INTRO}\n${lines.join('\n')}\n` }
}

async function title(name: string): Promise<string> {
  const [first = ''] = (await readFile(join(folder, name), 'utf8')).split('\n')
  if (!first.startsWith('# ')) throw new Error(`docs/decisions/${name} does not begin with its title`)
  return first.slice(2).trim()
}
