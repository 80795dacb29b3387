import { bootSpreadOf } from '../capacity/boot-spread.ts'
import type { CapacityRecord, CapacityResult } from '../capacity/record.ts'
import type { Reason } from '../kernel/evidence.ts'
import type { Cache } from '../kernel/point.ts'
import { incomparabilities } from './comparable.ts'
import { recordSha256 } from './read.ts'
import { readTerms } from './terms.ts'
import { asPercent } from './wording.ts'

/** A tolerance of fewer spreads than these calls boots a loss, or a loss a boot (rule 3). */
const SPREADS_IN_TOLERANCE = 3
/** From so many boots on the spread is known well enough to refuse by it. */
const BOOTS_TO_REFUSE = 10

/** One cache state's boot-to-boot spread over a record and what was accepted before it. */
export interface PooledSpread {
  cache: Cache
  /** Relative standard deviation of the capacity; null where it was not measured anywhere. */
  share: number | null
  boots: number
}

export interface SpreadFindings {
  spreads: PooledSpread[]
  warnings: Reason[]
  obstacles: Reason[]
}

/**
 * Whether the tolerance holds three boot-to-boot spreads in every cache state: less than that is a warning, from ten boots on an obstacle,
 * and so is a spread that this record did not measure a warning.
 */
export function spreadFindings(record: CapacityRecord, history: readonly CapacityRecord[]): SpreadFindings {
  const tolerance = readTerms(record)?.toleranceShare ?? null
  const found: SpreadFindings = { spreads: [], warnings: [], obstacles: [] }
  const pool = comparableRecords(record, history)
  for (const result of record.capacity) {
    const spread = pooledSpread(pool, result.cache)
    found.spreads.push(spread)
    const unmeasured = unmeasuredReason(result)
    if (unmeasured !== null) found.warnings.push(unmeasured)
    const narrow = tolerance === null ? null : narrowReason(spread, tolerance)
    if (narrow !== null) (spread.boots >= BOOTS_TO_REFUSE ? found.obstacles : found.warnings).push(narrow)
  }
  return found
}

/** The record itself and those before it that a comparison would admit, each once. */
function comparableRecords(record: CapacityRecord, history: readonly CapacityRecord[]): CapacityRecord[] {
  const known = new Map([[recordSha256(record), record]])
  for (const former of history) {
    if (incomparabilities(record, former).length === 0) known.set(recordSha256(former), former)
  }
  return [...known.values()]
}

/**
 * Variances pooled by their degrees of freedom: sqrt(Σ (nᵢ − 1) sᵢ² / Σ (nᵢ − 1)). Each is taken from the record's points: what a record
 * says of itself beside them is not believed.
 */
function pooledSpread(records: readonly CapacityRecord[], cache: Cache): PooledSpread {
  const measured = records
    .flatMap(({ capacity }) => capacity.filter((result) => result.cache === cache))
    .map((result) => bootSpreadOf(result.points, result.passMilliRps))
    .filter((spread) => spread.share !== null)
  const freedom = measured.reduce((sum, { boots }) => sum + boots - 1, 0)
  const squares = measured.reduce((sum, { share, boots }) => sum + (boots - 1) * share ** 2, 0)
  const boots = measured.reduce((sum, spread) => sum + spread.boots, 0)
  return { cache, share: freedom === 0 ? null : Math.sqrt(squares / freedom), boots }
}

function unmeasuredReason(result: CapacityResult): Reason | null {
  const spread = bootSpreadOf(result.points, result.passMilliRps)
  if (spread.share !== null) return null
  const text = `${result.cache}: the spread from boot to boot was not measured: ${spread.why}; sweep with repeats: 3 or more to measure it`
  return { code: 'spread_not_measured', text }
}

function narrowReason({ cache, share, boots }: PooledSpread, tolerance: number): Reason | null {
  const limit = SPREADS_IN_TOLERANCE * (share ?? 0)
  if (tolerance >= limit) return null
  // To the next tenth of a percent, so that what is advised is enough.
  const enough = Math.ceil(limit * 1000) / 1000
  const spread = `${((share ?? 0) * 100).toFixed(2)} %`
  const text =
    `${cache}: the capacity differs by ${spread} from boot to boot (${boots} boots), and the tolerance of ${asPercent(tolerance)} is less ` +
    `than three times that; raise capacity_tolerance to ${enough} or steady the machine`
  return { code: 'tolerance_below_spread', text, value: tolerance, limit }
}
