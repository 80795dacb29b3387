import { arrives, launchRow, setNextAside } from './loop.ts'
import type { LoopProgress, LoopTools } from './loop.ts'

/** Sends in a row without a look at what came in, when the client is behind. */
const MOST_IN_A_ROW = 16

/**
 * Dispatches every row at its due time, whatever has become of the others, until the rows, the duration or the halt end it. A turn whose
 * time comes before its session is ready for it waits aside, and nothing waits for it.
 */
export async function openLoop(tools: LoopTools, progress: LoopProgress, milliRps: number): Promise<void> {
  const { arrivals, turns, waker, pacer, idle, originUs, maximumDurationUs, halt } = tools
  let inARow = 0
  while (!halt.aborted) {
    progress.isOpen &&= progress.next < arrivals.rows.length
    const ownUs = progress.isOpen ? arrivals.dueUs(progress.next, milliRps) : Infinity
    const dueUs = Math.min(ownUs, turns.firstUs)
    if (dueUs === Infinity && turns.pending === 0) break
    const wakeUs = Math.min(dueUs, maximumDurationUs)
    const isBehind = tools.nowUs() >= wakeUs
    inARow = isBehind ? inARow + 1 : 0
    if (!isBehind) await pacer.until(originUs + wakeUs, idle, waker.signal)
    else if (inARow % MOST_IN_A_ROW === MOST_IN_A_ROW - 1) {
      await pacer.turn()
      continue
    }
    // Woken: another turn may be due before.
    if (tools.nowUs() < wakeUs || halt.aborted) continue
    if (turns.firstUs < ownUs) launch(tools, progress, turns.takeFirst())
    else if (progress.isOpen) progress.isOpen = arriveNext(tools, progress, ownUs)
    else {
      progress.maximumReached = true
      break
    }
  }
  progress.maximumReached ||= turns.isCut
}

/** Sends the next row by the schedule, or sets it aside; false where no more arrive. */
function arriveNext(tools: LoopTools, progress: LoopProgress, ownUs: number): boolean {
  if (!arrives(tools, progress, ownUs)) return false
  const index = progress.next
  if (tools.turns.dueUs(index, ownUs) === ownUs) {
    progress.next += 1
    launch(tools, progress, { index, dueUs: ownUs })
  } else setNextAside(tools, progress, ownUs)
  return true
}

function launch(tools: LoopTools, progress: LoopProgress, row: { index: number; dueUs: number }): void {
  launchRow(tools, progress, row, (endUs) => tools.turns.ended(row.index, endUs))
}
