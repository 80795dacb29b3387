/**
 * ln and exp of IEEE doubles by `+ − × ÷` alone, whose last bit is the same on every machine; that of `Math.log` and `Math.exp` is not.
 * Within 4e-16 of the true value: ln relative to max(1, |ln x|), exp relative to e^x (`test/unit/schedule/ln-exp.test.ts`).
 */

/** ln 2 in two parts: the first has so few bits that its multiples by an exponent are exact. */
const LN2_HIGH = 6.9314718036912381649e-1
const LN2_LOW = 1.90821492927058770002e-10
const SQRT2 = 1.4142135623730951
const TWO_52 = 4503599627370496

/** A double's bits: big-endian on every machine. */
const bits = new DataView(new ArrayBuffer(8))

/** The natural logarithm of a positive finite number. */
export function ln(x: number): number {
  // Subnormal numbers are lifted into the normal range.
  const isSmall = x < 2.2250738585072014e-308
  bits.setFloat64(0, isSmall ? x * TWO_52 : x)
  const high = bits.getUint32(0)
  let exponent = (high >>> 20) - 1023 - (isSmall ? 52 : 0)
  bits.setUint32(0, (high & 0xfffff) | (1023 << 20))
  let mantissa = bits.getFloat64(0)
  if (mantissa > SQRT2) {
    mantissa /= 2
    exponent += 1
  }
  // ln m = 2 artanh((m − 1)/(m + 1)), whose argument is at most 0.1716: the first term left out is below 1e-17.
  const s = (mantissa - 1) / (mantissa + 1)
  const square = s * s
  let series = 0
  for (let odd = 21; odd >= 3; odd -= 2) series = (series + 1 / odd) * square
  return exponent * LN2_HIGH + (2 * s + (2 * s * series + exponent * LN2_LOW))
}

/** e to the power of x: 0 below −745, Infinity above 709.78. */
export function exp(x: number): number {
  if (x < -746) return 0
  if (x > 710) return Infinity
  const power = Math.round(x / 0.6931471805599453)
  const rest = x - power * LN2_HIGH - power * LN2_LOW
  // Taylor on |rest| ≤ 0.3466: the first term left out is below 1e-17.
  let sum = 1
  for (let term = 14; term >= 1; term--) sum = 1 + (rest / term) * sum
  // In two steps, since 2^power alone may be outside what a double holds.
  const half = Math.trunc(power / 2)
  return sum * twoTo(half) * twoTo(power - half)
}

function twoTo(power: number): number {
  bits.setUint32(0, (power + 1023) << 20)
  bits.setUint32(4, 0)
  return bits.getFloat64(0)
}
