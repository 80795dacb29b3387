import type { Cache } from '../../kernel/point.ts'
import { plainInk, plainText } from '../escape.ts'
import { percent } from '../numbers.ts'
import { changesText } from './changes.ts'
import type { Changes } from './changes.ts'
import type { Explanation } from './explain.ts'
import { figureText, lossText, NOTHING_STANDS_OUT, restText } from './wording.ts'

/** A state's explanation and what else changed; null where no two points compare, with why. */
export interface ExplainedState {
  cache: Cache
  explanation: Explanation | null
  changes: Changes | null
  why: string[]
}

/** The same as plain lines for a terminal. */
export function explanationText({ cache, explanation, changes, why }: ExplainedState): string {
  if (explanation === null) {
    return [`${cache}: no two points at one rate to compare`, ...why.map((text) => `  ${plainText(text, 300)}`)].join(
      '\n',
    )
  }
  const { parts, causes } = explanation
  const lacking = parts.length === 0 || changes === null ? '' : changesText(changes).lacking
  return [
    `${cache}: ${lossText(explanation, plainInk)}`,
    ...(parts.length > 0 && causes.length === 0 ? [`  ${NOTHING_STANDS_OUT}`] : []),
    ...causes.flatMap((cause, index) => [
      `  ${index + 1}. ${plainText(cause.title)}: ${percent(cause.share)} % of the loss (${cause.basis})`,
      ...cause.figures.map((figure) => `       ${plainText(figureText(figure))}`),
    ]),
    ...[restText(explanation), lacking].flatMap((text) => (text === '' ? [] : [`  ${text}`])),
  ].join('\n')
}
