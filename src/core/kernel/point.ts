import { sha256Hex } from './hash.ts'

export type Cache = 'cold' | 'warm'

/** Open loop at a rate (integer milli-requests a second), or closed loop with N requests in flight. */
export type Load = { openMilliRps: number } | { closedConcurrency: number }

/** One offered rate (or one concurrency), one cache state, one repeat (from 1). */
export interface PointKey {
  cache: Cache
  load: Load
  repeat: number
}

/** The point's folder in the pack: `cold-open-24000-r1`, `warm-closed-64-r2`. */
export function pointName(key: PointKey): string {
  const load = 'openMilliRps' in key.load ? `open-${key.load.openMilliRps}` : `closed-${key.load.closedConcurrency}`
  return `${key.cache}-${load}-r${key.repeat}`
}

/**
 * The epoch of a point's prompts: 32 bits of the SHA-256 of cache, load and repeat. The same in baseline and candidate, and another
 * for each point, so that a schedule replayed at a second rate is not warm by itself.
 */
export function pointEpoch(key: PointKey): number {
  return Number.parseInt(sha256Hex(pointName(key)).slice(0, 8), 16)
}

/** Due time of a row whose offset is given at one request a second: floor(offsetUs · 1000 / milliRps), exact in integers. */
export function dueUs(offsetUs: number, milliRps: number): number {
  return Number((BigInt(offsetUs) * 1000n) / BigInt(milliRps))
}

/**
 * When a turn of a session is due: at the later of its own time and the end of the turn before plus its think time. A slow server puts
 * its sessions off; it never makes the client late.
 */
export function turnDueUs(ownUs: number, previousEndUs: number, thinkUs: number): number {
  return Math.max(ownUs, previousEndUs + thinkUs)
}
