import type { Cache } from '../kernel/point.ts'
import type { Manifest } from '../manifest/schema.ts'
import { guardMilliRps } from './guard-rate.ts'
import type { CapacityResult } from './record.ts'
import { sweptRates } from './swept-rates.ts'

type Accepted = { capacity: readonly Pick<CapacityResult, 'cache' | 'passMilliRps'>[] } | null

/**
 * The highest rate, in milli-requests a second, that a manifest's plans ask of the client: the declared ones (of auto all that it may
 * choose) and every state's guard rate, so that one calibration serves sweeps and confirmations. Null where there is none: nothing will
 * be measured.
 */
export function neededMilliRps(manifest: Manifest, baseline: Accepted, anchor: Accepted): number | null {
  const passOf = (record: Accepted, cache: Cache): number | null =>
    record?.capacity.find((result) => result.cache === cache)?.passMilliRps ?? null
  const guards = (['cold', 'warm'] as const).flatMap(
    (cache) =>
      guardMilliRps({
        baselineMilliRps: passOf(baseline, cache),
        anchorMilliRps: passOf(anchor, cache),
        acceptance: manifest.acceptance,
      }) ?? [],
  )
  const rates = [...guards, ...sweptRates(manifest)]
  return rates.length === 0 ? null : Math.max(...rates)
}
