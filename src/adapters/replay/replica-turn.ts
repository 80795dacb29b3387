import type { ReplayOrder } from '../../app/ports/replay.ts'
import { replicaPolicy, stickyReplica } from '../../core/schedule/replica-choice.ts'
import type { ScheduleRow } from '../../core/schedule/schedule.ts'

/** Which replica each request goes to, as an index of the order's targets. */
export type ReplicaTurn = (row: ScheduleRow) => number

/** By the manifest's policy where it says for the row; the others take turns, in the order of dispatch, warm-up rows among them. */
export function replicaTurn({ shape, targets, warmup, blocks }: ReplayOrder): ReplicaTurn {
  const policy = replicaPolicy(shape.manifest)
  const sticky = [warmup, blocks.flat()].map((rows) => stickyReplica(policy, targets.length, shape.header, rows))
  let turn = 0
  return (row) => {
    const own = sticky.map((choose) => choose(row)).find((index) => index !== null)
    return own ?? turn++ % targets.length
  }
}
