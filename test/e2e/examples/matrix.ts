import type { Json } from './expressions.ts'

export type Combination = Record<string, Json>

/** A matrix's combinations, as the runner makes them: the product of the lists less `exclude`, then `include`. */
export function combinations(matrix: Record<string, unknown>): Combination[] {
  const { include = [], exclude = [], ...axes } = matrix as Record<string, Json[]>
  const product = Object.entries(axes).reduce<Combination[]>(
    (made, [name, values]) => made.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))),
    [{}],
  )
  const kept = product.filter(
    (one) => !exclude.some((out) => agrees(one, out as Combination, Object.keys(out as object))),
  )
  const made = Object.keys(axes).length === 0 ? [] : kept
  const added: Combination[] = []
  for (const extra of include as Combination[]) {
    const shared = Object.keys(extra).filter((name) => name in axes)
    const fitting = made.filter((one) => agrees(one, extra, shared))
    if (fitting.length === 0 || shared.length === 0) added.push(extra)
    else for (const one of fitting) Object.assign(one, extra)
  }
  return [...made, ...added]
}

function agrees(one: Combination, other: Combination, names: readonly string[]): boolean {
  return names.every((name) => JSON.stringify(one[name]) === JSON.stringify(other[name]))
}
