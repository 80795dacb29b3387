/**
 * Whether a count is more than chance makes of an expected one: three standard deviations of a Poisson count above it, and one. A share of
 * few requests would be decided by one of them.
 */
export function isBeyondChance(count: number, expected: number): boolean {
  return count > expected + 3 * Math.sqrt(expected) + 1
}
