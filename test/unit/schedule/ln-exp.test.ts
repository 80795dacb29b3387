import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { exp, ln } from '../../../src/core/schedule/ln-exp.ts'

const RUNS = { numRuns: 20_000 }

describe('ln', () => {
  test('is that of Math.log, within 4e-16', () => {
    const positive = fc.double({ min: 5e-324, noNaN: true, noDefaultInfinity: true })
    const near = fc.double({ min: 0.5, max: 2, noNaN: true })
    fc.assert(
      fc.property(fc.oneof(positive, near), (x) => {
        const exact = Math.log(x)
        expect(Math.abs(ln(x) - exact)).toBeLessThanOrEqual(4e-16 * Math.max(1, Math.abs(exact)))
      }),
      RUNS,
    )
  })

  test('is exact where it can be, and holds at the ends', () => {
    expect(ln(1)).toBe(0)
    expect(ln(2)).toBe(Math.LN2)
    expect(ln(5e-324)).toBe(Math.log(5e-324))
    expect(ln(Number.MAX_VALUE)).toBe(Math.log(Number.MAX_VALUE))
  })
})

describe('exp', () => {
  test('is that of Math.exp, within 4e-16 of it', () => {
    fc.assert(
      fc.property(fc.double({ min: -700, max: 709, noNaN: true }), (x) => {
        const exact = Math.exp(x)
        expect(Math.abs(exp(x) - exact)).toBeLessThanOrEqual(4e-16 * exact)
      }),
      RUNS,
    )
  })

  test('falls to 0 and rises to Infinity where a double ends', () => {
    expect([exp(0), exp(-800), exp(711), exp(-Infinity), exp(Infinity)]).toEqual([1, 0, Infinity, 0, Infinity])
    expect(Math.abs(exp(-740) - Math.exp(-740))).toBeLessThanOrEqual(5e-324)
  })
})

test('no machine gives other bits: pinned', () => {
  const bits = (x: number) => Buffer.from(new Float64Array([x]).buffer).toString('hex')
  const inputs = [1e-300, 0.1, 0.7071, 1.5, Math.PI, 12345.678, 1e300]
  expect(inputs.map((x) => bits(ln(x))).join(' ')).toMatchInlineSnapshot(
    `"b57ff847349685c0 1555b5bbb16b02c0 5ea242386b2ed6bf 4c98bfec23f3d93f bda1e748d050f23f 311e795995d72240 b57ff84734968540"`,
  )
  expect([-700.3, -12.5, -0.01, 0.3, 1, 88.9, 700.1].map((x) => bits(exp(x))).join(' ')).toMatchInlineSnapshot(
    `"8a64105b61a5c900 90e6683fed42cf3e fe9c2bfd7caeef3f 961a8c8c0599f53f 6a57148b0abf0540 db809f4de619f347 a5b279416158107f"`,
  )
})
