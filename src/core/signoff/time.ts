import { isDay } from '../gate/accepted/rules.ts'

export const DAY_MS = 86_400_000

/** Milliseconds of the last second of a day (UTC) written YYYY-MM-DD; null for a day that no calendar has. */
export function endOfDay(day: string): number | null {
  return isDay(day) ? Date.parse(`${day}T00:00:00Z`) + DAY_MS - 1000 : null
}

/** Milliseconds of an ISO 8601 time with its zone; null for anything else. */
export function timeOf(text: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/.test(text)) return null
  const ms = Date.parse(text)
  return Number.isFinite(ms) ? ms : null
}

export function isoTime(ms: number): string {
  return new Date(ms).toISOString()
}
