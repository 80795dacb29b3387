import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseDecimal, parseInteger } from '../../../src/core/record/decimal.ts'

describe('a decimal number', () => {
  it.each([
    ['0', 0],
    ['1', 1],
    ['00.5', 0.5],
    ['1.', 1],
    ['.5', 0.5],
    ['+1.5', 1.5],
    ['-1', -1],
    ['1e3', 1000],
    ['1.5E-2', 0.015],
    [' 1 ', 1],
    ['0.1', 0.1],
    ['123456789012345678', Number('123456789012345678')],
    ['9007199254740993', 9007199254740992],
    ['1e999', Number.POSITIVE_INFINITY],
  ])('%j is %d', (text, value) => expect(parseDecimal(text)).toBe(value))

  it.each([
    '',
    ' ',
    '.',
    '-',
    '+',
    'e3',
    '1e',
    '1_0',
    '0x10',
    '0b1',
    '0o7',
    'inf',
    'Infinity',
    '-inf',
    'nan',
    'NaN',
    '1,5',
  ])('%j is none', (text) => expect(parseDecimal(text)).toBeNaN())

  it.each(['1 0', '1..2', '1.2.3', '--1', '1e1.5', '١', '\uFF11', '1\u00a0', '\t1', '1\n', '1n', 'true', 'null'])(
    '%j is none either',
    (text) => expect(parseDecimal(text)).toBeNaN(),
  )

  it('is read to the nearest double, whichever path reads it', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e12, noNaN: true }), fc.integer({ min: 0, max: 20 }), (value, digits) => {
        const text = value.toFixed(digits)
        expect(parseDecimal(text)).toBe(Number(text))
      }),
      { numRuns: 2000 },
    )
  })

  it('takes only what both languages take', () => {
    const notation = fc.string({
      unit: fc.constantFrom('0', '1', '9', '.', 'e', '+', '-', '_', 'x', ' '),
      maxLength: 8,
    })
    fc.assert(
      fc.property(notation, (text) => {
        const value = parseDecimal(text)
        const isBoth = /^ *[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)? *$/.test(text)
        expect(value).toBe(isBoth ? Number(text) : Number.NaN)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('a whole number', () => {
  it.each([
    ['128', 128],
    ['0128', 128],
    ['+128', 128],
    ['-1', -1],
    [' 7 ', 7],
    ['9007199254740991', 9007199254740991],
  ])('%j is %d', (text, value) => expect(parseInteger(text)).toBe(value))

  it.each(['', '1.0', '1e3', '1_0', '0x10', '9007199254740993', 'inf', '١', '12a'])('%j is none', (text) =>
    expect(parseInteger(text)).toBeNaN(),
  )
})
