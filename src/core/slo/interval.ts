import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'
import { nearestRank } from './percentile.ts'
import type { Interval } from './report.ts'

/** The standard normal's 97.5 % quantile. */
const Z = 1.959963984540054
const RESAMPLES = 1000
const SEED = 1
/** An interval from fewer blocks than this says little. */
const MIN_BLOCKS = 10

/**
 * The Wilson score interval, 95 %, of a share (E. B. Wilson, 1927). It takes the trials as independent: under queueing they are not,
 * and it is too narrow.
 */
export function wilson95(passing: number, trials: number): Interval | null {
  if (trials === 0) return null
  const share = passing / trials
  const denominator = 1 + (Z * Z) / trials
  const centre = (share + (Z * Z) / (2 * trials)) / denominator
  const half = (Z * Math.sqrt((share * (1 - share)) / trials + (Z * Z) / (4 * trials * trials))) / denominator
  return [passing === 0 ? 0 : Math.max(0, centre - half), passing === trials ? 1 : Math.min(1, centre + half)]
}

/**
 * How many neighbouring requests to keep together: as many as were in flight at once, since they share a queue, and n^(1/3) at least;
 * at most a tenth of all.
 */
export function blockLength(trials: number, inFlight: number): number {
  let cubeRoot = 1
  while (cubeRoot ** 3 < trials) cubeRoot++
  return Math.max(1, Math.min(Math.floor(trials / MIN_BLOCKS), Math.max(cubeRoot, Math.ceil(inFlight))))
}

/**
 * The circular block bootstrap's 95 % interval of a share (Politis and Romano, 1992): 1000 resamples of blocks of neighbours, from a
 * fixed seed, so that it comes out the same again.
 *
 * @param passes 1 or 0 a request, in the order of arrival
 */
export function blockBootstrap95(passes: Uint8Array, length: number): Interval | null {
  const n = passes.length
  if (n === 0) return null
  const sums = new Float64Array(n + length + 1)
  for (let i = 0; i < n + length; i++) sums[i + 1] = (sums[i] ?? 0) + (passes[i % n] ?? 0)
  const random = xoroshiro128plus(SEED)
  const shares = new Float64Array(RESAMPLES)
  for (let resample = 0; resample < RESAMPLES; resample++) {
    let passing = 0
    for (let left = n; left > 0; left -= length) {
      const start = Math.floor(((random.next() >>> 0) / 0x1_0000_0000) * n)
      passing += (sums[start + Math.min(left, length)] ?? 0) - (sums[start] ?? 0)
    }
    shares[resample] = passing / n
  }
  shares.sort()
  return [nearestRank(shares, 0.025) ?? 0, nearestRank(shares, 0.975) ?? 1]
}
