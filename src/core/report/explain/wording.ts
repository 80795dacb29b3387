import type { StateVerdict } from '../../gate/verdict.ts'
import { milliRps, NONE, percent, plainNumber } from '../numbers.ts'
import type { Ink } from '../escape.ts'
import { METRIC_NAMES } from '../headline.ts'
import type { Figure } from './cause.ts'
import type { Cause, Explanation } from './explain.ts'

const PARTS_MAX = 4

/** How much was lost, at which rates, and by what of which class. */
export function lossText({ parts, lostShare, baseMilliRps, nowMilliRps }: Explanation, ink: Ink): string {
  const rates =
    baseMilliRps === nowMilliRps
      ? `at ${milliRps(nowMilliRps)} RPS`
      : `at ${milliRps(nowMilliRps)} RPS, against the baseline at ${milliRps(baseMilliRps)}`
  if (parts.length === 0) return `No request was lost beyond chance ${rates}: there is nothing to explain.`
  const each = parts
    .slice(0, PARTS_MAX)
    .map((part) => `${ink.name(part.class)} by ${METRIC_NAMES.get(part.metric)} ${percent(part.share)}`)
  const more = parts.length > PARTS_MAX ? `, …and ${parts.length - PARTS_MAX} more` : ''
  return `Of 100 requests ${percent(lostShare)} are lost ${rates}: ${each.join(', ')}${more}.`
}

/** A state may hold although requests are lost at the rate compared: then nothing fell that the gate asks for. */
export function fallTitle({ outcome, acceptedLoss }: Pick<StateVerdict, 'outcome' | 'acceptedLoss'>): string {
  return outcome === 'regressed' || acceptedLoss !== undefined ? 'Why it fell' : 'What is lost, and why'
}

/** What is said where no cause stands out. */
export const NOTHING_STANDS_OUT = 'Nothing that is known stands out as its cause.'

/** What the causes leave, and what could not be compared; empty where the first is little and of the second nothing, or nothing was lost. */
export function restText({ parts, causes, unexplainedShare, notKnown }: Explanation): string {
  if (parts.length === 0) return ''
  const isLittle = causes.length === 0 || unexplainedShare < 0.05
  const rest = isLittle ? '' : `${percent(unexplainedShare)} % of the loss is not explained by what is known.`
  const blind = notKnown.length === 0 ? '' : `Not told by both points, and so no cause here: ${notKnown.join(', ')}.`
  return [rest, blind].filter((text) => text !== '').join(' ')
}

export function figureText({ title, was, is }: Figure): string {
  return `${title}: ${numberText(was)} → ${numberText(is)}`
}

export function figuresText({ figures }: Pick<Cause, 'figures'>): string {
  return figures.map(figureText).join('; ')
}

/** A figure's number. */
export function numberText(value: number | null): string {
  return value === null ? NONE : plainNumber(value)
}
