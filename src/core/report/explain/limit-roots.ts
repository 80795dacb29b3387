import type { Figure, Root, Side } from './cause.ts'
import { probed, riseOf } from './cause.ts'

const LIMIT_LOSS_MIN = 0.05
/** From this share in use on what comes next waits, or pushes something out. */
const KV_FULL = 0.9
const QUEUE_MIN_MS = 1

/** Less room: a smaller KV cache, a smaller batch. They add nothing to a step; requests wait for a place, or are pushed out of it. */
export function limitRoots(was: Side, is: Side, standsStill: boolean): Root[] {
  const kv = kvRoots(was, is)
  // While the engine stands still requests wait although there is room.
  return kv.length > 0 || standsStill ? kv : batchRoots(was, is)
}

/** What only follows from something else, and stands for it where nothing else changed: preemptions, a queue, a larger batch. */
export function consequenceRoots(was: Side, is: Side): Root[] {
  const preemptions = preemptionFigure(was, is)
  const queue = queueFigure(was, is)
  const batch = {
    title: 'sequences decoded together',
    was: was.point.work?.batch ?? null,
    is: is.point.work?.batch ?? null,
  }
  const sequenceMs = (was.point.work?.cost?.sequenceUs ?? 0) / 1000
  const queueMs = Math.max(0, (queue.is ?? 0) - (queue.was ?? Infinity))
  const batchMs = sequenceMs * Math.max(0, (batch.is ?? 0) - (batch.was ?? Infinity))
  return [
    ...((preemptions.is ?? 0) > (preemptions.was ?? Infinity)
      ? [
          room({
            id: 'preemptions',
            title: 'requests pushed out for want of KV blocks',
            figures: [preemptions],
            load: 1,
          }),
        ]
      : []),
    ...(queueMs > QUEUE_MIN_MS
      ? [
          {
            ...room({ id: 'queue', title: 'requests wait longer at the engine', figures: [queue], load: 0 }),
            ttftMs: () => queueMs,
          },
        ]
      : []),
    ...(batchMs > 0
      ? [
          {
            ...room({ id: 'batch', title: 'more sequences decoded together', figures: [batch], load: 0 }),
            tpotMs: batchMs,
          },
        ]
      : []),
  ]
}

function room(root: Pick<Root, 'id' | 'title' | 'figures' | 'load'>): Root {
  return { basis: 'inferred', ttftMs: () => 0, tpotMs: 0, ...root }
}

function preemptionFigure(was: Side, is: Side): Figure {
  const probe = 'stability.preemptions'
  return { title: 'preemptions', was: probed(was, probe), is: probed(is, probe) }
}

export function queueFigure(was: Side, is: Side): Figure {
  const title = 'queue wait at the engine, ms'
  return { title, was: was.point.work?.queueWaitMs ?? null, is: is.point.work?.queueWaitMs ?? null }
}

function kvRoots(was: Side, is: Side): Root[] {
  const size = { title: 'KV size, tokens', was: was.boot?.kvTokens ?? null, is: is.boot?.kvTokens ?? null }
  const preemptions = preemptionFigure(was, is)
  const usage = 'stability.kv_usage'
  const used = { title: 'KV in use at most, share', was: probed(was, usage), is: probed(is, usage) }
  const isFull = (used.is ?? 0) >= KV_FULL || (preemptions.is ?? 0) > (preemptions.was ?? Infinity)
  const load = -(riseOf(size) ?? 0)
  if (load < LIMIT_LOSS_MIN || !isFull) return []
  const figures = [size, preemptions, used]
  return [{ ...room({ id: 'kv_size', title: 'a smaller KV cache', figures, load }), basis: 'seen' }]
}

/** The most that ran at once fell although requests waited. */
function batchRoots(was: Side, is: Side): Root[] {
  const most = {
    title: 'most requests running at a replica',
    was: was.point.work?.runningMax ?? null,
    is: is.point.work?.runningMax ?? null,
  }
  const queue = queueFigure(was, is)
  const load = -(riseOf(most) ?? 0)
  const waits = (queue.is ?? 0) > Math.max(QUEUE_MIN_MS, queue.was ?? Infinity)
  // Of too few answers for a fit there were too few looks at the gauge as well.
  const isKnown = (is.point.work?.cost ?? null) !== null
  if (load < LIMIT_LOSS_MIN || !waits || !isKnown) return []
  return [room({ id: 'batch_limit', title: 'fewer requests run at once', figures: [most, queue], load })]
}
