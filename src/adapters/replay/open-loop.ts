import { arrives, launchNext } from './loop.ts'
import type { LoopProgress, LoopTools } from './loop.ts'

/** Sends in a row without a look at what came in, when the client is behind. */
const MOST_IN_A_ROW = 16

/** Dispatches every row at its due time, whatever has become of the others, until the rows, the duration or the halt end it. */
export async function openLoop(tools: LoopTools, progress: LoopProgress, milliRps: number): Promise<void> {
  const { arrivals, pacer, bodies, originUs, halt } = tools
  let inARow = 0
  while (progress.next < arrivals.rows.length) {
    const dueUs = arrivals.dueUs(progress.next, milliRps)
    const wakeUs = Math.min(dueUs, tools.maximumDurationUs)
    inARow = tools.nowUs() < wakeUs ? 0 : inARow + 1
    if (inARow % MOST_IN_A_ROW === MOST_IN_A_ROW - 1) await pacer.turn()
    await pacer.until(originUs + wakeUs, bodies, halt)
    if (halt.aborted || !arrives(tools, progress, dueUs)) return
    launchNext(tools, progress, dueUs)
  }
}
