import type { ReplayControl } from '../../app/ports/replay.ts'
import type { ChunkSeries } from '../../core/record/gaps.ts'
import type { RequestRecord } from '../../core/record/record.ts'

interface Entry {
  record: RequestRecord
  chunks: ChunkSeries
}

/** Hands the cohort's records over in order of ending, once a loop turn: after the reads of the turn, so that it delays none of them. */
export class Ledger {
  readonly #control: Pick<ReplayControl, 'onRecord' | 'stop'>
  readonly #onStop: (reason: string) => void
  readonly #onFailure: (error: unknown) => void
  #waiting: Entry[] = []
  #pending: NodeJS.Immediate | null = null
  #resolved = 0
  #lastEndUs = 0
  #isStopped = false
  #hasFailed = false

  /** `onFailure` gets what the control throws: nothing is handed over after that. */
  constructor(
    control: Pick<ReplayControl, 'onRecord' | 'stop'>,
    onStop: (reason: string) => void,
    onFailure: (error: unknown) => void,
  ) {
    this.#control = control
    this.#onStop = onStop
    this.#onFailure = onFailure
  }

  get resolved(): number {
    return this.#resolved
  }

  get lastEndUs(): number {
    return this.#lastEndUs
  }

  add(record: RequestRecord, chunks: ChunkSeries): void {
    this.#resolved += 1
    this.#lastEndUs = Math.max(this.#lastEndUs, record.endUs)
    this.#waiting.push({ record, chunks })
    this.#pending ??= setImmediate(() => this.flush())
  }

  /** Hands over what is waiting, now. */
  flush(): void {
    if (this.#pending !== null) clearImmediate(this.#pending)
    this.#pending = null
    const waiting = this.#waiting
    this.#waiting = []
    for (const { record, chunks } of waiting) {
      if (this.#hasFailed) return
      try {
        this.#hand(record, chunks)
      } catch (error) {
        this.#hasFailed = true
        this.#onFailure(error)
      }
    }
  }

  #hand(record: RequestRecord, chunks: ChunkSeries): void {
    this.#control.onRecord(record, chunks)
    if (this.#isStopped) return
    const reason = this.#control.stop()
    if (reason === null) return
    this.#isStopped = true
    this.#onStop(reason)
  }
}
