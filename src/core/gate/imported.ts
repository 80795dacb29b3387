import type { Reason } from '../kernel/evidence.ts'
import type { Cache } from '../kernel/point.ts'
import type { CapacityRecord, CapacityResult, PointReport } from '../capacity/record.ts'
import { openMilliRps } from '../capacity/by-rate.ts'
import { importedReason } from '../slo/imported-reason.ts'
import { deltasBetween } from './deltas.ts'
import type { Terms } from './terms.ts'
import type { StateVerdict } from './verdict.ts'
import { reason } from './wording.ts'

const ORIGIN = /^[A-Za-z0-9._+-]{1,40}(\/[A-Za-z0-9._+-]{1,40})?$/

/**
 * Why a comparison with another tool's cohort decides nothing; empty where neither record is one. No hardware is named in such a file,
 * and no schedule frozen.
 */
export function importedReasons(candidate: CapacityRecord, baseline: CapacityRecord | null): Reason[] {
  const sides: [string, CapacityRecord | null][] = [
    ['candidate', candidate],
    ['baseline', baseline],
  ]
  return sides.flatMap(([whose, record]) => {
    if (record === null || !isImported(record)) return []
    const { code, text } = importedReason(originsOf(record))
    return [{ code, text: `${whose}: ${text}` }]
  })
}

/** Whether another tool sent the requests of any of its points, whatever kind the record says that it is. */
export function isImported(record: CapacityRecord): boolean {
  return record.kind === 'imported' || originOfPoints(record).length > 0
}

function originOfPoints({ capacity }: CapacityRecord): string[] {
  return capacity.flatMap(({ points }) => points.flatMap(({ slo }) => slo.origin ?? []))
}

/** Whose requests a record's points are, as far as it says so in the form that requests.csv has. */
function originsOf(record: CapacityRecord): string {
  const origins = new Set(originOfPoints(record).filter((origin) => ORIGIN.test(origin)))
  return origins.size === 0 ? 'another tool' : [...origins].slice(0, 3).join(' and ')
}

export interface ShownInput {
  cache: Cache
  terms: Terms
  now: CapacityResult | null
  /** Null where there is none to be shown beside. */
  base: CapacityResult | null
}

/** One cache state that is shown and not judged: the two points of the same load, side by side. */
export function shownState({ cache, terms, now, base }: ShownInput): StateVerdict {
  const pair = now === null || base === null ? null : nearestPair(base.points, now.points, terms.toleranceShare)
  const rates = pair && ([openMilliRps(pair.base), openMilliRps(pair.now)] as const)
  return {
    cache,
    outcome: 'inconclusive',
    baselineMilliRps: base?.passMilliRps ?? null,
    anchorMilliRps: null,
    guardMilliRps: null,
    guardFrom: null,
    candidateMilliRps: now?.passMilliRps ?? null,
    candidateFailMilliRps: now?.failMilliRps ?? null,
    changeShare: null,
    repeats: 0,
    minimumDetectableLoss: null,
    limiting: pair?.now.limiting ?? now?.points.at(-1)?.limiting ?? null,
    reasons: [],
    notes: pair === null ? [reason('deltas_not_comparable', 'no two points have the same load')] : [],
    deltaRates:
      rates === null || rates[0] === null || rates[1] === null
        ? null
        : { baseMilliRps: rates[0], nowMilliRps: rates[1] },
    deltas: pair === null ? [] : deltasBetween(pair.base, pair.now, terms),
  }
}

/** The last two points of the same concurrency, or whose rates are nearest to each other and within the tolerance. */
function nearestPair(base: readonly PointReport[], now: readonly PointReport[], tolerance: number) {
  const pairs = base.flatMap((was) => now.map((is) => ({ base: was, now: is, apart: apart(was, is) })))
  const near = pairs.filter((pair) => pair.apart <= tolerance)
  return near.toSorted((a, b) => a.apart - b.apart).findLast((pair, _, all) => pair.apart === all[0]?.apart) ?? null
}

/** How far apart two loads are, as a share of the first; infinite for unlike ones. */
function apart({ key: { load: was } }: PointReport, { key: { load: is } }: PointReport): number {
  if ('openMilliRps' in was && 'openMilliRps' in is) return Math.abs(is.openMilliRps / was.openMilliRps - 1)
  if ('closedConcurrency' in was && 'closedConcurrency' in is) {
    return was.closedConcurrency === is.closedConcurrency ? 0 : Number.POSITIVE_INFINITY
  }
  return Number.POSITIVE_INFINITY
}
