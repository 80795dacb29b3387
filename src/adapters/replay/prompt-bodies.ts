import type { ScheduleRow } from '../../core/schedule/schedule.ts'
import type { BodyQueue } from './body-queue.ts'
import type { IdleWork } from './pacer.ts'

/** Bodies of turns that wait, all together: beyond it they are made again when their time comes. */
const MOST_BYTES = 64 * 1024 * 1024

export interface PromptBodiesInit {
  rows: readonly ScheduleRow[]
  queue: BodyQueue
  build(row: ScheduleRow): Buffer
  /** The prompt cannot be made before the turn before has ended: the queue holds an empty place for it. */
  isOpen(row: ScheduleRow): boolean
}

/**
 * Every row's request body: from the queue in the schedule's order; those of turns that are passed over are kept, and those that need
 * the turn before are made once it has ended.
 */
export class PromptBodies implements IdleWork {
  readonly #init: PromptBodiesInit
  readonly #kept = new Map<number, Buffer>()
  readonly #aside = new Set<number>()
  /** To be made as soon as there is time. */
  readonly #wanted = new Set<number>()
  #bytes = 0
  #late = 0

  constructor(init: PromptBodiesInit) {
    this.#init = init
  }

  get sliceUs(): number {
    return this.#init.queue.sliceUs
  }

  /** How many bodies were not ready when they were needed. */
  get late(): number {
    return this.#late + this.#init.queue.late
  }

  /** Makes one body ahead: a wanted one, else of the schedule's next rows. */
  slice(): boolean {
    for (const index of this.#wanted) {
      this.#wanted.delete(index)
      this.#keep(index, () => this.#build(index))
      return true
    }
    return this.#init.queue.slice()
  }

  /** The row is passed over in the schedule's order; its body is needed later. */
  setAside(index: number): void {
    this.#aside.add(index)
    const body = (): Buffer => this.#init.queue.take(index)
    if (!this.#isOpen(index)) this.#keep(index, body)
  }

  /** Everything that the row's body is made of is known, and it is needed soon. */
  want(index: number): void {
    if (!this.#kept.has(index)) this.#wanted.add(index)
  }

  /** The body of a row, once. Throws what building it throws. */
  take(index: number): Buffer {
    const queued = this.#aside.delete(index) ? null : this.#init.queue.take(index)
    this.#wanted.delete(index)
    const kept = this.#kept.get(index)
    if (kept) {
      this.#kept.delete(index)
      this.#bytes -= kept.length
      return kept
    }
    if (queued && !this.#isOpen(index)) return queued
    this.#late += 1
    return this.#build(index)
  }

  #keep(index: number, make: () => Buffer): void {
    if (this.#bytes >= MOST_BYTES) return
    try {
      const body = make()
      this.#kept.set(index, body)
      this.#bytes += body.length
    } catch {
      // Thrown again by `take`, where it becomes that request's error.
    }
  }

  #isOpen(index: number): boolean {
    const row = this.#init.rows[index]
    return row !== undefined && this.#init.isOpen(row)
  }

  #build(index: number): Buffer {
    const row = this.#init.rows[index]
    if (!row) throw new RangeError(`no row ${index}`)
    return this.#init.build(row)
  }
}
