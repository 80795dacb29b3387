import type { Arrivals } from './arrivals.ts'
import type { IdleWork, Pacer } from './pacer.ts'
import type { Turns } from './turns.ts'
import type { Waker } from './waker.ts'

/** What an arrival loop works with. Times are microseconds on the pacer's clock where they say so, else from the cohort's start. */
export interface LoopTools {
  arrivals: Arrivals
  turns: Turns
  /** Is woken when a turn becomes ready, and at the halt. */
  waker: Waker
  /** What is done while nothing is due. */
  idle: IdleWork
  pacer: Pacer
  /** The cohort's start on the pacer's clock. */
  originUs: number
  warmupUs: number
  maximumDurationUs: number
  /** From the cohort's start. */
  nowUs(): number
  /** Dispatches a row that was due then; `onEnd` is called with the time when the request ended. */
  launch(index: number, dueUs: number, onEnd: (endUs: number) => void): void
  /** A row is passed over: it is dispatched later, or never. */
  setAside(index: number): void
  /** Whether the next block follows; asked once all rows before it were dispatched or set aside. */
  extend(): boolean
  /** Aborts when arrivals must end. */
  halt: AbortSignal
}

/** How far an arrival loop has come. */
export interface LoopProgress {
  /** The next row by the schedule's order. */
  next: number
  /** Rows still arrive by the schedule's order. */
  isOpen: boolean
  /** The last due time that was reached in the cohort, from its start. */
  arrivalUs: number
  warmupRequests: number
  maximumReached: boolean
  /** The rows before this one belong to the cohort, dispatched or not (its blocks were begun). */
  begun: number
}

/** Dispatches a row and counts it. */
export function launchRow(
  tools: LoopTools,
  progress: LoopProgress,
  { index, dueUs }: { index: number; dueUs: number },
  onEnd: (endUs: number) => void,
): void {
  if (tools.arrivals.isCohort(index)) progress.arrivalUs = Math.max(progress.arrivalUs, dueUs)
  else progress.warmupRequests += 1
  tools.launch(index, dueUs, onEnd)
}

/** Sets the next row aside, whose own time has come and whose turn has not. */
export function setNextAside({ turns, setAside }: LoopTools, progress: LoopProgress, ownUs: number): void {
  const index = progress.next
  progress.next += 1
  setAside(index)
  turns.setAside(index, ownUs)
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
