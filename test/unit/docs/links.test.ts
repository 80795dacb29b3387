import { expect, test } from 'vitest'
import { deadLinks, page, pages } from './pages.ts'

test.each(pages().map((entry) => [entry.path, entry] as const))('every link of %s leads somewhere', (_path, entry) => {
  expect(deadLinks(entry)).toEqual([])
})

test('a link to a missing file, or to a heading that is not there, is found', () => {
  const text =
    '[a](docs/none.md) [b](README.md#try-it) [c](README.md#nowhere) [d](../outside.md) `[e](code.md)` [f](https://x.y/z)'
  expect(deadLinks({ ...page('README.md'), text })).toEqual(['docs/none.md', 'README.md#nowhere', '../outside.md'])
})
