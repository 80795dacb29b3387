import { commandWord, pathWord } from '../../../src/core/report/command-word.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { markdownCode, markdownText, plainText } from '../../../src/core/report/escape.ts'
import { commentMarker, isMarked } from '../../../src/core/report/marker.ts'
import { packInCommand, safeUrl, shortSha } from '../../../src/core/report/context.ts'
import { milliRps, percent, rps, signed, signedPercent } from '../../../src/core/report/numbers.ts'
import { columns, table } from '../../../src/core/report/table.ts'
import { cellsOf, hostileString, wrongIn } from './markdown-oracle.ts'

describe('literal text', () => {
  test.each([
    ['<img src=x onerror=alert(1)>', '&lt;img src=x onerror=alert(1)&gt;'],
    ['<!-- capacity-gate:a: -->', '&lt;!-- capacity-gate:a: --&gt;'],
    ['[x](javascript:alert(1))', String.raw`\[x\](javascript:alert(1))`],
    ['a | b', 'a &#124; b'],
    ['`code`', '\\`code\\`'],
    ['ping @everyone', 'ping @\u{200b}everyone'],
    ['fixes #12', 'fixes \\#\u{200b}12'],
    ['GH-7', 'GH\u{200b}-7'],
    ['https://evil.example', 'https:\u{200b}//evil.example'],
    ['www.evil.example', 'www\u{200b}.evil.example'],
    ['two\nlines\r\nand\u{2028}more', 'two lines and more'],
    ['abc\u{202e}def\u{2066}\u{200f}', 'abcdef'],
    ['\u{1b}[31mred', String.raw`\[31mred`],
    ['- item', String.raw`\- item`],
    ['1. item', String.raw`1\. item`],
    ['$x$', '&#36;x&#36;'],
    ['&amp;', '&amp;amp;'],
    ['lone \u{d800} surrogate', 'lone \u{fffd} surrogate'],
    ['z\u{301}\u{301}\u{301}\u{301}', 'z\u{301}\u{301}'],
  ])('%j', (value, expected) => {
    expect(markdownText(value)).toBe(expected)
  })

  test('is capped by code points, with an ellipsis', () => {
    expect(plainText('😀'.repeat(200), 10)).toBe(`${'😀'.repeat(9)}…`)
    expect(plainText('x'.repeat(10_000_000), 10)).toBe(`${'x'.repeat(9)}…`)
    expect(plainText('ten chars!', 10)).toBe('ten chars!')
  })

  test('an identifier is a code span, anything else is text', () => {
    expect(markdownCode('long_context')).toBe('`long_context`')
    expect(markdownCode('a`b')).toBe('a\\`b')
    expect(markdownCode('')).toBe('')
  })

  test('property: no value whatever leaves markup, a mention, a reference or a line', () => {
    fc.assert(
      fc.property(hostileString(), (value) => {
        for (const escaped of [markdownText(value), markdownCode(value)]) {
          expect(wrongIn(`x ${escaped} x`)).toEqual([])
          expect(escaped).not.toMatch(/[\n\r]/)
        }
        expect(plainText(value)).not.toMatch(/[\p{Cc}\u{202a}-\u{202e}\u{2066}-\u{2069}]/u)
      }),
      { numRuns: 2000 },
    )
  })
})

test('a table has the same number of cells in every row, whatever they hold', () => {
  fc.assert(
    fc.property(fc.array(fc.array(hostileString(), { maxLength: 6 }), { maxLength: 5 }), (rows) => {
      const text = table(
        columns('a', 'b:', 'c'),
        rows.map((row) => row.map((cell) => markdownText(cell))),
      )
      expect(text.split('\n').map(cellsOf)).toEqual(Array.from({ length: rows.length + 2 }, () => 3))
    }),
  )
})

describe('the marker', () => {
  test('is one line of HTML comment, different for different ids', () => {
    expect(commentMarker('dense-70b', 'nightly')).toBe('<!-- capacity-gate:dense-70b:nightly -->')
    fc.assert(
      fc.property(hostileString(), hostileString(), hostileString(), hostileString(), (a, b, c, d) => {
        const marker = commentMarker(a, b)
        expect(marker).toMatch(/^<!-- capacity-gate:[\w.%-]*:[\w.%-]* -->$/)
        expect(marker.slice(4, -3)).not.toMatch(/--/)
        expect(marker === commentMarker(c, d)).toBe(
          a.toWellFormed() === c.toWellFormed() && b.toWellFormed() === d.toWellFormed(),
        )
      }),
    )
  })

  test('counts only as the first line', () => {
    const marker = commentMarker('a')
    expect(isMarked(`${marker}\r\nbody`, marker)).toBe(true)
    expect(isMarked(`> ${marker}\nbody`, marker)).toBe(false)
    expect(isMarked(`quoted\n${marker}`, marker)).toBe(false)
    expect(isMarked(`${marker}\nbody`, commentMarker('a', 'other'))).toBe(false)
  })
})

test('what goes into links and commands goes in whole or not at all', () => {
  expect(safeUrl('https://ghe.example:8443/a/b/actions/runs/1')).toBe('https://ghe.example:8443/a/b/actions/runs/1')
  for (const url of ['javascript:alert(1)', 'https://a/b)](x', 'https://a/b c', 'https://a@b/', 'https://a/?q=<']) {
    expect(safeUrl(url)).toBeNull()
  }
  expect(shortSha('a'.repeat(40))).toBe('aaaaaaaaaa')
  expect(shortSha('$(rm -rf /)')).toBeNull()
  expect(packInCommand('my/pack-1')).toBe('my/pack-1')
  expect(packInCommand('-rf')).toBe('./-rf')
  expect(packInCommand('pack/')).toBe('pack')
  expect(packInCommand('a b')).toBe("'a b'")
  for (const path of ['$(x)', '@org/x', '`x`', '', undefined]) expect(packInCommand(path)).toBe('PACK')
})

test('a word of a command is one word of a shell, or none at all', () => {
  expect(['a.b/c', 'a b', "it's $(x)", '-x'].map(commandWord)).toEqual([
    'a.b/c',
    "'a b'",
    String.raw`'it'\''s $(x)'`,
    '-x',
  ])
  for (const word of ['`x`', 'a\nb', '\u{1b}[2J', '\u{202e}gpj', '\u{d800}', 'x'.repeat(501)])
    expect(commandWord(word)).toBeNull()
  expect(commandWord('')).toBe("''")
  expect([pathWord('-x'), pathWord('pack//'), pathWord('/'), pathWord('')]).toEqual(['./-x', 'pack', '/', null])
})

test('numbers', () => {
  expect([24, 23.04, 6.111, 0.5, 1000].map(rps)).toEqual(['24.0', '23.04', '6.111', '0.5', '1000.0'])
  expect([null, 23_040].map(milliRps)).toEqual(['–', '23.04'])
  expect([0.951, 1, 0, null].map(percent)).toEqual(['95.1', '100.0', '0.0', '–'])
  expect([-0.1, 0.083, -0.0001, null].map(signedPercent)).toEqual(['−10.0', '+8.3', '0.0', '–'])
  expect(signed(-5.94, 1)).toBe('−5.9')
})
