import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { yamlScalar } from '../../../src/core/manifest/yaml-scalar.ts'

it.each([
  'acme/dense-8b',
  'yes',
  '~',
  '1e3',
  '012',
  '---',
  '...',
  '- a',
  'a: b',
  'a #b',
  ' }',
  '  both ends  ',
  'it’s "so"',
  String.raw`C:\models`,
  'two\nlines',
  '\u007F\u0085',
  '\u202Eabc',
  '\uFEFFabc\u2028',
  '\u{E0001}',
])('is %j again once it is read, a key’s value and an item', (text) => {
  const scalar = yamlScalar(text)
  expect(scalar).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
  expect(parse(`a:\n  id: ${scalar} # said\n  list:\n    - ${scalar}\n`)).toEqual({ a: { id: text, list: [text] } })
})
