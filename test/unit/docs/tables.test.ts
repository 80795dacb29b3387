import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { REQUESTS_CSV_COLUMNS } from '../../../src/core/record/csv.ts'
import { ROOT, firstColumnCodes, page, pages, part } from './pages.ts'

const verdicts = page('docs/reading-a-verdict.md')
const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(join(ROOT, 'src', name), 'utf8'))
  .join('\n')

/** The codes of a section's table. */
function codesUnder(heading: string): string[] {
  const [, rest = ''] = verdicts.text.split(`\n## ${heading}\n`)
  return firstColumnCodes(rest.split('\n## ')[0] ?? '')
}

/** A table's rows that have another number of cells than the row above; an escaped pipe is none of theirs. */
function raggedRows(text: string): string[] {
  const lines = text.split('\n')
  const cells = (line: string | undefined) => (line?.startsWith('|') ? line.split(/(?<!\\)\|/).length : null)
  return lines.filter(
    (line, index) => (cells(line) ?? cells(lines[index - 1])) !== (cells(lines[index - 1]) ?? cells(line)),
  )
}

test.each(pages().map((entry) => [entry.path, entry.text] as const))('no table of %s is ragged', (_path, text) => {
  expect(raggedRows(text)).toEqual([])
})

test('the pack’s page has every column of requests.csv, in order', () => {
  expect(firstColumnCodes(part(page('docs/pack.md'), 'columns'))).toEqual(REQUESTS_CSV_COLUMNS)
})

test('every reason of a point that is explained is one that the code gives', () => {
  const codes = codesUnder('Reasons of a point')
  expect(codes.length).toBeGreaterThan(10)
  expect(codes.filter((code) => !sources.includes(`'${code}'`) && !sources.includes(`'stability.${code}'`))).toEqual([])
})

test('every reason that a point can be given by name is explained', () => {
  const outcome = readFileSync(join(ROOT, 'src/core/capacity/outcome.ts'), 'utf8')
  const given = [...outcome.matchAll(/code: '([a-z_]+)'/g)].map(([, code = '']) => code)
  expect(given).toContain('class_attainment')
  // A guard against a report that contradicts itself: nobody should ever read it.
  const explained = [...codesUnder('Reasons of a point'), 'gate_not_passed']
  expect(given.filter((code) => !explained.includes(code))).toEqual([])
})

test('every probe that is explained exists, and every probe with a name of its own is explained', () => {
  const explained = codesUnder('Evidence')
  const named = [...sources.matchAll(/probe: '([a-z_]+\.[a-z_]+)'/g)].map(([, probe = '']) => probe)
  expect(named.filter((probe) => !explained.includes(probe) && probe !== 'stability.kv_usage')).toEqual([])
  const lacking = explained.filter((probe) => {
    const detail = probe.split('.')[1] ?? ''
    return !sources.includes(`'${probe}'`) && !sources.includes(`'${detail}'`)
  })
  expect(lacking).toEqual([])
})
