import type { Terms } from './terms.ts'
import type { GuardSource } from './verdict.ts'

/** The guard rate, the term that set it, and every term there is. Rates are integer milli-requests a second. */
export interface Guard {
  milliRps: number
  from: GuardSource
  terms: { from: GuardSource; milliRps: number }[]
}

/** Which term sets the guard rate of rule 3; null where there is neither baseline nor anchor nor declared minimum. */
export function guardFor(passMilliRps: number | null, anchorMilliRps: number | null, terms: Terms): Guard | null {
  const less = (rate: number) => Math.round(rate * (1 - terms.toleranceShare))
  const all: Guard['terms'] = [
    ...(passMilliRps === null ? [] : [{ from: 'baseline' as const, milliRps: less(passMilliRps) }]),
    ...(anchorMilliRps === null ? [] : [{ from: 'anchor' as const, milliRps: less(anchorMilliRps) }]),
    ...(terms.minCapacityMilliRps === null
      ? []
      : [{ from: 'min_capacity' as const, milliRps: terms.minCapacityMilliRps }]),
  ]
  const highest = all.reduce<Guard['terms'][number] | null>(
    (best, term) => (best === null || term.milliRps > best.milliRps ? term : best),
    null,
  )
  return highest === null ? null : { milliRps: highest.milliRps, from: highest.from, terms: all }
}
