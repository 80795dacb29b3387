import type { ScheduleRow } from '../../core/schedule/schedule.ts'
import type { IdleWork } from './pacer.ts'

/** Bodies that wait, all together. A prompt of 8,192 ids is about 50 kB. */
const MOST_BYTES = 32 * 1024 * 1024
/** What a slice is taken to last before any was timed, and at least. */
const LEAST_SLICE_US = 500

export interface BodyQueueInit {
  rows: readonly ScheduleRow[]
  build(row: ScheduleRow): Buffer
  /** Whether the row at this index is near enough to be built now. */
  isNear(index: number): boolean
  nowUs(): number
}

/** Request bodies in the order of dispatch, built ahead of need in idle slices, within bounds of time and bytes. */
export class BodyQueue implements IdleWork {
  readonly #init: BodyQueueInit
  /** Bodies of the rows `#first` and on; null where building threw. */
  #ready: (Buffer | null)[] = []
  #first = 0
  #bytes = 0
  #late = 0
  #sliceUs = LEAST_SLICE_US

  constructor(init: BodyQueueInit) {
    this.#init = init
  }

  /** Follows the longest of the last builds, so that long prompts do not begin just before a due time. */
  get sliceUs(): number {
    return this.#sliceUs
  }

  /** How many bodies were not ready when they were needed. */
  get late(): number {
    return this.#late
  }

  slice(): boolean {
    const index = this.#first + this.#ready.length
    const row = this.#init.rows[index]
    if (!row || this.#bytes >= MOST_BYTES || !this.#init.isNear(index)) return false
    const startUs = this.#init.nowUs()
    let body: Buffer | null = null
    try {
      body = this.#init.build(row)
    } catch {
      // Thrown again by `take`, where it becomes that request's error.
    }
    this.#ready.push(body)
    this.#bytes += body?.length ?? 0
    const tookUs = this.#init.nowUs() - startUs
    this.#sliceUs = Math.max(LEAST_SLICE_US, tookUs, Math.floor(this.#sliceUs * 0.9))
    return true
  }

  /** The body of a row, and forgets it and those before it. Throws what building it throws. */
  take(index: number): Buffer {
    const skipped = this.#ready.splice(0, index - this.#first)
    for (const body of skipped) this.#bytes -= body?.length ?? 0
    this.#first = index
    const row = this.#init.rows[index]
    if (!row) throw new RangeError(`no row ${index}`)
    const isReady = this.#ready.length > 0
    const body = this.#ready.shift() ?? null
    this.#first += 1
    this.#bytes -= body?.length ?? 0
    if (!isReady) this.#late += 1
    return body ?? this.#init.build(row)
  }
}
