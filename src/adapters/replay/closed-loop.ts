import { arrives, launchRow, setNextAside } from './loop.ts'
import type { LoopProgress, LoopTools } from './loop.ts'
import { Slots } from './slots.ts'

/** Longer than anything takes, and no more than a timer can hold. */
const LONGEST_WAIT_US = 3_600_000_000

interface Phase {
  /** No row is due before. */
  fromUs: number
  /** The loop leaves the phase then, whatever is left of it. */
  untilUs: number
  untilRow: number
}

/**
 * Keeps `concurrency` requests in flight: a row is due when a place has been empty for `thinkUs`, in the cohort not before its start.
 * Warm-up rows fill the places until then; what of them still runs holds its place until it ends. A turn whose session is not ready for
 * it is passed over: it takes the first place that is free once it is ready, before rows that come later in the schedule.
 */
export async function closedLoop(
  tools: LoopTools,
  progress: LoopProgress,
  { concurrency, thinkUs }: { concurrency: number; thinkUs: number },
): Promise<void> {
  const { arrivals, turns, pacer, idle, originUs, warmupUs, halt } = tools
  const { warmupRows } = arrivals
  const slots = new Slots(concurrency, -warmupUs, thinkUs)
  await pacer.until(originUs - warmupUs, idle, halt)
  await fill(tools, progress, slots, { fromUs: -warmupUs, untilUs: 0, untilRow: warmupRows })
  progress.next = warmupRows
  await pacer.until(originUs, idle, halt)
  turns.loseWarmup()
  await fill(tools, progress, slots, { fromUs: 0, untilUs: Infinity, untilRow: arrivals.rows.length })
  progress.maximumReached ||= turns.isCut
}

/** Rows into places until the phase's rows or its time are over, or no more arrive. */
async function fill(tools: LoopTools, progress: LoopProgress, slots: Slots, phase: Phase): Promise<void> {
  const { turns, waker, pacer, idle, originUs, halt } = tools
  const { fromUs, untilUs, untilRow } = phase
  while (!halt.aborted) {
    const hasRow = progress.next < untilRow
    const isLast = untilUs === Infinity
    if (isLast && !hasRow && turns.firstUs === Infinity && turns.pending === 0) return
    const nowUs = tools.nowUs()
    if (nowUs >= untilUs) return
    const slotUs = Math.max(fromUs, slots.firstUs)
    const turnUs = Math.max(slotUs, turns.firstUs)
    const rowUs = hasRow && !isHeldUp(tools, progress) ? slotUs : Infinity
    const dueUs = Math.min(turnUs, rowUs)
    const wakeUs = Math.min(dueUs, untilUs, slotUs === Infinity ? Infinity : tools.maximumDurationUs)
    if (nowUs < wakeUs) {
      await pacer.until(originUs + Math.min(wakeUs, nowUs + LONGEST_WAIT_US), idle, waker.signal)
      continue
    }
    if (turnUs <= rowUs && dueUs <= tools.maximumDurationUs) {
      slots.take()
      const { index } = turns.takeFirst()
      launch(tools, progress, slots, { index, dueUs })
    } else if (rowUs < Infinity) {
      if (!arrives(tools, progress, dueUs)) return
      arriveNext(tools, progress, slots, dueUs)
    } else {
      progress.maximumReached = true
      return
    }
  }
}

/** An extension block is asked for once all rows before it were sent: turns that wait hold it up. */
function isHeldUp({ arrivals, turns }: LoopTools, { next }: LoopProgress): boolean {
  return turns.pending > 0 && arrivals.opensExtension(next)
}

function arriveNext(tools: LoopTools, progress: LoopProgress, slots: Slots, dueUs: number): void {
  const index = progress.next
  if (tools.turns.dueUs(index, dueUs) !== dueUs) return setNextAside(tools, progress, dueUs)
  progress.next += 1
  slots.take()
  launch(tools, progress, slots, { index, dueUs })
}

function launch(tools: LoopTools, progress: LoopProgress, slots: Slots, row: { index: number; dueUs: number }): void {
  launchRow(tools, progress, row, (endUs) => {
    slots.ended(endUs)
    tools.turns.ended(row.index, endUs)
    tools.waker.wake()
  })
}
