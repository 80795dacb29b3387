import { dueUs, turnDueUs } from '../kernel/point.ts'
import type { ScheduleRow } from '../schedule/schedule.ts'
import type { PointView } from './point-view.ts'

/**
 * When each row fell due, by the schedule and by what the records say of the turn before it: a turn of a session is due at the later of
 * its own time and that turn's end plus its think time.
 */
export class DueTimes {
  readonly #milliRps: number | null
  /** The row before, of rows that go on a session. */
  readonly #before = new Map<string, ScheduleRow>()
  /** When a request with a session ended. */
  readonly #endUs = new Map<string, number>()

  constructor({ schedule, facts, records }: Pick<PointView, 'schedule' | 'facts' | 'records'>) {
    const { load } = facts.key
    this.#milliRps = 'openMilliRps' in load ? load.openMilliRps : null
    const last = new Map<string, ScheduleRow>()
    for (const row of schedule.rows) {
      if (row.session === undefined) continue
      const before = last.get(row.session)
      if (before) this.#before.set(row.id, before)
      last.set(row.session, row)
    }
    if (last.size === 0) return
    for (const { id, session, endUs } of records) if (session !== null) this.#endUs.set(id, endUs)
  }

  /** By the schedule alone; null in a closed loop, where rows have no time of their own. */
  ownUs(row: ScheduleRow): number | null {
    return this.#milliRps === null ? null : dueUs(row.offsetUs, this.#milliRps)
  }

  /**
   * When its session was ready for the row at the earliest; null where the turn before was never sent. Negative infinity for a row that
   * follows on none.
   */
  readyUs(row: ScheduleRow): number | null {
    const before = this.#before.get(row.id)
    if (!before) return Number.NEGATIVE_INFINITY
    const endUs = this.#endUs.get(before.id)
    return endUs === undefined ? null : turnDueUs(Number.NEGATIVE_INFINITY, endUs, row.thinkUs ?? 0)
  }

  /** When the row fell due; null where it never did, and in a closed loop. */
  dueUs(row: ScheduleRow): number | null {
    const own = this.ownUs(row)
    const ready = this.readyUs(row)
    return own === null || ready === null ? null : Math.max(own, ready)
  }
}
