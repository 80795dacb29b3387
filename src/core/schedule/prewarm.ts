import { requestId, type Schedule, type ScheduleRow } from './schedule.ts'

/** Tokens of its own that each prewarming prompt has after its prefix: enough for the narrowest range of ids. */
const OWN_TOKENS = 16

export type PrewarmRequest = Pick<ScheduleRow, 'id' | 'inputTokens' | 'outputTokens'> & { prefix: string }

/**
 * One request for each prefix, to be sent to every replica before a warm point: the prefix, a few tokens of its own, one token out.
 * Least popular first, so that a cache too small for all of them loses those that matter least.
 */
export function prewarmRequests(schedule: Schedule): PrewarmRequest[] {
  return schedule.header.prefixes
    .map((prefix, index) => ({
      id: requestId('f', index + 1),
      inputTokens: prefix.tokens + OWN_TOKENS,
      outputTokens: 1,
      prefix: prefix.id,
    }))
    .reverse()
}
