import type { Reason } from '../kernel/evidence.ts'
import { acceptance, LOSS_TEXT } from './accept.ts'
import { ACCEPTED_LOSSES_PATH, acceptedLossLines, acceptedLossOffer, staleLossLines } from './accepted-loss.ts'
import type { ReportInput } from './context.ts'
import { changeText, METRIC_TITLES, metricText } from './delta-text.ts'
import { plainInk, plainText } from './escape.ts'
import { hostLines } from './host-lines.ts'
import { nextSteps, carriedRps, sentence, SIMULATED, STATES_MAX, verdictWord } from './headline.ts'
import { milliRps, signedPercent } from './numbers.ts'
import { recheckLines } from './recheck.ts'
import type { StateVerdict } from '../gate/verdict.ts'

const REASONS_MAX = 4
const DELTAS_MAX = 30

/** The comment's head as short plain lines for a terminal; nothing from outside can move its cursor. Ends without a newline. */
export function renderText(input: ReportInput): string {
  const { verdict, record } = input
  const title = verdict.outcome === 'recorded' ? 'NOT GATED (recorded)' : verdictWord(verdict).toUpperCase()
  const lines = [
    `${title}: ${sentence(input, plainInk)}`,
    ...acceptedLossLines(verdict, plainInk).map(({ head, text }) => `  ${head} ${text}`),
    ...hostLines(input, plainInk).map((line) => `  ${line}`),
    ...(record.kind === 'simulated' ? [SIMULATED] : []),
    ...recheckLines(input).map((line) => line.replaceAll('`', '')),
    ...verdict.reasons.slice(0, REASONS_MAX).map((item) => `  ${reasonText(item)}`),
    ...verdict.states.slice(0, STATES_MAX).flatMap((state) => [...stateLines(state), ...deltaLines(input, state)]),
    ...staleLossLines(verdict, plainInk).map((line) => `  → ${line}`),
    ...nextSteps(input).map((step) => `  → ${step.replaceAll('`', '')}`),
    ...acceptLines(input),
  ]
  return lines.join('\n')
}

function acceptLines(input: ReportInput): string[] {
  const found = acceptance(input)
  const loss = acceptedLossOffer(input)
  const indented = (lines: readonly string[]) => lines.map((line) => `      ${line}`)
  return [
    ...(found === null ? [] : [`  → ${found.text}`, ...indented(found.commands)]),
    ...(loss === null ? [] : [`  → ${LOSS_TEXT} ${ACCEPTED_LOSSES_PATH}:`, ...indented(loss.trimEnd().split('\n'))]),
  ]
}

function reasonText({ code, text }: Reason): string {
  return `${plainText(code, 60)}: ${plainText(text, 200)}`
}

function stateLines(state: StateVerdict): string[] {
  const change = state.changeShare === null ? '' : `, change ${signedPercent(state.changeShare)} %`
  const rates = `baseline ${milliRps(state.baselineMilliRps)}, guard ${milliRps(state.guardMilliRps)}`
  const head = `  ${state.cache} ${state.outcome}: ${rates}, carries ${carriedRps(state)} RPS${change}`
  const reasons = state.reasons.slice(0, REASONS_MAX)
  return [head, ...reasons.map((item) => `    ${reasonText(item)}`)]
}

/** The deltas of a comparison with another tool's cohort: they are all that it has to show. */
function deltaLines({ record, baseline }: ReportInput, { deltas }: StateVerdict): string[] {
  if (record.kind !== 'imported' && baseline?.kind !== 'imported') return []
  return deltas.slice(0, DELTAS_MAX).map((delta) => {
    const of = delta.class === null ? 'all classes' : plainText(delta.class, 60)
    const title = METRIC_TITLES.get(delta.metric) ?? plainText(delta.metric, 40)
    const [was, is] = [metricText(delta.metric, delta.base), metricText(delta.metric, delta.now)]
    return `    ${of}, ${title}: ${was} → ${is} (${changeText(delta)})`
  })
}
