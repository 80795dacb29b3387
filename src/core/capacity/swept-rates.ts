import { autoRates } from '../manifest/auto-rates.ts'
import type { Manifest } from '../manifest/schema.ts'
import { milliRps } from './guard-rate.ts'

/** The declared rates in milli-requests a second, each once, lowest first; none where the sweep is to find them. */
export function declaredRates(sweep: Pick<NonNullable<Manifest['sweep']>, 'rates_rps'>): number[] {
  if (sweep.rates_rps === 'auto') return []
  return [...new Set(sweep.rates_rps.map(milliRps))].toSorted((a, b) => a - b)
}

/** Every rate that a sweep may begin a bracket with, lowest first: the declared ones, or those that auto chooses from. */
export function sweptRates(manifest: Pick<Manifest, 'sweep' | 'client' | 'workload' | 'acceptance'>): number[] {
  const { sweep } = manifest
  if (!sweep) return []
  return sweep.rates_rps === 'auto' ? autoRates(manifest) : declaredRates(sweep)
}
