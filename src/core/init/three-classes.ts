import type { ManifestFragment, SuggestedClass } from '../schedule/trace/profile/manifest-fragment.ts'
import { timeoutSeconds } from '../schedule/trace/profile/manifest-fragment.ts'

/** The shortest context that three kinds of requests fit into. */
export const SHORTEST_CONTEXT = 512
/** Where the model's is not told. */
export const USUAL_CONTEXT = 16_384

/** Seven conversations and two long documents to one long answer: as many as the smallest of them needs for a floor of 2,000. */
const SHARES = [
  { name: 'chat', mix: 0.7, count: 15_400 },
  { name: 'long_context', mix: 0.2, count: 4_400 },
  { name: 'generation', mix: 0.1, count: 2_200 },
] as const

/**
 * Three classes to begin with where no trace is at hand: a conversation, a long prompt, a long answer. In a model of a short context each
 * is shortened, so that its prompt and answer together fit. `longest` is that context in tokens, at least `SHORTEST_CONTEXT`.
 */
export function threeClasses(longest: number): ManifestFragment {
  const part = (share: number, usual: number): number => Math.min(usual, Math.floor(longest * share))
  const [chat, long, generation] = SHARES
  const workload: SuggestedClass[] = [
    shape(chat, part(0.5, 1024), part(0.25, 128), [500, 40]),
    shape(long, part(0.75, 8192), part(0.125, 256), [2500, 50]),
    shape(generation, part(0.25, 512), part(0.5, 1024), [800, 45]),
  ]
  return {
    client: {
      arrival_pattern: 'poisson',
      initial_scheduled_requests: SHARES.reduce((sum, { count }) => sum + count, 0),
      class_schedule_counts: Object.fromEntries(SHARES.map(({ name, count }) => [name, count])),
      request_timeout_seconds: timeoutSeconds(workload),
    },
    workload,
  }
}

function shape(
  { name, mix }: { name: string; mix: number },
  inputTokens: number,
  outputTokens: number,
  [ttftMs, tpotMs]: readonly [number, number],
): SuggestedClass {
  return {
    name,
    mix,
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    request_ttft_cutoff_ms: ttftMs,
    request_tpot_cutoff_ms: tpotMs,
  }
}
