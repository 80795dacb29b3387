import { stripVTControlCharacters } from 'node:util'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fitted, harmless, painter, wrapped } from '../../../../src/adapters/terminal/typeset.ts'

it('wraps at words and goes on further in than the line began', () => {
  expect(wrapped('  cold  guard_held: passes at 23.04 RPS; the guard rate is 23.04', 40)).toBe(
    ['  cold  guard_held: passes at 23.04 RPS;', '      the guard rate is 23.04'].join('\n'),
  )
})

it.each([
  ['a command', '  capacity-gate run m.yaml --plan sweep --pack pack --on-missing-baseline record'],
  [
    'a coloured command',
    `  ${painter(true)('strong', 'capacity-gate run m.yaml --plan sweep --pack pack --baseline x')}`,
  ],
  ['a table’s row', '| confirm | cold |     1 |    1 | 41 s |           – |'],
  ['a word', `https://github.com/${'a'.repeat(80)}`],
])('leaves %s whole, so that it can be copied', (_, line) => {
  expect(wrapped(line, 40)).toBe(line)
})

it('keeps a table’s columns apart, and breaks only what is too long', () => {
  const row = '  cold   held         24.0  ≥ 23.04       –  23.04  –'
  expect(wrapped(row, 80)).toBe(row)
  expect(wrapped(`short\n\n${row}\n`, 60)).toBe(`short\n\n${row}\n`)
})

it('sets a Markdown table in columns, unless it is wider than the terminal', () => {
  const table = [
    '| plan | points | time |',
    '| :- | -: | -: |',
    '| confirm | 1 | 41 s |',
    '| sweep | 12 | 1.2 h |',
  ].join('\n')
  const set = ['  plan     points   time', '  confirm       1   41 s', '  sweep        12  1.2 h'].join('\n')
  expect(wrapped(`before\n\n${table}\n\nafter`, 80)).toBe(`before\n\n${set}\n\nafter`)
  expect(wrapped(table, 80)).toBe(set)
  expect(wrapped(table, 23)).toBe(table)
  expect(wrapped('| no table', 80)).toBe('| no table')
})

it('counts a wide character as the two columns that it takes', () => {
  const words = Array.from({ length: 12 }, () => '容量').join(' ')
  expect(wrapped(words, 30).split('\n')[0]).toBe('容量 容量 容量 容量 容量 容量')
  expect(fitted('容量容量容量', 8)).toBe('容量容…')
})

it('lets nothing through that a terminal would take as a command, but colours', () => {
  const red = painter(true)('bad', 'REGRESSED')
  expect(harmless(`${red}: a\u001B[2Jb\u001B]0;t\u0007\rc\u202e\u009b2Jd\n`)).toBe(`${red}: a[2Jb]0;tc2Jd\n`)
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(stripVTControlCharacters(harmless(text)).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
    }),
  )
})
