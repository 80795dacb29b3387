import { turnDueUs } from '../../core/kernel/point.ts'
import type { ScheduleRow } from '../../core/schedule/schedule.ts'

const NONE = -1

export interface TurnsInit {
  /** In the order of dispatch. */
  rows: readonly ScheduleRow[]
  /** The first rows, which are no part of the cohort. */
  warmupRows: number
  /** The latest that a row may be due and still be sent. */
  latestUs(index: number): number
  /** A turn was set aside and has become ready. */
  onReady(index: number): void
}

/**
 * Turns of sessions that cannot go out at their own time: set aside until the turn before has ended, whatever became of it, and then
 * ready for a time of their own. Those that would be due too late are lost, and with them what follows in their session.
 */
export class Turns {
  readonly #init: TurnsInit
  readonly #previous: Int32Array
  readonly #following: Int32Array
  readonly #endUs: Float64Array
  /** Set aside while the turn before runs: index → own time. */
  readonly #waiting = new Map<number, number>()
  readonly #lost = new Set<number>()
  /** By due time, the last one first. */
  readonly #ready: { index: number; dueUs: number }[] = []
  #pending = 0
  #isCut = false

  constructor(init: TurnsInit) {
    const { rows } = init
    this.#init = init
    this.#previous = new Int32Array(rows.length).fill(NONE)
    this.#following = new Int32Array(rows.length).fill(NONE)
    this.#endUs = new Float64Array(rows.length).fill(Number.NaN)
    const last = new Map<string, number>()
    for (const [index, { session }] of rows.entries()) {
      if (session === undefined) continue
      const before = last.get(session)
      last.set(session, index)
      if (before === undefined) continue
      this.#previous[index] = before
      this.#following[before] = index
    }
  }

  /** The cohort's turns that were set aside and are neither sent nor lost. */
  get pending(): number {
    return this.#pending
  }

  /** A turn of the cohort was lost: it would have been due too late. */
  get isCut(): boolean {
    return this.#isCut
  }

  /** When the first ready turn is due; Infinity where none is ready. */
  get firstUs(): number {
    return this.#ready.at(-1)?.dueUs ?? Infinity
  }

  /** When a row is due whose own time is given; null while the turn before it has not ended. */
  dueUs(index: number, ownUs: number): number | null {
    const previous = this.#previous[index] ?? NONE
    if (previous === NONE) return ownUs
    const endUs = this.#endUs[previous] ?? Number.NaN
    return Number.isNaN(endUs) ? null : turnDueUs(ownUs, endUs, this.#init.rows[index]?.thinkUs ?? 0)
  }

  /** Takes a row that cannot go out at its own time. */
  setAside(index: number, ownUs: number): void {
    this.#count(index, 1)
    if (this.#lost.has(this.#previous[index] ?? NONE)) return this.#lose(index)
    const dueUs = this.dueUs(index, ownUs)
    if (dueUs === null) this.#waiting.set(index, ownUs)
    else this.#makeReady(index, dueUs)
  }

  /** The session's next row; null where there is none. */
  following(index: number): number | null {
    const next = this.#following[index] ?? NONE
    return next === NONE ? null : next
  }

  /** The request of a row reached its terminal status. */
  ended(index: number, endUs: number): void {
    this.#endUs[index] = endUs
    const next = this.#following[index] ?? NONE
    const ownUs = this.#waiting.get(next)
    if (ownUs === undefined) return
    this.#waiting.delete(next)
    this.#makeReady(next, this.dueUs(next, ownUs) ?? ownUs)
  }

  /** Takes the first ready turn out. Throws where none is ready. */
  takeFirst(): { index: number; dueUs: number } {
    const first = this.#ready.pop()
    if (!first) throw new RangeError('no turn is ready')
    this.#count(first.index, -1)
    return first
  }

  /** The cohort begins: warm-up turns that are ready and were not sent are not sent any more. */
  loseWarmup(): void {
    for (const { index } of this.#ready.filter(({ index }) => index < this.#init.warmupRows)) this.#lose(index)
    const cohort = this.#ready.filter(({ index }) => index >= this.#init.warmupRows)
    this.#ready.splice(0, this.#ready.length, ...cohort)
  }

  /** How many ready turns are due by then. */
  overdue(atUs: number): number {
    let count = 0
    while (count < this.#ready.length && (this.#ready.at(-1 - count)?.dueUs ?? Infinity) <= atUs) count += 1
    return count
  }

  #makeReady(index: number, dueUs: number): void {
    if (dueUs > this.#init.latestUs(index)) return this.#lose(index)
    let low = 0
    for (let high = this.#ready.length; low < high;) {
      const middle = (low + high) >>> 1
      if ((this.#ready[middle]?.dueUs ?? 0) > dueUs) low = middle + 1
      else high = middle
    }
    this.#ready.splice(low, 0, { index, dueUs })
    this.#init.onReady(index)
  }

  /** It is never sent, and so nothing of its session after it. */
  #lose(index: number): void {
    for (let lost = index; lost !== NONE; lost = this.#following[lost] ?? NONE) {
      this.#lost.add(lost)
      if (lost !== index && !this.#waiting.delete(lost)) return
      this.#count(lost, -1)
      this.#isCut ||= lost >= this.#init.warmupRows
    }
  }

  #count(index: number, change: number): void {
    if (index >= this.#init.warmupRows) this.#pending += change
  }
}
