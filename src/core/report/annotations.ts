import { allReasons } from '../gate/verdict.ts'
import type { Outcome, Verdict } from '../gate/verdict.ts'
import { plainText } from './escape.ts'

/** One line of a check's annotations; a title and a message of plain text. */
export interface Annotation {
  level: 'error' | 'warning' | 'notice'
  title: string
  message: string
}

/** GitHub shows ten a step. */
const ANNOTATIONS_MAX = 10

const LEVELS: Record<Outcome, Annotation['level']> = {
  held: 'notice',
  improved: 'notice',
  recorded: 'warning',
  inconclusive: 'warning',
  invalid: 'error',
  regressed: 'error',
}

/** A verdict's reasons as annotations, the worst first, at most ten; the last says how many there was no room for. */
export function annotations(verdict: Verdict): Annotation[] {
  const all = allReasons(verdict).map(({ cache, code, text }): Annotation => {
    const outcome = verdict.states.find((state) => state.cache === cache)?.outcome ?? verdict.outcome
    const where = cache === null ? '' : ` (${cache})`
    const title = outcome === 'recorded' ? `NOT GATED${where}` : `Capacity ${outcome}${where}`
    return { level: LEVELS[outcome], title, message: `${plainText(text, 500)} [${plainText(code, 60)}]` }
  })
  const rank = { error: 0, warning: 1, notice: 2 } as const
  const sorted = all.toSorted((a, b) => rank[a.level] - rank[b.level])
  if (sorted.length <= ANNOTATIONS_MAX) return sorted
  const shown = sorted.slice(0, ANNOTATIONS_MAX - 1)
  const message = `and ${sorted.length - shown.length} more reasons: see the report`
  return [...shown, { level: sorted[shown.length]?.level ?? 'notice', title: 'More reasons', message }]
}
