import type { Manifest } from '../../core/manifest/schema.ts'
import type { RequestRecord } from '../../core/record/record.ts'
import type { ScheduleRow } from '../../core/schedule/schedule.ts'
import { requestId } from '../../core/schedule/schedule.ts'
import type { Effects } from '../context.ts'
import type { Replica } from '../ports/engine.ts'
import type { RequestShape } from '../ports/replay.ts'

/** An engine that refuses one request in a hundred is within its error budget: a single refusal says nothing. */
export const TRIES = 3
/** Keeps the ids of a replica's tries apart from those of other replicas. */
const TRY_STRIDE = 1000

/** Codes after which another try is of no use: the engine cannot be measured at all. */
const SETTLED = new Set(['usage_missing'])

/**
 * One request to one replica outside any cohort, of the class with the fewest tokens, with a prompt that is nobody else's. Tried
 * again where it fails, each try with an id of its own; the last record is returned.
 */
export async function singleRequest(
  effects: Effects,
  shape: RequestShape,
  target: Replica,
  kind: 's' | 'q',
  signal: AbortSignal,
): Promise<RequestRecord> {
  for (let attempt = 0; ; attempt++) {
    const row = probeRow(shape.manifest, kind, target.index + attempt * TRY_STRIDE)
    const record = await effects.replay.send(shape, target, row, signal)
    const settled = record.status === 'ok' || SETTLED.has(record.errorCode ?? '')
    if (settled || attempt + 1 === TRIES) return record
  }
}

/** The request of the class with the fewest tokens, under an id of its own kind. */
export function probeRow({ workload }: Manifest, kind: 's' | 'q', number: number): ScheduleRow {
  const smallest = workload.reduce((best, next) =>
    next.input_tokens + next.output_tokens < best.input_tokens + best.output_tokens ? next : best,
  )
  return {
    id: requestId(kind, number + 1),
    class: smallest.name,
    offsetUs: 0,
    inputTokens: smallest.input_tokens,
    outputTokens: smallest.output_tokens,
  }
}
