import { type GridBox, GRID_SIDE, gridFloor, type JointLengths } from './joint-lengths.ts'

/** Shares of the requests by input length (down) and output length (across), both in bins of a factor of four, empty margins left out. */
export interface LengthTable {
  /** Each bin's lowest length. */
  inputFrom: number[]
  outputFrom: number[]
  /** A row an input bin; shares of all requests. */
  shares: number[][]
}

/** As many columns as 80 characters hold; what lies beyond is in the first or last. */
const MOST_COLUMNS = 7

export function lengthTable(lengths: JointLengths): LengthTable {
  const all = lengths.totals(box(0, GRID_SIDE, 0, GRID_SIDE)).requests
  const starts = quadruplingBins()
  const ends = [...starts.slice(1), GRID_SIDE]
  const cells = starts.map((inputFrom, row) =>
    starts.map((outputFrom, column) => {
      const { requests } = lengths.totals(box(inputFrom, ends[row] ?? 0, outputFrom, ends[column] ?? 0))
      return requests / all
    }),
  )
  const rows = occupied(cells.map((row) => row.reduce((sum, share) => sum + share, 0)))
  const columns = occupied(starts.map((_, column) => cells.reduce((sum, row) => sum + (row[column] ?? 0), 0)))
  const shown = columns.slice(-MOST_COLUMNS)
  const before = columns.slice(0, -MOST_COLUMNS)
  const at = (row: number, column: number) => cells[row]?.[column] ?? 0
  return {
    inputFrom: rows.map((row) => gridFloor(starts[row] ?? 0)),
    outputFrom: shown.map((column, index) => gridFloor(starts[(index === 0 ? before[0] : column) ?? column] ?? 0)),
    shares: rows.map((row) =>
      shown.map((column, index) =>
        index === 0 ? [...before, column].reduce((sum, also) => sum + at(row, also), 0) : at(row, column),
      ),
    ),
  }
}

function box(inputFrom: number, inputTo: number, outputFrom: number, outputTo: number): GridBox {
  return { inputFrom, inputTo, outputFrom, outputTo }
}

/** The grid's bins whose lowest length is 1, 4, 16, 64 … */
function quadruplingBins(): number[] {
  const bins: number[] = []
  for (let bin = 0, floor = 1; bin < GRID_SIDE; bin++) {
    if (gridFloor(bin) !== floor) continue
    bins.push(bin)
    floor *= 4
  }
  return bins
}

/** From the first that holds something to the last. */
function occupied(shares: readonly number[]): number[] {
  const first = shares.findIndex((share) => share > 0)
  const last = shares.findLastIndex((share) => share > 0)
  return shares.flatMap((_, index) => (index >= first && index <= last ? [index] : []))
}
