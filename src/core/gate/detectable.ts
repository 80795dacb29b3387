import { isDecisive, openMilliRps } from '../capacity/by-rate.ts'
import type { CapacityResult, PointReport } from '../capacity/record.ts'

/**
 * The minimum detectable loss: the smallest relative loss of capacity that this comparison was sure to see.
 *
 *     grid     = 1 − guard / baseline fail rate          (the baseline's true capacity lies somewhere up to its fail rate)
 *     sampling = h · (fail − pass) / (A(pass) − A(fail)) / pass
 *
 * with A the attainment, at the two ends of the baseline's bracket, of the class whose attainment fell most between them, and h half
 * the width of that class's 95 % interval (block bootstrap, else Wilson) at the point that decided: an attainment that is uncertain
 * by h is, by the bracket's slope, a rate uncertain by that much. The sampling term is left out where the bracket shows no slope.
 * Result: grid + sampling, at most 1. Null where the baseline has no fail rate: then its capacity has no upper bound.
 */
export function minimumDetectableLoss(
  base: CapacityResult,
  guardMilliRps: number,
  deciding: PointReport | null,
): number | null {
  const { passMilliRps: pass, failMilliRps: fail } = base
  if (pass === null || fail === null) return null
  const grid = Math.max(0, 1 - guardMilliRps / fail)
  const steepest = steepestFall(lastAt(base, pass), lastAt(base, fail))
  const halfWidth = steepest === null || deciding === null ? null : halfWidthOf(deciding, steepest.name)
  const sampling = steepest === null || halfWidth === null ? 0 : (halfWidth * (fail - pass)) / steepest.fall / pass
  return Math.round(Math.min(1, grid + sampling) * 1e6) / 1e6
}

function lastAt(result: CapacityResult, milliRps: number): PointReport | null {
  return result.points.findLast((point) => openMilliRps(point) === milliRps && isDecisive(point)) ?? null
}

function steepestFall(pass: PointReport | null, fail: PointReport | null): { name: string; fall: number } | null {
  if (pass === null || fail === null) return null
  const falls = Object.entries(pass.slo.classes).flatMap(([name, report]) => {
    const failing = Object.hasOwn(fail.slo.classes, name) ? fail.slo.classes[name] : undefined
    const [high, low] = [report.attainment, failing?.attainment ?? null]
    return high === null || low === null || high <= low ? [] : [{ name, fall: high - low }]
  })
  return falls.toSorted((a, b) => b.fall - a.fall)[0] ?? null
}

function halfWidthOf(point: PointReport, name: string): number | null {
  const report = Object.hasOwn(point.slo.classes, name) ? point.slo.classes[name] : undefined
  const interval = report?.attainment_block_bootstrap95 ?? report?.attainment_wilson95 ?? null
  return interval === null ? null : Math.max(0, interval[1] - interval[0]) / 2
}
