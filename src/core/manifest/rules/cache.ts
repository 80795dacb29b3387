import { tiersSwitchedOn } from '../../dialect/cache-tier.ts'
import { showNumber, showValue, type Breach } from '../finding.ts'
import { valueAt } from '../schema-findings.ts'
import { meanTokens } from './prompts.ts'
import type { Rule, RuleInput } from './rule.ts'
import { namedClasses } from './workload.ts'

/** Below sixteen ids no prompt can be made unique within one KV block. */
const FEWEST_IDS = 16
const FEW_IDS = 1000

function notDeclared({ raw }: RuleInput): Breach[] {
  if (valueAt(raw, ['cache', 'cold']) !== undefined || valueAt(raw, ['cache', 'warm']) !== undefined) return []
  return [{ path: ['cache'], at: 'key', message: 'no cache state is declared: neither `cache.cold` nor `cache.warm`' }]
}

function idsNotDeclared({ raw, draft }: RuleInput): Breach[] {
  const isDeclared = valueAt(raw, ['model', 'prompt_token_ids']) !== undefined
  if (isDeclared || draft.client?.prompt === 'text') return []
  return [{ path: ['model', 'prompt_token_ids'], at: 'key', message: '`model.prompt_token_ids` is not declared' }]
}

function idRange({ draft }: RuleInput): Breach[] {
  const range = draft.model?.prompt_token_ids
  if (range === undefined || range[1] - range[0] >= FEWEST_IDS) return []
  const message = `\`model.prompt_token_ids\` [${range[0]}, ${range[1]}) has ${Math.max(0, range[1] - range[0])} ids; at least ${FEWEST_IDS} are needed`
  return [{ path: ['model', 'prompt_token_ids'], message }]
}

function fewIds({ draft }: RuleInput): Breach[] {
  const range = draft.model?.prompt_token_ids
  if (range === undefined || range[1] - range[0] < FEWEST_IDS || range[1] - range[0] >= FEW_IDS) return []
  const message = `\`model.prompt_token_ids\` has only ${range[1] - range[0]} ids`
  return [{ path: ['model', 'prompt_token_ids'], message }]
}

function prefixTooLong(input: RuleInput): Breach[] {
  const tokens = input.draft.cache?.warm?.tokens
  if (tokens === undefined) return []
  return namedClasses(input).flatMap((shape): Breach[] => {
    if (shape.input_tokens === undefined || tokens < shape.input_tokens) return []
    const message = `warm prefixes have ${showNumber(tokens)} tokens; the class ${showValue(shape.name)} has ${showNumber(shape.input_tokens)} input tokens, prefix included`
    return [{ path: ['cache', 'warm', 'tokens'], message }]
  })
}

function warmWithoutCache({ draft }: RuleInput): Breach[] {
  if (draft.engine?.prefix_cache !== 'disabled' || draft.cache?.warm === undefined) return []
  return [
    { path: ['cache', 'warm'], at: 'key', message: '`cache.warm` is declared, but `engine.prefix_cache` is disabled' },
  ]
}

/** The hit rate if every prefix hits, and every turn of a session the one before: over weighted input tokens. */
function largestHitRate(input: RuleInput): number | null {
  const mean = input.draft.cache?.warm?.tokens === undefined ? null : meanTokens(input)
  return mean && (mean.prefix + mean.repeated) / mean.input
}

function hitRateUnreachable(input: RuleInput): Breach[] {
  const least = input.draft.cache?.warm?.hit_rate_min
  const largest = largestHitRate(input)
  if (least === undefined || largest === null || least <= largest) return []
  const what = input.draft.workload?.some((shape) => shape?.session) ? 'prefixes and histories' : 'the prefixes'
  const message = `\`cache.warm.hit_rate_min\` is ${least}; ${what} are ${showNumber(largest)} of the input tokens, even if each one hits`
  return [{ path: ['cache', 'warm', 'hit_rate_min'], message }]
}

function statesOverlap(input: RuleInput): Breach[] {
  const { draft } = input
  const most = draft.cache?.cold?.hit_rate_max
  const least = draft.cache?.warm?.hit_rate_min
  if (most === undefined || least === undefined) return []
  const mean = meanTokens(input)
  const repeated = mean ? mean.repeated / mean.input : 0
  if (most + repeated < least) return []
  const beside = repeated > 0 ? ` beside the ${showNumber(repeated)} that sessions repeat of themselves` : ''
  const message = `cold allows a hit rate up to ${most}${beside}, warm asks for ${least}: a run could be both`
  return [{ path: ['cache', 'cold', 'hit_rate_max'], message }]
}

function saltUnknown({ draft, dialect }: RuleInput): Breach[] {
  if (draft.cache?.cold?.isolate !== 'cache_salt' || dialect.request.cacheSalt !== null) return []
  const message = `prompts are isolated by cache_salt, which the dialect ${dialect.id} does not have`
  return [{ path: ['cache', 'cold', 'isolate'], message }]
}

function cannotReset({ draft, dialect }: RuleInput): Breach[] {
  const isEndpoint = draft.engine?.deploy?.kind === 'endpoint'
  if (!isEndpoint || dialect.reset !== null || draft.cache?.cold === undefined) return []
  const message = `servers that are already up cannot be restarted, and the dialect ${dialect.id} has no cache reset`
  return [{ path: ['cache', 'cold'], at: 'key', message }]
}

function tierUndeclared({ draft, dialect }: RuleInput): Breach[] {
  const { cache, engine } = draft
  const deploy = engine?.deploy
  const isStarted = deploy?.kind === 'docker' || deploy?.kind === 'process'
  if (!isStarted || cache?.cold === undefined || (cache.tiers?.length ?? 0) > 0) return []
  const isRestarted = dialect.reset === null || cache.cold?.restart === 'per_point'
  return tiersSwitchedOn(dialect, deploy).flatMap(({ title, clearedBy }): Breach[] => {
    if (clearedBy === 'reset' || (clearedBy === 'restart' && isRestarted)) return []
    return [
      {
        path: ['cache'],
        at: 'key',
        message: `the subject switches on ${title}, and nothing empties it before a cold point`,
      },
    ]
  })
}

const error = { level: 'valid', severity: 'error' } as const

export const CACHE_RULES: readonly Rule[] = [
  {
    id: 'cache-not-declared',
    title: 'No cache state is declared',
    level: 'deployable',
    severity: 'error',
    why: 'A capacity without its cache state compares with nothing: prefix hits lower prefill work and inflate throughput.',
    mend: 'Declare cache.cold, cache.warm, or both.',
    check: notDeclared,
  },
  {
    id: 'prompt-ids-not-declared',
    title: 'The range of prompt token ids is not declared',
    level: 'deployable',
    severity: 'error',
    why: "Prompts are drawn from it. Special tokens and ids beyond the model's vocabulary must lie outside.",
    mend: 'Set model.prompt_token_ids to [from, to), inside the vocabulary and clear of special tokens, e.g. [1000, 100000].',
    check: idsNotDeclared,
  },
  {
    id: 'prompt-ids-too-few',
    title: 'The range of prompt token ids is too narrow',
    ...error,
    why: 'Prompts must differ within their first KV block, else cold requests hit the cache.',
    mend: 'Widen model.prompt_token_ids: [from, to), `to` not included.',
    check: idRange,
  },
  {
    id: 'prompt-ids-narrow',
    title: 'The range of prompt token ids is small',
    level: 'valid',
    severity: 'warning',
    why: 'Prompts of few different tokens are unlike any traffic, and flatter drafting and compression.',
    mend: 'Use a thousand ids or more.',
    check: fewIds,
  },
  {
    id: 'prefix-too-long',
    title: 'A warm prefix is as long as a whole prompt',
    ...error,
    why: 'Prefix tokens count inside input_tokens; a prompt must have tokens of its own after it.',
    mend: 'Shorten cache.warm.tokens, or lengthen the class.',
    check: prefixTooLong,
  },
  {
    id: 'warm-without-prefix-cache',
    title: 'Warm is asked of an engine without prefix cache',
    ...error,
    why: 'Nothing can hit, so that every warm point fails for lost hits.',
    mend: 'Enable engine.prefix_cache, or remove cache.warm.',
    check: warmWithoutCache,
  },
  {
    id: 'hit-rate-unreachable',
    title: 'The warm hit rate cannot be reached',
    ...error,
    why: 'Only prefix tokens can hit. Block rounding makes the real rate lower still.',
    mend: 'Lower cache.warm.hit_rate_min below the share of prefix tokens, or lengthen the prefixes.',
    check: hitRateUnreachable,
  },
  {
    id: 'cache-states-overlap',
    title: "Cold's and warm's hit rates overlap",
    level: 'valid',
    severity: 'warning',
    why: 'The hit rate proves the cache state; one that fits both proves nothing.',
    mend: 'Set cache.cold.hit_rate_max well below cache.warm.hit_rate_min.',
    check: statesOverlap,
  },
  {
    id: 'cache-salt-unknown',
    title: 'The engine has no cache salt',
    ...error,
    why: 'The field would be ignored or refused, and cold prompts would not be isolated.',
    mend: 'Set cache.cold.isolate to unique_tokens.',
    check: saltUnknown,
  },
  {
    id: 'cold-cannot-be-reset',
    title: "A cold point's cache cannot be emptied",
    level: 'deployable',
    severity: 'warning',
    why: 'Between points the cache keeps what earlier ones left. Unique prompts stay cold, but evictions cost time that a fresh engine does not spend.',
    mend: 'Deploy by docker or process, or name a dialect that has a reset.',
    check: cannotReset,
  },
  {
    id: 'cache-tier-undeclared',
    title: 'A cache beside the GPUs’ memory is on and not declared',
    level: 'deployable',
    severity: 'warning',
    why: 'It outlives the reset of the prefix cache, and what outlives the engine serves a candidate the prompts of its baseline: whether a cold point was cold is then not known.',
    mend: 'Declare it in cache.tiers, leave it off, or, where it lies in the engine’s own memory, set cache.cold.restart: per_point.',
    check: tierUndeclared,
  },
]
