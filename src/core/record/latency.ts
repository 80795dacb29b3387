/** Integer microseconds as milliseconds with three decimals: exact. */
export function msText(us: number): string {
  const whole = Math.abs(us)
  const text = `${Math.floor(whole / 1000)}.${String(whole % 1000).padStart(3, '0')}`
  return us < 0 ? `-${text}` : text
}

/**
 * TPOT = (E2E − TTFT)/(O − 1) in integer nanoseconds a token, rounded half up in integers; 0 for O ≤ 1, where it is undefined.
 * Written as milliseconds it has six decimals.
 */
export function tpotNs(decodeUs: number, outputTokens: number): number {
  if (outputTokens <= 1) return 0
  const nanoseconds = decodeUs * 1000
  const gaps = outputTokens - 1
  const whole = Math.floor(nanoseconds / gaps)
  return 2 * (nanoseconds - whole * gaps) >= gaps ? whole + 1 : whole
}

/** Integer nanoseconds as milliseconds with six decimals: exact. */
export function nsAsMsText(ns: number): string {
  return `${Math.floor(ns / 1_000_000)}.${String(ns % 1_000_000).padStart(6, '0')}`
}
