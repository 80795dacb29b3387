import { showNumber, type Breach } from '../finding.ts'
import { sessionTokens } from '../session-lengths.ts'
import type { Rule, RuleInput } from './rule.ts'
import { namedClasses } from './workload.ts'

function datasetAsIds({ draft }: RuleInput): Breach[] {
  if (draft.client?.dataset === undefined || draft.client.prompt !== 'token_ids') return []
  const message = '`client.dataset` holds texts, but `client.prompt` is token_ids'
  return [{ path: ['client', 'dataset'], at: 'key', message }]
}

function oneLength(input: RuleInput): Breach[] {
  if (input.draft.client?.dataset?.format !== 'text') return []
  const lengths = new Set(namedClasses(input).flatMap(({ input_tokens: tokens }) => tokens ?? []))
  if (lengths.size <= 1) return []
  const message = `every class takes its texts from one file, but their input_tokens differ: ${[...lengths].map(showNumber).join(', ')}`
  return [{ path: ['client', 'dataset'], at: 'key', message }]
}

/** The cancellation that is planned; null where there is none, or it is not well-formed. */
function planned({ draft }: RuleInput): { share: number; afterTokens: number } | null {
  const cancellation = draft.client?.cancellation
  if (cancellation === undefined || cancellation === 'none') return null
  const { share, after_tokens: afterTokens } = cancellation
  return share === undefined || afterTokens === undefined ? null : { share, afterTokens }
}

function cancelledAsFailures(input: RuleInput): Breach[] {
  const cancellation = planned(input)
  if (cancellation === null || input.draft.acceptance?.planned_cancellations !== 'failures') return []
  const message = `${showNumber(cancellation.share * 100)} % of the requests are planned to be left, and \`acceptance.planned_cancellations\` counts them as failures`
  return [{ path: ['client', 'cancellation'], at: 'key', message }]
}

function neverCancelled(input: RuleInput): Breach[] {
  const cancellation = planned(input)
  const classes = namedClasses(input)
  if (cancellation === null || classes.length === 0) return []
  const { afterTokens } = cancellation
  if (classes.some(({ output_tokens: tokens }) => tokens === undefined || tokens > afterTokens)) return []
  const message = `requests are to be left after ${showNumber(afterTokens)} tokens, and no class has more`
  return [{ path: ['client', 'cancellation'], at: 'key', message }]
}

/** The share of a class's requests that is left as planned. */
export function cancelledShare(input: RuleInput, outputTokens: number | undefined): number {
  const cancellation = planned(input)
  if (cancellation === null || outputTokens === undefined) return 0
  return outputTokens > cancellation.afterTokens ? cancellation.share : 0
}

/**
 * Mean tokens of a request by the classes' mix, a session's turns being equally many: of the whole prompt, of a warm prefix, and of what
 * the turns of a session repeat. Null where a class is not well-formed.
 */
export function meanTokens(input: RuleInput): { input: number; prefix: number; repeated: number } | null {
  const sum = { input: 0, prefix: 0, repeated: 0 }
  const warm = input.draft.cache?.warm?.tokens ?? 0
  for (const { mix, input_tokens, output_tokens, session } of namedClasses(input)) {
    const { turns = 1, history = 'synthetic' } = session ?? {}
    if (mix === undefined || input_tokens === undefined || output_tokens === undefined) return null
    const shape = { turns, concurrent: 1, think_seconds: 0, history }
    const { inputTokens, repeatedTokens, requests } = sessionTokens({ input_tokens, output_tokens, session: shape })
    sum.input += (mix * inputTokens) / requests
    sum.repeated += (mix * repeatedTokens) / requests
    sum.prefix += (mix * warm) / requests
  }
  return sum.input > 0 ? sum : null
}

const error = { level: 'valid', severity: 'error' } as const

export const PROMPT_RULES: readonly Rule[] = [
  {
    id: 'dataset-needs-text',
    title: 'A dataset’s texts cannot be sent as token ids',
    ...error,
    why: 'Nothing here knows the tokenizer: texts go to the engine as text.',
    mend: 'Set client.prompt to text, or remove client.dataset.',
    check: datasetAsIds,
  },
  {
    id: 'dataset-of-one-length',
    title: 'Classes of different lengths share one text file',
    ...error,
    why: 'The engine’s count of each prompt must lie within length_tolerance of its class’s input_tokens; one set of texts cannot suit two lengths.',
    mend: 'Use format jsonl and name each text’s class in its field `class`, or give the classes one length.',
    check: oneLength,
  },
  {
    id: 'cancellations-as-failures',
    title: 'Planned cancellations count as failures',
    ...error,
    why: 'Every one of them would count against error rates and attainment, as if the engine had failed: a point fails by its own plan.',
    mend: 'Set acceptance.planned_cancellations to excluded, or client.cancellation to none.',
    check: cancelledAsFailures,
  },
  {
    id: 'cancellation-never-comes',
    title: 'No request is long enough to be left as planned',
    level: 'valid',
    severity: 'warning',
    why: 'A request is left only where it has more output tokens than cancellation.after_tokens.',
    mend: 'Lower client.cancellation.after_tokens.',
    check: neverCancelled,
  },
]
