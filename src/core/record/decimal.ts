const POWERS_OF_TEN = Float64Array.from({ length: 16 }, (_, exponent) => Number(`1e${exponent}`))
const DECIMAL = /^ *[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)? *$/
const INTEGER = /^ *[+-]?\d+ *$/
const DOT = 46
const ZERO = 48

/**
 * The value of a decimal number, or NaN. The grammar is what Python's float and JavaScript's Number both read, and read alike: sign,
 * digits, fraction, exponent, spaces around. `1_0`, `0x10`, `inf`, `nan`, other scripts' digits and the empty text are in neither or
 * in one only. Too large a number is infinite.
 */
export function parseDecimal(text: string): number {
  const length = text.length
  if (length === 0 || length > 16) return parseAnyDecimal(text)
  let digits = 0
  let fraction = -1
  let mantissa = 0
  for (let i = 0; i < length; i++) {
    const char = text.charCodeAt(i)
    if (char === DOT && fraction < 0) {
      fraction = 0
      continue
    }
    const digit = char - ZERO
    if (digit < 0 || digit > 9) return parseAnyDecimal(text)
    mantissa = mantissa * 10 + digit
    digits++
    if (fraction >= 0) fraction++
  }
  // Both are exact below 2^53, so one division rounds once: the nearest double, as a full parser finds it.
  if (digits === 0 || digits > 15) return parseAnyDecimal(text)
  return fraction > 0 ? mantissa / (POWERS_OF_TEN[fraction] ?? Number.NaN) : mantissa
}

function parseAnyDecimal(text: string): number {
  return DECIMAL.test(text) ? Number(text) : Number.NaN
}

/** The value of a whole number as Python's int and JavaScript's Number both read it, or NaN; beyond 2^53 NaN too. */
export function parseInteger(text: string): number {
  const length = text.length
  let value = 0
  for (let i = 0; i < length; i++) {
    const digit = text.charCodeAt(i) - ZERO
    if (digit < 0 || digit > 9) return parseAnyInteger(text)
    value = value * 10 + digit
  }
  return length > 0 && length <= 15 ? value : parseAnyInteger(text)
}

function parseAnyInteger(text: string): number {
  const value = INTEGER.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(value) ? value : Number.NaN
}
