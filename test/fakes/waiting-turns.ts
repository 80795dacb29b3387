import { turnDueUs } from '../../src/core/kernel/point.ts'
import type { ScheduleRow } from '../../src/core/schedule/schedule.ts'

interface Waiting {
  row: ScheduleRow
  ownUs: number
  isCohort: boolean
}

/** A turn whose session is ready for it, and from when on. */
export interface ReadyTurn extends Waiting {
  dueUs: number
}

/** Turns of sessions that a fake load generator has passed over, looked through anew each time. */
export class WaitingTurns {
  readonly #before = new Map<ScheduleRow, ScheduleRow>()
  readonly #endUs = new Map<ScheduleRow, number>()
  #waiting: Waiting[] = []

  constructor(rows: readonly ScheduleRow[]) {
    const last = new Map<string, ScheduleRow>()
    for (const row of rows) {
      if (row.session === undefined) continue
      const before = last.get(row.session)
      if (before) this.#before.set(row, before)
      last.set(row.session, row)
    }
  }

  /** When a row is due whose own time is given; null while the turn before it runs or waits. */
  dueUs(row: ScheduleRow, ownUs: number): number | null {
    const before = this.#before.get(row)
    if (!before) return ownUs
    const endUs = this.#endUs.get(before)
    return endUs === undefined ? null : turnDueUs(ownUs, endUs, row.thinkUs ?? 0)
  }

  setAside(waiting: Waiting): void {
    this.#waiting.push(waiting)
  }

  ended(row: ScheduleRow, endUs: number): void {
    this.#endUs.set(row, endUs)
  }

  /** Whether turns of the cohort wait, ready or not. */
  get hasCohort(): boolean {
    return this.#waiting.some(({ isCohort }) => isCohort)
  }

  /** The ready turn that is due first. */
  first(): ReadyTurn | null {
    const ready = this.#waiting.flatMap((waiting): ReadyTurn[] => {
      const dueUs = this.dueUs(waiting.row, waiting.ownUs)
      return dueUs === null ? [] : [{ ...waiting, dueUs }]
    })
    return ready.toSorted((a, b) => a.dueUs - b.dueUs)[0] ?? null
  }

  remove({ row }: { row: ScheduleRow }): void {
    this.#waiting = this.#waiting.filter((waiting) => waiting.row !== row)
  }
}
