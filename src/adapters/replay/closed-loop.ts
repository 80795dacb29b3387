import { arrives, launchNext } from './loop.ts'
import type { LoopProgress, LoopTools } from './loop.ts'

/** The places of a closed loop: when each became free, oldest first. */
class Slots {
  readonly #halt: AbortSignal
  #freedUs: number[]
  #onFree: (() => void) | null = null

  constructor(count: number, freeUs: number, halt: AbortSignal) {
    this.#freedUs = Array.from({ length: count }, () => freeUs)
    this.#halt = halt
    halt.addEventListener('abort', () => this.#onFree?.(), { once: true })
  }

  get hasFree(): boolean {
    return this.#freedUs.length > 0
  }

  free(atUs: number): void {
    this.#freedUs.push(atUs)
    this.#onFree?.()
  }

  /** When the slot that has been free for longest became so. */
  get oldestUs(): number {
    return this.#freedUs[0] ?? 0
  }

  take(): number {
    return this.#freedUs.shift() ?? 0
  }

  /** Resolves when a slot is free or the halt came. */
  async some(): Promise<void> {
    while (!this.hasFree && !this.#halt.aborted) {
      await new Promise<void>((resolve) => (this.#onFree = resolve))
      this.#onFree = null
    }
  }
}

/**
 * Keeps `concurrency` requests in flight: a row is due when a slot became free, in the cohort not before its start. Warm-up rows fill
 * the slots until then; what of them still runs holds its slot until it ends.
 */
export async function closedLoop(tools: LoopTools, progress: LoopProgress, concurrency: number): Promise<void> {
  const { arrivals, pacer, bodies, originUs, halt } = tools
  const slots = new Slots(concurrency, -tools.warmupUs, halt)
  const launch = (earliestUs: number): void =>
    launchNext(tools, progress, Math.max(earliestUs, slots.take()), () => slots.free(tools.nowUs()))

  await pacer.until(originUs - tools.warmupUs, bodies, halt)
  while (progress.next < arrivals.warmupRows) {
    await freeSlot(slots, tools)
    if (halt.aborted) return
    if (tools.nowUs() >= 0) break
    launch(-tools.warmupUs)
  }
  progress.next = arrivals.warmupRows
  await pacer.until(originUs, bodies, halt)
  while (progress.next < arrivals.rows.length) {
    await freeSlot(slots, tools)
    const dueUs = Math.max(0, slots.oldestUs)
    if (halt.aborted || !arrives(tools, progress, dueUs)) return
    launch(0)
  }
}

/** Builds bodies ahead while every slot is taken. */
async function freeSlot(slots: Slots, { bodies, pacer, halt }: LoopTools): Promise<void> {
  while (!slots.hasFree && !halt.aborted && bodies.slice()) await pacer.turn()
  await slots.some()
}
