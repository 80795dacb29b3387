/** Six digits are more than is known, and the same wherever they are computed again. */
export function rounded(value: number): number {
  return Number(value.toPrecision(6))
}
