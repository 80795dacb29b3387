import type { Manifest } from '../manifest/schema.ts'
import type { Schedule, ScheduleRow } from './schedule.ts'

/** What a proven-warm cache can serve. `share` is hitTokens / inputTokens, 0 without rows. */
export interface ExpectedHit {
  hitTokens: number
  inputTokens: number
  share: number
}

/**
 * The tokens that a cache holding every prefix can serve for these rows, in whole blocks only; the last input token is always computed:
 * floor(min(prefix, input − 1) / block) · block each.
 */
export function expectedHit(schedule: Schedule, rows: readonly ScheduleRow[], blockTokens: number): ExpectedHit {
  const lengths = new Map(schedule.header.prefixes.map((prefix) => [prefix.id, prefix.tokens]))
  let hitTokens = 0
  let inputTokens = 0
  for (const row of rows) {
    const shared = row.prefix === undefined ? 0 : (lengths.get(row.prefix) ?? 0)
    hitTokens += Math.floor(Math.min(shared, row.inputTokens - 1) / blockTokens) * blockTokens
    inputTokens += row.inputTokens
  }
  return { hitTokens, inputTokens, share: inputTokens === 0 ? 0 : hitTokens / inputTokens }
}

/** Mean tokens of a scheduled request, from the exact class counts: 2,406.4 in and 243.2 out in the worked example. */
export function weightedTokens(manifest: Manifest): { inputPerRequest: number; outputPerRequest: number } {
  let requests = 0
  let input = 0
  let output = 0
  for (const workload of manifest.workload) {
    const count = manifest.client.class_schedule_counts[workload.name] ?? 0
    requests += count
    input += count * workload.input_tokens
    output += count * workload.output_tokens
  }
  if (requests === 0) return { inputPerRequest: 0, outputPerRequest: 0 }
  return { inputPerRequest: input / requests, outputPerRequest: output / requests }
}
