import type { ImportedRequest } from './imported-request.ts'
import type { SourceObject } from './source-object.ts'
import { shown } from './source-object.ts'

/** Microseconds of one unit, by the names that tools give it. */
const UNIT_US: ReadonlyMap<string, number> = new Map([
  ['ns', 1e-3],
  ['nanoseconds', 1e-3],
  ['us', 1],
  ['µs', 1],
  ['microseconds', 1],
  ['ms', 1e3],
  ['milliseconds', 1e3],
  ['s', 1e6],
  ['sec', 1e6],
  ['seconds', 1e6],
])

/** Microseconds of one unit as the file names it. Throws GateError `import_unit` for another name: no unit is ever guessed. */
export function unitUs(name: string | null, source: SourceObject, of: string): number {
  const us = UNIT_US.get(name ?? '')
  if (us !== undefined) return us
  throw source.refuse('import_unit', `gives ${of} in ${shown(name)}, which is no unit of time`)
}

/** A point lasts minutes; two clocks (epoch and a process's own) are decades apart. */
export const LONGEST_US = 7 * 24 * 3600 * 1e6

/**
 * A span in whole microseconds; null stays null. Throws GateError `import_negative` for one below zero, and `import_clocks` for one of
 * more than a week.
 */
export function spanUs(value: number | null, ofUnitUs: number, source: SourceObject, of: string): number | null {
  if (value === null) return null
  if (value * ofUnitUs > LONGEST_US) {
    const hint = 'import the requests of one process’s one run'
    throw source.refuse('import_clocks', `has a ${of} of more than a week: its moments are of two clocks`, hint)
  }
  if (value >= 0) return Math.round(value * ofUnitUs)
  const hint = 'a clock stepped, or the file was edited: measure again'
  throw source.refuse('import_negative', `has a negative ${of}: ${value}`, hint)
}

/** The span from one moment to another, in whole microseconds; null where one of them is. Throws GateError `import_negative`. */
export function betweenUs(from: number | null, to: number | null, source: SourceObject, of: string): number | null {
  return from === null || to === null ? null : spanUs(to - from, 1, source, of)
}

/** Gaps between chunks, in units of `ofUnitUs` microseconds. Throws GateError for one that is no number or negative. */
export function gapsUs(values: readonly unknown[], ofUnitUs: number, source: SourceObject): number[] {
  return values.map((value) => {
    if (typeof value !== 'number' || !Number.isFinite(value)) {
      throw source.refuse('import_shape', `has a gap between chunks that is no number: ${shown(value)}`)
    }
    return spanUs(value, ofUnitUs, source, 'gap between chunks') ?? 0
  })
}

/** Median, P95 (nearest rank) and largest of a request's gaps; null for none. */
export function summarizeGaps(values: readonly number[]): ImportedRequest['gapUs'] {
  const ascending = Float64Array.from(values).sort()
  const at = (share: number) => ascending[Math.max(0, Math.ceil(share * ascending.length) - 1)] ?? 0
  return values.length === 0 ? null : { p50: at(0.5), p95: at(0.95), max: at(1) }
}
