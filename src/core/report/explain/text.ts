import type { Cache } from '../../kernel/point.ts'
import { plainInk, plainText } from '../escape.ts'
import { percent } from '../numbers.ts'
import type { Explanation } from './explain.ts'
import { figureText, lossText, NOTHING_STANDS_OUT, restText } from './wording.ts'

/** One state's explanation as plain lines for a terminal. */
export function explanationText(cache: Cache, explanation: Explanation | null, why: readonly string[]): string {
  if (explanation === null) {
    return [`${cache}: no two points at one rate to compare`, ...why.map((text) => `  ${plainText(text, 300)}`)].join(
      '\n',
    )
  }
  const { parts, causes } = explanation
  const rest = restText(explanation)
  return [
    `${cache}: ${lossText(explanation, plainInk)}`,
    ...(parts.length > 0 && causes.length === 0 ? [`  ${NOTHING_STANDS_OUT}`] : []),
    ...causes.flatMap((cause, index) => [
      `  ${index + 1}. ${plainText(cause.title)}: ${percent(cause.share)} % of the loss (${cause.basis})`,
      ...cause.figures.map((figure) => `       ${plainText(figureText(figure))}`),
    ]),
    ...(rest === '' ? [] : [`  ${rest}`]),
  ].join('\n')
}
