import type { CapacityRecord } from '../capacity/record.ts'
import type { StateVerdict } from '../gate/verdict.ts'
import { markdownInk, markdownText } from './escape.ts'
import { riseOf } from './explain/cause.ts'
import type { Side } from './explain/cause.ts'
import { changesOf, changesText } from './explain/changes.ts'
import { comparedSides, explain } from './explain/explain.ts'
import { fallTitle, figuresText, lossText, NOTHING_STANDS_OUT, numberText, restText } from './explain/wording.ts'
import { percent, signedPercent } from './numbers.ts'
import { columns, cut, table } from './table.ts'

/**
 * Why a state's point is worse than the baseline's at the rates that the deltas compare: the causes by what they account for, then whatever
 * else differs beside the capacity. It explains, and decides nothing.
 */
export function explanationSection(
  state: StateVerdict,
  record: CapacityRecord,
  baseline: CapacityRecord | null,
  max: number,
): string[] {
  const sides = comparedSides(state, record, baseline)
  return max === 0 || sides === null ? [] : [...causeSection(state, sides, max), ...changeSection(sides, max)]
}

function causeSection(state: StateVerdict, sides: { was: Side; is: Side }, max: number): string[] {
  const explanation = explain(sides)
  const { parts, causes } = explanation
  if (parts.length === 0) return []
  const { shown, rest } = cut(causes, max, 'causes')
  const rows = shown.map((cause) => [
    markdownText(cause.title),
    percent(cause.share),
    cause.basis,
    markdownText(figuresText(cause), 300),
  ])
  const heads = columns('cause', 'of the loss %:', 'known', 'baseline → now')
  return [
    `**${fallTitle(state)}.** ${lossText(explanation, markdownInk)}`,
    causes.length === 0 ? NOTHING_STANDS_OUT : table(heads, rows),
    rest,
    restText(explanation),
  ]
}

function changeSection(sides: { was: Side; is: Side }, max: number): string[] {
  const changes = changesOf(sides)
  const { head, lacking } = changesText(changes)
  if (changes.changed.length === 0) return [`${head} ${lacking}`.trim()]
  const { shown, rest } = cut(changes.changed, max, 'changes')
  const rows = shown.map((fact) => [fact.title, numberText(fact.was), numberText(fact.is), signedPercent(riseOf(fact))])
  return [head, table(columns('what', 'baseline:', 'now:', 'Δ %:'), rows), rest, lacking]
}
