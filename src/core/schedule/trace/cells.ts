import { type Cell, refuseCell } from './trace-refusal.ts'

/** Longer than any model's window: a larger number is a unit that was mistaken. */
export const MOST_TOKENS = 100_000_000

const WHOLE = /^\d{1,15}$/
const SECONDS = /^\d+(?:\.\d*)?(?:[eE][+-]?\d{1,3})?$/

/** A length in tokens. `zero` says what to do about an empty one. */
export function tokens(cell: Cell, value: unknown): number {
  const length = typeof value === 'string' && WHOLE.test(value) ? Number(value) : value
  if (typeof length !== 'number' || !Number.isInteger(length) || length < 0) {
    return refuseCell(cell, value, 'is no whole number of tokens from 1 up', 'write digits only')
  }
  if (length === 0) {
    const hint = 'a request without tokens cannot be replayed: take such rows out of the trace'
    return refuseCell(cell, value, 'tokens: there is nothing to replay', hint)
  }
  if (length > MOST_TOKENS) {
    return refuseCell(cell, value, `is more than ${MOST_TOKENS} tokens`, 'lengths are tokens, not bytes or identifiers')
  }
  return length
}

/** A number of `unitUs` microseconds each, to the nearest microsecond. */
export function clockUs(cell: Cell, value: unknown, unitUs: number, unit: string): number {
  const time = typeof value === 'string' && SECONDS.test(value) ? Number(value) : value
  if (typeof time !== 'number' || !Number.isFinite(time) || time < 0) {
    return refuseCell(cell, value, `is no time in ${unit} from 0 up`, 'write a decimal number')
  }
  const us = Math.round(time * unitUs)
  if (!Number.isSafeInteger(us)) {
    return refuseCell(cell, value, `is beyond 2⁵³ microseconds`, `times are ${unit}: look for another unit`)
  }
  return us
}

const STAMP = /^(\d{4})-(\d{2})-(\d{2})[ T](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(Z|[+-](?:0\d|1\d|2[0-3]):?[0-5]\d)?$/

export interface Stamp {
  us: number
  hasZone: boolean
}

/**
 * A date and time such as `2023-11-16 18:17:03.9799600`, in microseconds from 1970: digits beyond the sixth are cut, and where there is
 * no zone it is taken as UTC.
 */
export function stamp(cell: Cell, value: string): Stamp {
  const found = STAMP.exec(value)
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = (found ?? []).slice(1, 7).map(Number)
  const isDay = month >= 1 && month <= 12 && day >= 1 && day <= daysOf(year, month)
  if (found === null || !isDay || hour > 23 || minute > 59 || second > 59) {
    return refuseCell(cell, value, 'is no date and time', 'write 2023-11-16 18:17:03.9799600, or with +00:00 after it')
  }
  const zone = found[8]
  const minutes = (daysFrom1970(year, month, day) * 24 + hour) * 60 + minute - zoneMinutes(zone)
  const micros = Number((found[7] ?? '').padEnd(6, '0').slice(0, 6))
  return { us: (minutes * 60 + second) * 1_000_000 + micros, hasZone: zone !== undefined }
}

function zoneMinutes(zone: string | undefined): number {
  if (zone === undefined || zone === 'Z') return 0
  const digits = zone.replaceAll(/\D/g, '')
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2))
  return zone.startsWith('-') ? -minutes : minutes
}

function daysOf(year: number, month: number): number {
  if (month !== 2) return [4, 6, 9, 11].includes(month) ? 30 : 31
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
}

/** Days from 1970-01-01 in the Gregorian calendar, years counted from March so that the leap day comes last. */
function daysFrom1970(year: number, month: number, day: number): number {
  const marchYear = month > 2 ? year : year - 1
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1
  const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400)
  return marchYear * 365 + leapDays + dayOfYear - 719_468
}

/** Ids of KV blocks: whole numbers from 0 up, each at most 2⁵³ − 1. */
export function blockIds(cell: Cell, value: unknown): readonly number[] {
  if (!Array.isArray(value)) return refuseCell(cell, value, 'is no list of block ids', 'write [0, 1, 2]')
  const wrong: unknown = value.find((id) => !Number.isSafeInteger(id) || (id as number) < 0)
  if (wrong === undefined) return value as number[]
  return refuseCell(
    cell,
    wrong,
    'is no block id',
    'number the blocks from 0 up; beyond 2⁵³ two of them could not be told apart',
  )
}
