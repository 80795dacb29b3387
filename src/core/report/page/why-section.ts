import type { Reason } from '../../kernel/evidence.ts'
import type { Delta, StateVerdict } from '../../gate/verdict.ts'
import type { ReportInput } from '../context.ts'
import { changeText, METRIC_TITLES, metricText } from '../delta-text.ts'
import { STATES_MAX } from '../headline.ts'
import { comparedSides } from '../explain/explain.ts'
import { htmlFold, htmlTable } from '../html-table.ts'
import { htmlText } from '../html-text.ts'
import { milliRps, plural } from '../numbers.ts'
import { columns } from '../table.ts'
import { fallBlock } from './fall-block.ts'
import type { OwnError } from './own-error.ts'
import { ownErrorText } from './own-error.ts'

/** Why the verdict is what it is: reasons, what differs at the same rate, and what a reader should know beside it. */
export function whySection({ verdict, record, baseline }: ReportInput, ownError: OwnError): string {
  return [
    '<section id="why" aria-labelledby="h-why">',
    '<h2 id="h-why">Why</h2>',
    reasonItems(verdict.reasons),
    ...verdict.states
      .slice(0, STATES_MAX)
      .flatMap((state) => stateBlock(state, comparedSides(state, record, baseline), ownError)),
    '</section>',
  ]
    .filter((block) => block !== '')
    .join('\n')
}

function stateBlock(state: StateVerdict, sides: ReturnType<typeof comparedSides>, ownError: OwnError): string[] {
  const notes = state.notes.filter((note, index, all) => all.findIndex((other) => other.text === note.text) === index)
  return [
    `<h3>${state.cache}: ${state.outcome}</h3>`,
    state.reasons.length === 0 ? '<p class="soft">No reason of its own.</p>' : reasonItems(state.reasons),
    ...(sides === null ? [] : fallBlock(state, sides)),
    deltaTable(state, ownError),
    htmlFold(plural(notes.length, 'note'), notes.length === 0 ? [] : [reasonItems(notes)]),
  ]
}

function reasonItems(reasons: readonly Reason[]): string {
  if (reasons.length === 0) return ''
  return `<ul>${reasons.map(({ code, text }) => `<li><code>${htmlText(code, 60)}</code> ${htmlText(text, 500)}`).join('')}</ul>`
}

function deltaTable({ cache, deltas, deltaRates }: StateVerdict, ownError: OwnError): string {
  if (deltaRates === null)
    return '<p class="soft">No two points at comparable rates: nothing to compare class by class.</p>'
  const rows = deltas.map((delta) => [
    delta.class === null ? 'all' : `<code>${htmlText(delta.class, 60)}</code>`,
    htmlText(METRIC_TITLES.get(delta.metric) ?? delta.metric, 40) + errorOf(delta, ownError),
    metricText(delta.metric, delta.base),
    metricText(delta.metric, delta.now),
    changeText(delta),
  ])
  const rates = `baseline at ${milliRps(deltaRates.baseMilliRps)} RPS, now at ${milliRps(deltaRates.nowMilliRps)} RPS`
  const heads = columns('class', 'metric', 'baseline:', 'now:', 'Δ:')
  return htmlFold(`Differences by class: ${rates}`, [
    htmlTable({ label: `${cache}: differences by class`, heads, rows }),
  ])
}

/** Beside a latency stands the client's own error. */
function errorOf({ class: name, metric }: Delta, ownError: OwnError): string {
  const latency = LATENCIES.get(metric)
  return name === null || latency === undefined ? '' : ` ${ownErrorText(ownError(name, latency))}`
}

const LATENCIES = new Map([
  ['p95_ttft_ms', 'ttft'],
  ['p95_tpot_ms', 'tpot'],
] as const) as ReadonlyMap<string, 'ttft' | 'tpot'>
