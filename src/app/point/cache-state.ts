import type { Blame, Evidence } from '../../core/kernel/evidence.ts'
import type { RequestRecord } from '../../core/record/record.ts'
import { prewarmRequests } from '../../core/schedule/prewarm.ts'
import type { Schedule, ScheduleRow } from '../../core/schedule/schedule.ts'
import { ERROR_CODES } from '../../core/stream/error-codes.ts'
import type { Effects } from '../context.ts'
import type { Deployment, Replica } from '../ports/engine.ts'
import type { RequestShape } from '../ports/replay.ts'
import { TRIES } from './single-request.ts'

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
  const prewarms = await Promise.all(
    deployment.replicas.map((target) => prewarmReplica(effects, target, schedule, shape, signal)),
  )
  return [reset, prewarmEvidence(prewarms, schedule.header.prefixes.length)]
}

/** What became of one replica's prewarm. */
interface Prewarm {
  /** Prefixes that it could not be given. */
  missed: number
  /** Why, of the one that was tried last; null where none was missed. */
  lost: RequestRecord | null
}

/** Each prefix once, tried again where it fails. A replica that takes one prefix in no try takes none: each more would cost its deadline. */
async function prewarmReplica(
  effects: Effects,
  target: Replica,
  schedule: Schedule,
  shape: RequestShape,
  signal: AbortSignal,
): Promise<Prewarm> {
  const requests = prewarmRequests(schedule)
  for (const [index, request] of requests.entries()) {
    const row: ScheduleRow = { ...request, class: 'prewarm', offsetUs: 0 }
    let record = await effects.replay.send(shape, target, row, signal)
    for (let tries = 1; record.status !== 'ok' && tries < TRIES; tries++) {
      record = await effects.replay.send(shape, target, row, signal)
    }
    if (record.status !== 'ok') return { missed: requests.length - index, lost: record }
  }
  return { missed: 0, lost: null }
}

/** Blames whoever lost the requests: an engine that passed its smoke request and then answers none is at fault itself. */
function prewarmEvidence(replicas: readonly Prewarm[], prefixes: number): Evidence {
  const total = replicas.reduce((sum, { missed }) => sum + missed, 0)
  const lost = replicas.flatMap((replica) => replica.lost ?? [])
  const blames = lost.map(({ errorCode }) => blameOf(errorCode))
  const [first] = lost
  return {
    probe: 'cache_hit.prewarm',
    state: total === 0 ? 'pass' : 'fail',
    required: true,
    blames: blames.find((blame) => blame !== 'engine') ?? 'engine',
    value: total,
    limit: 0,
    unit: 'prefixes',
    text: first
      ? `${total} prefixes were not sent: replica ${first.replica} failed ${TRIES} requests with ${first.errorCode ?? first.status}`
      : `each of ${replicas.length} replicas was sent all ${prefixes} prefixes`,
  }
}

const meanings: Readonly<Record<string, { blames: Blame }>> = ERROR_CODES

/** A refusal has no code of its own, and is the engine's. */
function blameOf(errorCode: string | null): Blame {
  return meanings[errorCode ?? '']?.blames ?? 'engine'
}
