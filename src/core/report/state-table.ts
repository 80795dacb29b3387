import type { CapacityRecord } from '../capacity/record.ts'
import type { StateVerdict } from '../gate/verdict.ts'
import { plainText } from './escape.ts'
import { carriedRps, METRIC_NAMES, perReplica, replicasOf } from './headline.ts'
import { milliRps, NONE, signedPercent } from './numbers.ts'
import { toneOf } from './paint.ts'
import type { Paint } from './paint.ts'

const HEADS = ['cache', 'outcome', 'baseline', 'carries', 'change', 'guard', 'limited by'] as const
/** The column that is coloured, and those that hold numbers. */
const OUTCOME = 1
const NUMBERS: ReadonlySet<number> = new Set([2, 3, 4, 5])

/**
 * A row a cache state: capacity before and after, its change, what was asked for and what limits it. Up to its last column it takes 64 columns at
 * most, and that one's name is the only text from outside. Empty without a state.
 */
export function stateTable(states: readonly StateVerdict[], record: CapacityRecord, paint: Paint): string[] {
  if (states.length === 0) return []
  const rows = [HEADS, ...states.map(cellsOf)]
  const widths = HEADS.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  const lines = rows.map((row, index) => {
    const state = states[index - 1]
    const cells = row.map((cell, column) => {
      const padded = padCell(cell, column, widths[column] ?? 0)
      return column === OUTCOME && state !== undefined ? paint(toneOf(state.outcome), padded) : padded
    })
    const line = cells.join('  ')
    return `  ${state === undefined ? paint('faint', line) : line}`
  })
  return [...lines, unitLine(states, record)]
}

function padCell(cell: string, column: number, width: number): string {
  if (column === HEADS.length - 1) return cell
  return NUMBERS.has(column) ? cell.padStart(width) : cell.padEnd(width)
}

function cellsOf(state: StateVerdict): string[] {
  const { cache, outcome, baselineMilliRps, guardMilliRps, changeShare, limiting, acceptedLoss } = state
  return [
    cache,
    acceptedLoss === undefined ? outcome : 'loss accepted',
    milliRps(baselineMilliRps),
    carriedRps(state),
    changeShare === null ? NONE : `${signedPercent(changeShare)} %`,
    milliRps(guardMilliRps),
    limiting === null
      ? NONE
      : `${plainText(limiting.class, 60)} (${METRIC_NAMES.get(limiting.metric) ?? plainText(limiting.metric, 40)})`,
  ]
}

/** What the table's numbers are, and what of them one replica of several carries. */
function unitLine(states: readonly StateVerdict[], record: CapacityRecord): string {
  const replicas = replicasOf(record)
  const each = states.flatMap((state) => {
    const text = perReplica(state, replicas)
    return text === '' ? [] : [`${state.cache} ${text.replace(/ a replica$/, '')}`]
  })
  return `  in requests a second${each.length === 0 ? '' : `; of each replica ${each.join(', ')}`}`
}
