import type { Reason } from '../kernel/evidence.ts'
import type { ReportInput } from './context.ts'
import { plainInk, plainText } from './escape.ts'
import { nextSteps, carriedRps, sentence, SIMULATED, STATES_MAX } from './headline.ts'
import { milliRps, signedPercent } from './numbers.ts'
import type { StateVerdict } from '../gate/verdict.ts'

const REASONS_MAX = 4

/** The comment's head as short plain lines for a terminal; nothing from outside can move its cursor. Ends without a newline. */
export function renderText(input: ReportInput): string {
  const { verdict, record } = input
  const title = verdict.outcome === 'recorded' ? 'NOT GATED (recorded)' : verdict.outcome.toUpperCase()
  const lines = [
    `${title}: ${sentence(input, plainInk)}`,
    ...(record.kind === 'simulated' ? [SIMULATED] : []),
    ...verdict.reasons.slice(0, REASONS_MAX).map((item) => `  ${reasonText(item)}`),
    ...verdict.states.slice(0, STATES_MAX).flatMap(stateLines),
    ...nextSteps(input).map((step) => `  → ${step.replaceAll('`', '')}`),
  ]
  return lines.join('\n')
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
