import { MOST_TOKENS } from '../cells.ts'
import { binFloor, logBin, LogHistogram } from './log-bins.ts'

/** Eight bins a doubling: 6 to 12 % wide. */
const GRID_BITS = 3
/** Bins of each axis of the grid. */
export const GRID_SIDE = logBin(MOST_TOKENS, GRID_BITS) + 1

/** The lowest length of a bin of the grid. */
export function gridFloor(bin: number): number {
  return binFloor(bin, GRID_BITS)
}

/** A rectangle of the grid: bins from … to, the last one not in it. */
export interface GridBox {
  inputFrom: number
  inputTo: number
  outputFrom: number
  outputTo: number
}

export interface LengthTotals {
  requests: number
  inputTokens: number
  outputTokens: number
}

/** How input and output lengths come together: both margins in bins of 1 %, and a grid of both with sums of what is in each cell. */
export class JointLengths {
  readonly input = new LogHistogram(7)
  readonly output = new LogHistogram(7)
  readonly #requests = new Float64Array(GRID_SIDE * GRID_SIDE)
  readonly #inputTokens = new Float64Array(GRID_SIDE * GRID_SIDE)
  readonly #outputTokens = new Float64Array(GRID_SIDE * GRID_SIDE)

  add(inputTokens: number, outputTokens: number): void {
    this.input.add(inputTokens)
    this.output.add(outputTokens)
    const cell = logBin(inputTokens, GRID_BITS) * GRID_SIDE + logBin(outputTokens, GRID_BITS)
    this.#requests[cell] = (this.#requests[cell] ?? 0) + 1
    this.#inputTokens[cell] = (this.#inputTokens[cell] ?? 0) + inputTokens
    this.#outputTokens[cell] = (this.#outputTokens[cell] ?? 0) + outputTokens
  }

  /** Requests in one cell of the grid. */
  requestsAt(inputBin: number, outputBin: number): number {
    return this.#requests[inputBin * GRID_SIDE + outputBin] ?? 0
  }

  /** Requests and tokens of a rectangle: exact. */
  totals({ inputFrom, inputTo, outputFrom, outputTo }: GridBox): LengthTotals {
    const totals = { requests: 0, inputTokens: 0, outputTokens: 0 }
    for (let row = inputFrom; row < inputTo; row++) {
      for (let cell = row * GRID_SIDE + outputFrom; cell < row * GRID_SIDE + outputTo; cell++) {
        totals.requests += this.#requests[cell] ?? 0
        totals.inputTokens += this.#inputTokens[cell] ?? 0
        totals.outputTokens += this.#outputTokens[cell] ?? 0
      }
    }
    return totals
  }

  /**
   * Spearman's rank correlation of the two lengths over the grid, ties at their middle rank: lengths of one bin are taken to be alike. Null where one of them
   * lies in one bin.
   */
  spearman(): number | null {
    const rows = middleRanks(sums((row) => this.#margin(row, 0, 1)))
    const columns = middleRanks(sums((column) => this.#margin(0, column, GRID_SIDE)))
    const [rowSpread, columnSpread] = [rows.spread, columns.spread]
    if (rowSpread === 0 || columnSpread === 0) return null
    let together = 0
    for (let row = 0; row < GRID_SIDE; row++) {
      const rowRank = rows.centred[row] ?? 0
      for (let column = 0; column < GRID_SIDE; column++) {
        together += this.requestsAt(row, column) * rowRank * (columns.centred[column] ?? 0)
      }
    }
    return together / Math.sqrt(rowSpread * columnSpread)
  }

  #margin(row: number, column: number, step: number): number {
    let sum = 0
    for (let i = 0; i < GRID_SIDE; i++) sum += this.#requests[row * GRID_SIDE + column + i * step] ?? 0
    return sum
  }
}

function sums(at: (bin: number) => number): number[] {
  return Array.from({ length: GRID_SIDE }, (_, bin) => at(bin))
}

/** Each bin's middle rank less the mean of all, and Σ count · rank². */
function middleRanks(counts: readonly number[]): { centred: number[]; spread: number } {
  const total = counts.reduce((sum, count) => sum + count, 0)
  let below = 0
  let spread = 0
  const centred = counts.map((count) => {
    const rank = below + (count - total) / 2
    below += count
    spread += count * rank * rank
    return rank
  })
  return { centred, spread }
}
