import type { Manifest } from '../manifest/schema.ts'
import type { Schedule, ScheduleRow } from './schedule.ts'
import { sessionHistory, turnDealer } from './sessions.ts'

/** What a cache can serve. `share` is hitTokens / inputTokens, 0 without rows. */
export interface ExpectedHit {
  hitTokens: number
  inputTokens: number
  share: number
}

/** Which classes' histories are live: made of the engine's own replies. */
export type IsLive = (className: string) => boolean

/** As the manifest says. */
export function liveClasses({ workload }: Pick<Manifest, 'workload'>): IsLive {
  const live = new Set(workload.filter(({ session }) => session?.history === 'live').map(({ name }) => name))
  return (className) => live.has(className)
}

/**
 * The tokens that a cache which holds every prefix, and what each session sent before, can serve for these rows, in whole blocks only; the
 * last input token is always computed: floor(min(shared, input − 1) / block) · block each.
 *
 * Shared is the prefix or, of a later turn, the whole prompt of the turn before: the engine's own reply is in its cache, but the synthetic
 * one that the history goes on with is not. Only a live history shares the reply too, but for its last token, which was never an input.
 */
export function expectedHit(
  schedule: Schedule,
  rows: readonly ScheduleRow[],
  blockTokens: number,
  isLive: IsLive = () => false,
): ExpectedHit {
  const lengths = new Map(schedule.header.prefixes.map((prefix) => [prefix.id, prefix.tokens]))
  const sessions = sessionHistory(schedule.rows)
  let hitTokens = 0
  let inputTokens = 0
  for (const row of rows) {
    const prefix = row.prefix === undefined ? 0 : (lengths.get(row.prefix) ?? 0)
    const before = row.session === undefined ? undefined : sessions.get(row.session)?.[(row.turn ?? 0) - 1]
    const shared = before ? sentBefore(before, isLive(row.class)) : prefix
    hitTokens += Math.floor(Math.min(shared, row.inputTokens - 1) / blockTokens) * blockTokens
    inputTokens += row.inputTokens
  }
  return { hitTokens, inputTokens, share: inputTokens === 0 ? 0 : hitTokens / inputTokens }
}

/** Only a whole reply goes into a live history. */
function sentBefore({ inputTokens, outputTokens, cancelAfterTokens }: ScheduleRow, isLive: boolean): number {
  return isLive && cancelAfterTokens === undefined ? inputTokens + outputTokens - 1 : inputTokens
}

/**
 * Mean tokens of a scheduled request, from the exact class counts: 2,406.4 in and 243.2 out in the worked example. A session's history
 * counts as input; of a trace the classes' lengths are the most that there can be.
 */
export function weightedTokens(manifest: Manifest): { inputPerRequest: number; outputPerRequest: number } {
  let requests = 0
  let input = 0
  let output = 0
  for (const { name, input_tokens, output_tokens, session } of manifest.workload) {
    const count = manifest.client.class_schedule_counts[name] ?? 0
    requests += count
    output += count * output_tokens
    if (!session) input += count * input_tokens
    else {
      const deal = turnDealer(session, { inputTokens: input_tokens, outputTokens: output_tokens })
      for (let arrival = 0; arrival < count; arrival++) input += deal().inputTokens
    }
  }
  if (requests === 0) return { inputPerRequest: 0, outputPerRequest: 0 }
  return { inputPerRequest: input / requests, outputPerRequest: output / requests }
}

/** The row whose prompt and answer are the longest together: what a model's window must hold. */
export function longestRow({ rows }: Pick<Schedule, 'rows'>): ScheduleRow {
  return rows.reduce((most, row) =>
    row.inputTokens + row.outputTokens > most.inputTokens + most.outputTokens ? row : most,
  )
}
