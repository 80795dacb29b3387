import { riseOf } from '../explain/cause.ts'
import type { Side } from '../explain/cause.ts'
import { changesOf, changesText } from '../explain/changes.ts'
import { explain } from '../explain/explain.ts'
import { fallTitle, figureText, lossText, NOTHING_STANDS_OUT, numberText, restText } from '../explain/wording.ts'
import type { StateVerdict } from '../../gate/verdict.ts'
import { htmlFold, htmlTable } from '../html-table.ts'
import { htmlInk, htmlText } from '../html-text.ts'
import { percent, signedPercent } from '../numbers.ts'
import { columns } from '../table.ts'

/** Why a state's point is worse than the baseline's at the same rate, as the comment has it, and what else changed. */
export function fallBlock(state: StateVerdict, sides: { was: Side; is: Side }): string[] {
  return [...causeBlock(state, sides), changeBlock(state.cache, sides)]
}

function causeBlock(state: StateVerdict, sides: { was: Side; is: Side }): string[] {
  const { cache } = state
  const explanation = explain(sides)
  const { parts, causes } = explanation
  if (parts.length === 0) return []
  // No table: on a phone its last column, the numbers, would lie outside.
  const items = causes.map(({ title, share, basis, figures }) => {
    const lines = figures.map((figure) => `<br>${htmlText(figureText(figure))}`)
    return `<li><strong>${htmlText(title)}</strong>: ${percent(share)} % of the loss (${basis})${lines.join('')}`
  })
  return [
    `<h4>${fallTitle(state)}</h4>`,
    `<p>${lossText(explanation, htmlInk)}</p>`,
    causes.length === 0
      ? `<p>${NOTHING_STANDS_OUT}</p>`
      : `<ol aria-label="${cache}: causes of the loss, baseline → now">${items.join('')}</ol>`,
    softText([restText(explanation), causes.length === 0 ? '' : KNOWN]),
  ]
}

function softText(texts: readonly string[]): string {
  const said = texts.filter((text) => text !== '')
  return said.length === 0 ? '' : `<p class="soft">${said.join(' ')}</p>`
}

const KNOWN =
  'Seen: what is told is itself the cause. Inferred: it follows from times and gauges by a model of the engine.'

function changeBlock(cache: string, sides: { was: Side; is: Side }): string {
  const changes = changesOf(sides)
  const { head, lacking } = changesText(changes)
  const rows = changes.changed.map((fact) => [
    fact.title,
    numberText(fact.was),
    numberText(fact.is),
    signedPercent(riseOf(fact)),
  ])
  const heads = columns('what', 'baseline:', 'now:', 'Δ %:')
  const said = lacking === '' ? '' : `<p class="soft">${lacking}</p>`
  if (rows.length === 0) return `<p class="soft">${`${head} ${lacking}`.trim()}</p>`
  return htmlFold(head.replace(/:$/, ''), [htmlTable({ label: `${cache}: what else changed`, heads, rows }), said])
}
