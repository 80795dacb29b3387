import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT, deadLinks, page, pages } from './pages.ts'

test.each(pages().map((entry) => [entry.path, entry] as const))('every link of %s leads somewhere', (_path, entry) => {
  expect(deadLinks(entry)).toEqual([])
})

test('a link to a missing file, or to a heading that is not there, is found', () => {
  const text =
    '[a](docs/none.md) [b](README.md#quick-start) [c](README.md#nowhere) [d](../outside.md) `[e](code.md)` [f](https://x.y/z)'
  expect(deadLinks({ ...page('README.md'), text })).toEqual(['docs/none.md', 'README.md#nowhere', '../outside.md'])
  const others =
    '[a](docs/no.md "A title") <img src="docs/no.png">\n[b]: docs/none.md\n[c](docs/decisions/schedule.md#traces-1)'
  expect(deadLinks({ ...page('README.md'), text: others })).toEqual(['docs/no.md', 'docs/no.png', 'docs/none.md'])
  expect(deadLinks({ ...page('README.md'), text: '[a](docs/decisions/schedule.md#traces-2)' })).toHaveLength(1)
})

/** Pages that messages, comments and example workflows send a reader to. */
function namedPages(folder: string): string[] {
  const files = readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  const texts = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'))
  return texts.flatMap((text) => text.match(/\bdocs\/[\w/-]+\.(?:md|json)/g) ?? [])
}

test('every page that the sources name is there', () => {
  const named = ['src', 'scripts', '.github/examples'].flatMap(namedPages)
  named.push(...(page('action.yml').text.match(/docs\/[\w/-]+\.md/g) ?? []))
  expect(new Set(named).size).toBeGreaterThan(10)
  expect([...new Set(named)].filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
})
