import type { DecodeWindow } from './work-done.ts'

/** What a step of the engine costs, in microseconds: `stepUs` + `sequenceUs` · decoding sequences + `prefillTokenUs` · prompt tokens. */
export interface StepCost {
  stepUs: number
  sequenceUs: number
  prefillTokenUs: number
}

/** Fewer answers tell nothing of a line with three terms. */
const ANSWERS_MIN = 30
/** A term that hardly varies cannot be told from the constant. */
const VARIATION_MIN = 0.02

type Term = 'sequenceUs' | 'prefillTokenUs'

/**
 * Least squares over the answers of a point, each weighed by its tokens: a token's time against the mean batch and the prompt tokens that
 * came between two tokens. The law is that of chunked prefill, where decodes and prompt tokens share a step (Sarathi-Serve, OSDI 2024). A
 * term is never negative. Null where there are too few answers.
 */
export function fitStepCost(
  windows: readonly DecodeWindow[],
  idleUs: (window: DecodeWindow) => number,
): StepCost | null {
  const answers = windows.map((window) => ({
    weight: window.tokens,
    sequenceUs: window.batchTokens / window.tokens,
    prefillTokenUs: window.prefillTokens / window.tokens,
    tokenUs: Math.max(0, window.decodeUs - idleUs(window)) / window.tokens,
  }))
  if (answers.length < ANSWERS_MIN) return null
  const mean = (of: (answer: Answer) => number) => weighted(answers, of) / weighted(answers, () => 1)
  const means = { sequenceUs: mean((a) => a.sequenceUs), prefillTokenUs: mean((a) => a.prefillTokenUs) }
  const tokenUs = mean((a) => a.tokenUs)
  const spread = (x: Term, y: Term) => mean((a) => (a[x] - means[x]) * (a[y] - means[y]))
  const terms = (['sequenceUs', 'prefillTokenUs'] as const).filter(
    (term) => Math.sqrt(spread(term, term)) > VARIATION_MIN * means[term],
  )
  const against = (term: Term) => mean((a) => (a[term] - means[term]) * (a.tokenUs - tokenUs))
  const slopes = slopesOf(terms, spread, against)
  const stepUs = tokenUs - slopes.sequenceUs * means.sequenceUs - slopes.prefillTokenUs * means.prefillTokenUs
  return stepUs > 0 ? { stepUs, ...slopes } : null
}

type Answer = Record<Term | 'weight' | 'tokenUs', number>

function weighted(answers: readonly Answer[], of: (answer: Answer) => number): number {
  return answers.reduce((sum, answer) => sum + answer.weight * of(answer), 0)
}

function slopesOf(
  terms: readonly Term[],
  spread: (x: Term, y: Term) => number,
  against: (term: Term) => number,
): Record<Term, number> {
  const alone = (term: Term) => Math.max(0, against(term) / spread(term, term))
  const only = (term: Term) => ({ sequenceUs: 0, prefillTokenUs: 0, [term]: alone(term) })
  const [first, second] = terms
  if (first === undefined) return { sequenceUs: 0, prefillTokenUs: 0 }
  if (second === undefined) return only(first)
  const [aa, bb, ab] = [spread(first, first), spread(second, second), spread(first, second)]
  const determinant = aa * bb - ab * ab
  if (determinant <= 1e-6 * aa * bb) return only(second)
  const a = (against(first) * bb - against(second) * ab) / determinant
  const b = (against(second) * aa - against(first) * ab) / determinant
  if (a < 0) return only(second)
  if (b < 0) return only(first)
  return { sequenceUs: 0, prefillTokenUs: 0, [first]: a, [second]: b }
}
