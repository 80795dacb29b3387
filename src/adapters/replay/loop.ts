import type { Arrivals } from './arrivals.ts'
import type { BodyQueue } from './body-queue.ts'
import type { Pacer } from './pacer.ts'

/** What an arrival loop works with. Times are microseconds on the pacer's clock where they say so, else from the cohort's start. */
export interface LoopTools {
  arrivals: Arrivals
  bodies: BodyQueue
  pacer: Pacer
  /** The cohort's start on the pacer's clock. */
  originUs: number
  warmupUs: number
  maximumDurationUs: number
  /** From the cohort's start. */
  nowUs(): number
  /** Dispatches a row that was due then; `onEnd` is called when the request ended. */
  launch(index: number, dueUs: number, onEnd?: () => void): void
  /** Whether the next block follows; asked once all rows before it were dispatched. */
  extend(): boolean
  /** Aborts when arrivals must end. */
  halt: AbortSignal
}

/** How far an arrival loop has come. */
export interface LoopProgress {
  /** The next row to dispatch. */
  next: number
  /** The last due time that was reached in the cohort, from its start. */
  arrivalUs: number
  warmupRequests: number
  maximumReached: boolean
  /** The rows before this one belong to the cohort, dispatched or not (its blocks were begun). */
  begun: number
}

/** Dispatches the row at `progress.next` and counts it. */
export function launchNext(tools: LoopTools, progress: LoopProgress, dueUs: number, onEnd?: () => void): void {
  const index = progress.next
  progress.next += 1
  if (tools.arrivals.isCohort(index)) progress.arrivalUs = dueUs
  else progress.warmupRequests += 1
  tools.launch(index, dueUs, onEnd)
}

/**
 * Whether the row at `progress.next` still arrives, when its time has come: not if it opens an extension block that is not wanted, and
 * not if it is due after the maximum duration.
 */
export function arrives(tools: LoopTools, progress: LoopProgress, dueUs: number): boolean {
  const index = progress.next
  if (!tools.arrivals.isCohort(index)) return true
  if (tools.arrivals.opensExtension(index) && !tools.extend()) return false
  if (dueUs > tools.maximumDurationUs) {
    progress.maximumReached = true
    return false
  }
  progress.begun = tools.arrivals.cohortRowsBegun(index)
  return true
}
