import type { Evidence } from '../../core/kernel/evidence.ts'
import { prewarmRequests } from '../../core/schedule/prewarm.ts'
import type { Schedule, ScheduleRow } from '../../core/schedule/schedule.ts'
import type { Effects } from '../context.ts'
import type { Deployment, Replica } from '../ports/engine.ts'
import type { RequestShape } from '../ports/replay.ts'

/**
 * Sets the cache state of a point on every replica, each addressed directly: reset, then, for a warm one, every prefix of the set
 * once.
 *
 * @returns `cache_hit.reset` and, warm, `cache_hit.prewarm`
 */
export async function setCacheState(
  effects: Effects,
  deployment: Deployment,
  schedule: Schedule,
  shape: RequestShape,
  signal: AbortSignal,
): Promise<Evidence[]> {
  const reset = await deployment.resetCache(signal)
  if (schedule.header.cache === 'cold') return [reset]
  const missed = await Promise.all(
    deployment.replicas.map((target) => prewarmReplica(effects, target, schedule, shape, signal)),
  )
  return [reset, prewarmEvidence(missed, schedule.header.prefixes.length)]
}

/** How many prefixes a replica could not be given. */
async function prewarmReplica(
  effects: Effects,
  target: Replica,
  schedule: Schedule,
  shape: RequestShape,
  signal: AbortSignal,
): Promise<number> {
  let missed = 0
  for (const request of prewarmRequests(schedule)) {
    const row: ScheduleRow = { ...request, class: 'prewarm', offsetUs: 0 }
    const record = await effects.replay.send(shape, target, row, signal)
    if (record.status !== 'ok') missed += 1
  }
  return missed
}

function prewarmEvidence(missed: readonly number[], prefixes: number): Evidence {
  const total = missed.reduce((sum, count) => sum + count, 0)
  return {
    probe: 'cache_hit.prewarm',
    state: total === 0 ? 'pass' : 'fail',
    required: true,
    blames: 'host',
    value: total,
    limit: 0,
    unit: 'prefixes',
    text:
      total === 0
        ? `each of ${missed.length} replicas was sent all ${prefixes} prefixes`
        : `${total} prefixes could not be sent to their replica`,
  }
}
