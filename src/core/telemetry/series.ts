import type { MetricSource } from '../dialect/dialect.ts'
import { parseSeriesKey } from './prometheus.ts'
import type { Scrape } from './timeline.ts'

type Values = Readonly<Record<string, number>>
type Labels = Readonly<Record<string, string>>

/** Which series: exact wire names, newest first (the first that a scrape has is read), and label values that must be met. */
export interface SeriesChoice {
  names: readonly string[]
  labels?: Labels
  /** Names whose series are added; all of them must be there. */
  plus?: readonly string[]
}

/**
 * One number from one scrape: the chosen series added up (engine ranks, label sets) or their highest. Names are met exactly, never by
 * prefix: `_created`, `_sum` and `_count` stand beside them. Null where the scrape has none.
 */
export function readMetric(values: Values, source: Pick<MetricSource, 'names' | 'across' | 'plus'>): number | null {
  if (!isWhole(values, source)) return null
  const numbers = chosenSeries(values, source).map(([, value]) => value)
  return source.across === 'max' ? Math.max(...numbers) : numbers.reduce((sum, value) => sum + value, 0)
}

/** The chosen series of one scrape: of the first name that it has any series of, and of those to be added. */
function chosenSeries(values: Values, choice: SeriesChoice): [key: string, value: number][] {
  for (const name of choice.names) {
    const found = seriesOf(values, name)
    if (found.length === 0) continue
    const added = (choice.plus ?? []).flatMap((part) => seriesOf(values, part))
    return [...found, ...added].filter(([key]) => hasLabels(key, choice.labels))
  }
  return []
}

/** A sum that lacks a part is not known. */
function isWhole(values: Values, choice: SeriesChoice): boolean {
  const parts = choice.plus ?? []
  return chosenSeries(values, choice).length > 0 && parts.every((part) => seriesOf(values, part).length > 0)
}

function seriesOf(values: Values, name: string): [key: string, value: number][] {
  const found: [string, number][] = []
  for (const key in values) {
    const value = values[key]
    if (value !== undefined && isSeriesOf(key, name)) found.push([key, value])
  }
  return found
}

/** What a counter did between two scrapes of one replica. */
export type Rise =
  | { state: 'risen'; by: number }
  /** Fell, or a series that had counted is gone: the engine counts anew. */
  | { state: 'backwards' }
  /** Not in the later scrape, or a scrape is missing. */
  | { state: 'absent' }

/**
 * A counter's rise between two scrapes, over all chosen series. A series that appears in between started from zero: clients of
 * Prometheus create a label set with its first event.
 */
export function counterRise(before: Scrape | undefined, after: Scrape | undefined, choice: SeriesChoice): Rise {
  if (!before || !after) return { state: 'absent' }
  const named = choice.names.find((name) => chosenSeries(after.values, { names: [name] }).length > 0)
  const earlierName = choice.names.find((name) => chosenSeries(before.values, { names: [name] }).length > 0)
  if (named === undefined) return { state: earlierName === undefined ? 'absent' : 'backwards' }
  if (choice.plus?.some((part) => seriesOf(after.values, part).length === 0)) return { state: 'absent' }
  const earlier = new Map(chosenSeries(before.values, { ...choice, names: [named] }))
  let by = 0
  for (const [key, value] of chosenSeries(after.values, { ...choice, names: [named] })) {
    const was = earlier.get(key) ?? 0
    if (value < was) return { state: 'backwards' }
    by += value - was
    earlier.delete(key)
  }
  const lost = [...earlier.values()].some((value) => value > 0)
  return lost ? { state: 'backwards' } : { state: 'risen', by }
}

/** The rise over every replica; absent if one replica's is, backwards if one replica's is. */
export function totalRise(
  windows: readonly { before: Scrape | undefined; after: Scrape | undefined }[],
  choice: SeriesChoice,
): Rise {
  let by = 0
  let absent = windows.length === 0
  for (const { before, after } of windows) {
    const rise = counterRise(before, after, choice)
    if (rise.state === 'backwards') return rise
    if (rise.state === 'absent') absent = true
    else by += rise.by
  }
  return absent ? { state: 'absent' } : { state: 'risen', by }
}

/**
 * For each replica the last scrape before the cohort's start and the last of all. The latter counts only when it lies at or after
 * `untilUs` less one and a half seconds: scraping that broke off says nothing of the rest.
 */
export function cohortWindows(
  scrapes: readonly (readonly Scrape[])[],
  untilUs: number,
): { before: Scrape | undefined; after: Scrape | undefined }[] {
  return scrapes.map((replica) => {
    const last = replica.at(-1)
    return {
      before: replica.findLast(({ atUs }) => atUs <= 0),
      after: last && last.atUs >= untilUs - 1_500_000 ? last : undefined,
    }
  })
}

function isSeriesOf(key: string, name: string): boolean {
  return key.startsWith(name) && (key.length === name.length || key[name.length] === '{' || key[name.length] === ' ')
}

function hasLabels(key: string, labels: Labels | undefined): boolean {
  if (!labels) return true
  const wanted = Object.entries(labels)
  if (wanted.length === 0) return true
  const own = parseSeriesKey(key)?.labels
  return own !== undefined && wanted.every(([label, value]) => own[label] === value)
}
