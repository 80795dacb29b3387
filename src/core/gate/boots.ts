import type { BootRecord, CapacityResult, PointReport } from '../capacity/record.ts'

/** More than this share between the KV sizes of two boots makes them incomparable. */
export const KV_SPREAD_MAX = 0.01

export interface Tally {
  passes: number
  fails: number
  decided: 'pass' | 'fail' | null
}

/** The open-loop rate of a point in milli-requests a second; null for a closed-loop one, which never enters a bracket. */
export function openMilliRps(point: PointReport): number | null {
  return 'openMilliRps' in point.key.load ? point.key.load.openMilliRps : null
}

export function isDecisive(point: PointReport): boolean {
  return point.outcome === 'pass' || point.outcome === 'fail'
}

/**
 * One vote a boot, since boots differ more than repeats on one boot do; within a boot the majority, and a tie fails. A first boot
 * that passes decides, and so do two of three.
 */
export function tallyBoots(points: readonly PointReport[]): Tally {
  const balance = new Map<string, number>()
  for (const point of points.filter(isDecisive)) {
    balance.set(point.deployId, (balance.get(point.deployId) ?? 0) + (point.outcome === 'pass' ? 1 : -1))
  }
  const passes = [...balance.values()].filter((votes) => votes > 0).length
  const fails = balance.size - passes
  if (passes > fails && (fails === 0 || passes >= 2)) return { passes, fails, decided: 'pass' }
  if (fails >= 2 && fails > passes) return { passes, fails, decided: 'fail' }
  return { passes, fails, decided: null }
}

/** The points of a state by open-loop rate, lowest rate first, repeats in order. */
export function pointsByRate(points: readonly PointReport[]): Map<number, PointReport[]> {
  const open = points.filter((point) => openMilliRps(point) !== null)
  const sorted = open.toSorted((a, b) => (openMilliRps(a) ?? 0) - (openMilliRps(b) ?? 0) || a.key.repeat - b.key.repeat)
  return Map.groupBy(sorted, (point) => openMilliRps(point) ?? 0)
}

/**
 * (largest − smallest) / largest of the KV sizes of the boots that measured a state's decisive points; null where fewer than two
 * are known.
 */
export function kvSpread(result: CapacityResult, boots: readonly BootRecord[]): number | null {
  const used = new Set(result.points.filter(isDecisive).map((point) => point.deployId))
  const sizes = boots.filter((boot) => used.has(boot.deployId)).flatMap((boot) => boot.kvTokens ?? [])
  if (sizes.length < 2) return null
  const largest = sizes.reduce((a, b) => Math.max(a, b))
  const smallest = sizes.reduce((a, b) => Math.min(a, b))
  return largest === 0 ? null : (largest - smallest) / largest
}
