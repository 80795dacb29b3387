import { isDecisive } from '../capacity/by-rate.ts'
import type { BootRecord, CapacityResult } from '../capacity/record.ts'

/** More than this share between the KV sizes of two boots makes them incomparable. */
export const KV_SPREAD_MAX = 0.01

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
