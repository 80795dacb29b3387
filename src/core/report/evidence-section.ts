import type { CapacityRecord } from '../capacity/record.ts'
import type { Evidence } from '../kernel/evidence.ts'
import type { Ink } from './escape.ts'
import { markdownCode, markdownText } from './escape.ts'
import { NONE, plainNumber } from './numbers.ts'
import { columns, cut, table } from './table.ts'

/** How often a probe was asked in a run, and its worst answer. */
export interface ProbeSummary {
  worst: Evidence
  counts: Record<Evidence['state'], number>
}

const SEVERITY = { pass: 0, unknown: 1, fail: 2 } as const

/** Every probe of the run, of its points and of its identity, with its states; what did not pass stands first. */
export function evidenceSection(record: CapacityRecord, max: number): string[] {
  if (max === 0) return []
  const probes = probesWorstFirst(record)
  if (probes.length === 0) return ['### Evidence', 'No probe reported anything.']
  const { shown, rest } = cut(probes, max, 'probes')
  const rows = shown.map(([name, { worst, counts }]) => [
    markdownCode(name, 60) + (worst.required ? '' : ' (advice)'),
    stateText(counts),
    seenText(worst, markdownText),
  ])
  return ['### Evidence', table(columns('probe', 'state', 'worst seen'), rows), rest]
}

/** Every probe with its states; what did not pass stands first. */
export function probesWorstFirst(record: CapacityRecord): [name: string, summary: ProbeSummary][] {
  return [...summaries(record)].toSorted(
    ([nameA, a], [nameB, b]) =>
      SEVERITY[b.worst.state] - SEVERITY[a.worst.state] ||
      Number(b.worst.required) - Number(a.worst.required) ||
      (nameA < nameB ? -1 : 1),
  )
}

function summaries(record: CapacityRecord): Map<string, ProbeSummary> {
  const found = new Map<string, ProbeSummary>()
  const points = record.capacity.flatMap((result) => result.points)
  for (const item of [...record.identity, ...record.evidence, ...points.flatMap((point) => point.evidence)]) {
    const summary = found.get(item.probe) ?? { worst: item, counts: { pass: 0, fail: 0, unknown: 0 } }
    summary.counts[item.state] += 1
    if (SEVERITY[item.state] > SEVERITY[summary.worst.state]) summary.worst = item
    found.set(item.probe, summary)
  }
  return found
}

/** How often a probe came out how: `1 fail, 3 pass`. */
export function stateText(counts: ProbeSummary['counts']): string {
  const asked = (['fail', 'unknown', 'pass'] as const).filter((state) => counts[state] > 0)
  return asked
    .map((state) => (counts[state] === 1 && asked.length === 1 ? state : `${counts[state]} ${state}`))
    .join(', ')
}

/** The worst that a probe saw, as `ink` writes what is from outside. */
export function seenText({ value, limit, unit, text }: Evidence, ink: Ink['text']): string {
  const number = value === undefined ? '' : plainNumber(value)
  const of = limit === undefined ? '' : ` (limit ${plainNumber(limit)})`
  const measured = number === '' ? '' : `${number}${unit === undefined ? '' : ` ${ink(unit, 20)}`}${of}`
  const said = text === undefined ? '' : ink(text, 120)
  return [measured, said].filter((part) => part !== '').join('; ') || NONE
}
