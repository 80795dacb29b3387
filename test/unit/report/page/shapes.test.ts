import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shaped, unshaped } from '../../../../src/core/report/page/shapes.ts'

test('any JSON comes back, its keys in their order', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const value: unknown = JSON.parse(text)
      const kept = JSON.parse(JSON.stringify(shaped(value))) as ReturnType<typeof shaped>
      expect(JSON.stringify(unshaped(kept))).toBe(JSON.stringify(value))
    }),
  )
})

test('keys stand once for all objects that have them', () => {
  const rows = Array.from({ length: 3 }, (_, index) => ({ a: index, b: [index] }))
  expect(shaped(rows)).toEqual({
    shapes: [['a', 'b']],
    root: [-1, [0, 0, [-1, 0]], [0, 1, [-1, 1]], [0, 2, [-1, 2]]],
  })
  expect(() => unshaped({ shapes: [['a']], root: [0] })).toThrow(RangeError)
  expect(() => unshaped({ shapes: [], root: [4] })).toThrow(RangeError)
})

test('a name that every object answers to is a key like any other', () => {
  const value: unknown = JSON.parse('{"__proto__": {"constructor": 1}, "b": null}')
  expect(JSON.stringify(unshaped(shaped(value)))).toBe(JSON.stringify(value))
})
