import type { Acceptance } from '../manifest/schema.ts'

export interface GuardInput {
  /** Pass rates of the accepted baseline and of the anchor; null where there is none. */
  baselineMilliRps: number | null
  anchorMilliRps: number | null
  acceptance: Pick<Acceptance, 'capacity_tolerance' | 'min_capacity_rps'>
}

/**
 * The guard rate of rule 3 in milli-requests a second: the highest of (1 − tolerance) × baseline, (1 − tolerance) × anchor and the
 * declared minimum, each rounded to the nearest whole milli-request a second. Null where there is none of them.
 */
export function guardMilliRps({ baselineMilliRps, anchorMilliRps, acceptance }: GuardInput): number | null {
  const less = (rate: number) => Math.round(rate * (1 - acceptance.capacity_tolerance))
  const minimum = acceptance.min_capacity_rps
  const terms = [
    ...(baselineMilliRps === null ? [] : [less(baselineMilliRps)]),
    ...(anchorMilliRps === null ? [] : [less(anchorMilliRps)]),
    ...(minimum === undefined ? [] : [milliRps(minimum)]),
  ]
  return terms.length === 0 ? null : Math.max(...terms)
}

/** A manifest's rate as a whole number of milli-requests a second, at least one. */
export function milliRps(rps: number): number {
  return Math.max(1, Math.round(rps * 1000))
}
