import { readFileSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './pages.ts'

/** Written in two parts, so that this file does not hold what it looks for. */
const word = (...parts: string[]) => parts.join('')

/** What has no place in the project: it would tie it to one machine, one mirror or one tracker. */
const FORBIDDEN: readonly RegExp[] = [
  new RegExp(word('(?<![\\w.~-])/wo', 'rk/')),
  new RegExp(word('\\.\\./sha', 'red/')),
  new RegExp(word('sha', 'red/(seeds|facts|cases|streams)')),
  new RegExp(word('//regis', 'try[.-]'), 'i'),
  new RegExp(word('npm', 'js\\.(org|com)'), 'i'),
  new RegExp(word('artifac', 'tory'), 'i'),
  new RegExp(word('\\bis', 'sues? #?\\d'), 'i'),
]
const IN_PAGES = new RegExp(word('(^|[\\s(])', '#\\d+\\b'), 'm')

/** The project's own folders; built, installed and scratch files are none. */
const FOLDERS = ['.ci', '.github', 'bench', 'docs', 'fixtures', 'scripts', 'src', 'test']
/** Bytes that others sent. */
const RECORDED = /^fixtures\/(streams|metrics|analyzer)\//

function files(): string[] {
  const inside = FOLDERS.flatMap((folder) => {
    const entries = readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
  })
  const beside = readdirSync(ROOT, { withFileTypes: true }).filter((entry) => entry.isFile())
  return [...beside.map((entry) => entry.name), ...inside.filter((name) => !RECORDED.test(name))]
}

function found(name: string, text: string): string[] {
  const patterns = name.endsWith('.md') && !name.startsWith('test/') ? [...FORBIDDEN, IN_PAGES] : FORBIDDEN
  return patterns.flatMap((pattern) => {
    const match = pattern.exec(text)
    return match === null ? [] : [`${name}: ${match[0].trim()}`]
  })
}

test('the project speaks of itself alone', () => {
  const names = files()
  expect(names).toContain('README.md')
  expect(names.flatMap((name) => found(name, readFileSync(join(ROOT, name), 'utf8')))).toEqual([])
})

test('what is forbidden is found', () => {
  expect(found('a.ts', word('see /wo', 'rk/x and is', 'sue 12'))).toHaveLength(2)
  expect(found('a.md', 'mends #12')).toHaveLength(1)
  expect(found('a.ts', 'a colour #123')).toEqual([])
})
