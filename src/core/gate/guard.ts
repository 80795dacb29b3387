import { guardMilliRps } from '../capacity/guard-rate.ts'
import type { GuardInput } from '../capacity/guard-rate.ts'
import type { Terms } from './terms.ts'
import type { GuardSource } from './verdict.ts'

/** The guard rate, the term that set it, and every term there is. Rates are integer milli-requests a second. */
export interface Guard {
  milliRps: number
  from: GuardSource
  terms: { from: GuardSource; milliRps: number }[]
}

/** Which term sets the guard rate of rule 3; null where there is neither baseline nor anchor nor declared minimum. */
export function guardFor(baselineMilliRps: number | null, anchorMilliRps: number | null, terms: Terms): Guard | null {
  const tolerance = { capacity_tolerance: terms.toleranceShare }
  const minimum = terms.minCapacityMilliRps
  const withMinimum = minimum === null ? tolerance : { ...tolerance, min_capacity_rps: minimum / 1000 }
  const none: GuardInput = { baselineMilliRps: null, anchorMilliRps: null, acceptance: tolerance }
  const each: [GuardSource, GuardInput][] = [
    ['baseline', { ...none, baselineMilliRps }],
    ['anchor', { ...none, anchorMilliRps }],
    ['min_capacity', { ...none, acceptance: withMinimum }],
  ]
  const all = each.flatMap(([from, input]) => {
    const milliRps = guardMilliRps(input)
    return milliRps === null ? [] : [{ from, milliRps }]
  })
  const milliRps = guardMilliRps({ baselineMilliRps, anchorMilliRps, acceptance: withMinimum })
  const highest = all.find((term) => term.milliRps === milliRps)
  return highest === undefined ? null : { ...highest, terms: all }
}
