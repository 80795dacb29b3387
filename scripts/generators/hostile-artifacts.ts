// The hostile artifacts that the tests publish, as the page's table: what is done to a pack, and what must come of it.
import { markdownTable } from 'markdown-table'
import { HOSTILE_ARTIFACTS } from '../../test/unit/entry/hostile/hostile-artifacts.ts'
import type { GeneratedFile } from '../generate.ts'
import { replacePart } from '../generate.ts'

export function generate(): Promise<GeneratedFile> {
  const rows = HOSTILE_ARTIFACTS.map(({ name, refusedWith }) => [
    name,
    refusedWith === null ? 'commented on, as literal text' : `refused: \`${refusedWith}\``,
  ])
  const body = markdownTable([['artifact', 'what must come of it'], ...rows])
  return replacePart('docs/fork-pull-requests.md', 'hostile-artifacts', body)
}
