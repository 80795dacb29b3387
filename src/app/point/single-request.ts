import type { Manifest } from '../../core/manifest/schema.ts'
import type { ScheduleRow } from '../../core/schedule/schedule.ts'
import { requestId } from '../../core/schedule/schedule.ts'
import type { Effects } from '../context.ts'
import type { Replica } from '../ports/engine.ts'
import type { RequestShape, SingleAnswer } from '../ports/replay.ts'

/** An engine that refuses one request in a hundred is within its error budget: a single refusal says nothing. */
export const TRIES = 3
/** Keeps the ids of a replica's tries apart from those of other replicas, and the turns of a prompt's history from both. */
const TRY_STRIDE = 1000
const TURN_STRIDE = 10_000
/** Beyond so many turns numbers come again, since ids have eight digits. Prompts are told apart by their first turn alone. */
const TURN_NUMBERS = 9_999

/** A request, and the turns of a session that its prompt goes on from. */
export interface SingleRequest {
  row: ScheduleRow
  earlier: readonly ScheduleRow[]
}

/** Codes after which another try is of no use: the engine cannot be measured at all. */
const SETTLED = new Set(['usage_missing'])

/**
 * One request to one replica outside any cohort, with a prompt that is nobody else's. Tried again where it fails, each try with an id of
 * its own; the last answer is returned.
 */
export async function singleRequest(
  effects: Effects,
  shape: RequestShape,
  target: Replica,
  make: (number: number) => SingleRequest,
  signal: AbortSignal,
): Promise<SingleAnswer> {
  for (let attempt = 0; ; attempt++) {
    const { row, earlier } = make(target.index + attempt * TRY_STRIDE)
    const answer = await effects.replay.send(shape, target, row, signal, earlier)
    const isSettled = answer.status === 'ok' || isRefused(answer) || SETTLED.has(answer.errorCode ?? '')
    if (isSettled || attempt + 1 === TRIES) return answer
  }
}

/** The engine will not take this request, however often it is sent: another status of 400 to 499 than of overload. */
export function isRefused({ status, httpStatus }: Pick<SingleAnswer, 'status' | 'httpStatus'>): boolean {
  return status !== 'rejected' && httpStatus !== null && httpStatus >= 400 && httpStatus < 500
}

/** The request of the class with the fewest tokens, under an id of its own kind. */
export function smallestRequest({ workload }: Manifest, kind: 'q', number: number): SingleRequest {
  const smallest = workload.reduce((best, next) =>
    next.input_tokens + next.output_tokens < best.input_tokens + best.output_tokens ? next : best,
  )
  const { name, input_tokens: inputTokens, output_tokens: outputTokens } = smallest
  const row = { id: requestId(kind, number + 1), class: name, offsetUs: 0, inputTokens, outputTokens }
  return { row, earlier: [] }
}

/** A scheduled request and its history as one of another kind: as long, and with a prompt that no scheduled one shares. */
export function asProbe({ row, earlier }: SingleRequest, kind: 's', number: number): SingleRequest {
  const bare = ({ class: name, inputTokens, outputTokens, text }: ScheduleRow, id: number): ScheduleRow => ({
    id: requestId(kind, id),
    class: name,
    offsetUs: 0,
    inputTokens,
    outputTokens,
    ...(text === undefined ? {} : { text }),
  })
  return {
    row: bare(row, number + 1),
    earlier: earlier.map((turn, index) => bare(turn, number + 1 + ((index % TURN_NUMBERS) + 1) * TURN_STRIDE)),
  }
}
