import type { ReplayOrder } from '../../app/ports/replay.ts'
import { dueUs } from '../../core/kernel/point.ts'
import type { ScheduleRow } from '../../core/schedule/schedule.ts'

/** The rows of a point in the order of dispatch: warm-up, then block after block. */
export class Arrivals {
  readonly rows: readonly ScheduleRow[]
  readonly warmupRows: number
  readonly #order: ReplayOrder
  /** Index of each block's first row. */
  readonly #blockStarts: readonly number[]

  constructor(order: ReplayOrder) {
    this.#order = order
    this.rows = [...order.warmup, ...order.blocks.flat()]
    this.warmupRows = order.warmup.length
    let start = this.warmupRows
    this.#blockStarts = order.blocks.map((block) => {
      const first = start
      start += block.length
      return first
    })
  }

  isCohort(index: number): boolean {
    return index >= this.warmupRows
  }

  /** The first row of an extension block: whether it follows is to be asked. */
  opensExtension(index: number): boolean {
    return this.#blockStarts.indexOf(index) > 0
  }

  /** Rows of the blocks begun once the row at this index is dispatched: the cohort, as scheduled. */
  cohortRowsBegun(index: number): number {
    if (!this.isCohort(index)) return 0
    const next = this.#blockStarts.find((start) => start > index) ?? this.rows.length
    return next - this.warmupRows
  }

  /** Open loop: when the row is due, in microseconds from the cohort's start. */
  dueUs(index: number, milliRps: number): number {
    const offsetUs = dueUs(this.rows[index]?.offsetUs ?? 0, milliRps)
    return this.isCohort(index) ? offsetUs : offsetUs - this.#order.warmupUs
  }
}
