/** Stands for what was not measured: never a zero. */
export const NONE = '–'

/** Requests a second with one to three decimals: 24 → `24.0`, 23.04 → `23.04`. */
export function rps(value: number | null): string {
  if (value === null) return NONE
  const [whole = '0', decimals] = value.toFixed(3).split('.')
  return decimals === undefined ? whole : `${whole}.${decimals.replace(/0{1,2}$/, '')}`
}

export function milliRps(value: number | null): string {
  return value === null ? NONE : rps(value / 1000)
}

/** A share as a percentage with one decimal, without its unit. */
export function percent(share: number | null): string {
  return share === null ? NONE : (share * 100).toFixed(1)
}

/** A relative change as a percentage with its sign, without its unit. */
export function signedPercent(share: number | null): string {
  return share === null ? NONE : signed(share * 100, 1)
}

/** A number with its sign, a true minus; nothing is signed that rounds to zero. */
export function signed(value: number, decimals: number): string {
  const text = Math.abs(value).toFixed(decimals)
  if (Number(text) === 0) return text
  return `${value < 0 ? '−' : '+'}${text}`
}

export function milliseconds(value: number | null): string {
  if (value === null) return NONE
  return value.toFixed(value < 100 ? 1 : 0)
}

/** A probe's or a reason's number: three significant decimals at most, and no zeros at its end. */
export function plainNumber(value: number): string {
  return String(Number(value.toPrecision(4)))
}

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
