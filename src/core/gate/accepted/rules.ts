import { milliRps } from '../../capacity/guard-rate.ts'
import { showNumber } from '../../manifest/finding.ts'
import type { Path } from '../../manifest/finding.ts'
import type { FileBreach } from '../../manifest/beside-manifest.ts'
import { ACCEPTED_RULES, EXPIRY_DAYS_MAX } from './rules-table.ts'
import type { AcceptedLossEntry } from './schema.ts'

/** What an accepted loss is judged by beside its own words. */
export interface AcceptedFacts {
  /** The day of judgement: `2026-11-30`, UTC. */
  asOf: string
  /** The gate that asks: other gates' losses are not held to its minimum. */
  gateId: string
  /** `acceptance.min_capacity_rps` of that gate; null where none is declared. */
  minCapacityMilliRps: number | null
}

const DAY_MS = 24 * 60 * 60 * 1000
/** What the comment's block leaves to be filled in. */
export const PLACEHOLDERS = { reason: 'WHY', acceptedBy: 'WHO' } as const

/** Everything that one entry is against beside the schema. */
export function entryBreaches(entry: AcceptedLossEntry, index: number, facts: AcceptedFacts): FileBreach[] {
  const at = (key: keyof AcceptedLossEntry): Path => ['losses', index, key]
  const found: FileBreach[] = []
  for (const key of ['guard_rps', 'floor_rps'] as const) {
    if (!isExact(entry[key])) {
      found.push({
        rule: ACCEPTED_RULES.rate,
        path: at(key),
        message: `${entry[key]} RPS has more than three decimals`,
      })
    }
  }
  if (entry.floor_rps >= entry.guard_rps) {
    const message = `the floor of ${showNumber(entry.floor_rps)} RPS is not below the guard rate of ${showNumber(entry.guard_rps)}`
    found.push({ rule: ACCEPTED_RULES.noLoss, path: at('floor_rps'), message })
  }
  const minimum = facts.minCapacityMilliRps
  if (minimum !== null && entry.gate === facts.gateId && entry.floor_rps * 1000 < minimum) {
    const message = `the floor of ${showNumber(entry.floor_rps)} RPS is below the manifest’s min_capacity_rps, ${showNumber(minimum / 1000)}`
    found.push({ rule: ACCEPTED_RULES.underMinimum, path: at('floor_rps'), message })
  }
  for (const [key, placeholder] of [
    ['reason', PLACEHOLDERS.reason],
    ['accepted_by', PLACEHOLDERS.acceptedBy],
  ] as const) {
    if (entry[key].trim() === '' || entry[key].trim() === placeholder) {
      found.push({ rule: ACCEPTED_RULES.placeholder, path: at(key), message: `\`${key}\` is not filled in` })
    }
  }
  return [...found, ...expiryBreaches(entry, at('expires'), facts.asOf)]
}

function expiryBreaches({ expires }: AcceptedLossEntry, path: Path, asOf: string): FileBreach[] {
  if (!isDay(expires)) return [{ rule: ACCEPTED_RULES.notADay, path, message: `${expires} is no day of the calendar` }]
  if (isExpired(expires, asOf)) return [{ rule: ACCEPTED_RULES.expired, path, message: `it expired on ${expires}` }]
  const days = Math.round((Date.parse(expires) - Date.parse(asOf)) / DAY_MS)
  if (days <= EXPIRY_DAYS_MAX) return []
  return [{ rule: ACCEPTED_RULES.tooFar, path, message: `${expires} is ${showNumber(days)} days ahead` }]
}

/** The last day still counts. */
export function isExpired(expires: string, asOf: string): boolean {
  return expires < asOf
}

/** Whether `2027-02-30` is a day; a parser that rolls over would say yes. */
export function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`)
  return Number.isFinite(time) && new Date(time).toISOString().slice(0, 10) === text
}

/** The day so many days later. */
export function daysLater(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}

/** Whether a rate is a whole number of milli-requests a second, at least one. */
function isExact(rps: number): boolean {
  return Math.abs(rps * 1000 - milliRps(rps)) < 1e-6
}

/** Entries that say what an earlier one says already. */
export function repeated(entries: readonly AcceptedLossEntry[]): FileBreach[] {
  const first = new Map<string, number>()
  return entries.flatMap(({ gate, subject, cache }, index) => {
    const key = `${gate} ${subject} ${cache}`
    const earlier = first.get(key)
    if (earlier === undefined) {
      first.set(key, index)
      return []
    }
    const message = `losses[${earlier}] is of the same gate, subject and cache state`
    return [{ rule: ACCEPTED_RULES.twice, path: ['losses', index], message }]
  })
}
