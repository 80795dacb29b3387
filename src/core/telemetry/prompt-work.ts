import type { RequestRecord } from '../record/record.ts'
import { countedHits } from './cache-evidence.ts'
import type { PointView } from './point-view.ts'

/** Least share of the prompts' tokens whose answers tell how many came from a cache for the answers to be the source. */
const TOLD_MIN = 0.9

/** How many tokens of a prompt an engine had to compute. */
export interface PromptWork {
  /** Who tells what came from a cache: each answer, the engine's counters of all prompts together, or nobody. */
  hitsTold: 'answers' | 'counters' | null
  /** The whole prompt where nobody tells; null where the engine did not say how long it was. */
  computed(record: RequestRecord): number | null
}

/** What the answers leave open of a point is taken from the engine's counters, at one share for all of those. */
export function promptWork(view: PointView): PromptWork {
  let [input, told, cached] = [0, 0, 0]
  for (const { status, inputTokens, cachedTokens } of view.records) {
    if (status !== 'ok' || inputTokens === null) continue
    input += inputTokens
    if (cachedTokens === null) continue
    told += inputTokens
    cached += cachedTokens
  }
  const isTold = input > 0 && told >= TOLD_MIN * input
  const counted = told === input ? null : countedHits(view)
  const open = counted !== null ? (counted * input - cached) / (input - told) : isTold ? cached / told : 0
  const openShare = Math.min(1, Math.max(0, open))
  return {
    hitsTold: isTold ? 'answers' : counted === null ? null : 'counters',
    computed: ({ inputTokens, cachedTokens }) =>
      inputTokens === null ? null : Math.max(0, inputTokens - (cachedTokens ?? openShare * inputTokens)),
  }
}
