import type { Reason } from '../kernel/evidence.ts'
import { acceptance, LOSS_TEXT } from './accept.ts'
import { ACCEPTED_LOSSES_PATH, acceptedLossLines, acceptedLossOffer, staleLossLines } from './accepted-loss.ts'
import type { ReportInput } from './context.ts'
import { changeText, METRIC_TITLES, metricText } from './delta-text.ts'
import { plainInk, plainText } from './escape.ts'
import { hostLines } from './host-lines.ts'
import { nextSteps, SIMULATED, STATES_MAX, verdictWord } from './headline.ts'
import { nextCommands, packWord } from './next-commands.ts'
import type { TypedRun } from './next-commands.ts'
import { recheckLines } from './recheck.ts'
import { NO_PAINT, toneOf } from './paint.ts'
import type { Paint } from './paint.ts'
import { stateTable } from './state-table.ts'
import { isUnderAcceptedLoss } from '../gate/verdict.ts'
import type { StateVerdict, Verdict } from '../gate/verdict.ts'

const REASONS_MAX = 4
const DELTAS_MAX = 30

/** How the last screen is shown. */
export interface ScreenOptions {
  paint?: Paint
  /** The run that was typed here, for the commands that follow from it. */
  typed?: TypedRun | null
  /** The file that a finished pack was compared with anew: the reports in the pack are of another comparison then. */
  baselineFile?: string | null
}

/**
 * A verdict as a terminal's last screen: the word, a table of the states, the reasons, what to do, and the command to type next. Nothing from
 * outside can move its cursor. Lines are as long as their sentences: who shows them wraps them. Ends without a newline.
 */
export function renderText(input: ReportInput, options: ScreenOptions = {}): string {
  const { verdict, record } = input
  const { paint = NO_PAINT } = options
  const blocks = [
    [
      `${titleOf(verdict, paint)}: ${plainInk.name(record.subject.name)} ${plainInk.name(record.subject.version)} in gate ${plainInk.name(record.gateId)}`,
      ...acceptedLossLines(verdict, plainInk).map(({ head, text }) => `  ${head} ${text}`),
      ...hostLines(input, plainInk).map((line) => `  ${line}`),
      ...(record.kind === 'simulated' ? [SIMULATED] : []),
      ...recheckLines(input).map(withoutTicks),
    ],
    stateTable(verdict.states.slice(0, STATES_MAX), record, paint),
    [
      ...verdict.reasons.slice(0, REASONS_MAX).map((item) => `  ${reasonText(item)}`),
      ...verdict.states.slice(0, STATES_MAX).flatMap((state) => [...reasonLines(state), ...deltaLines(input, state)]),
    ],
    [
      ...staleLossLines(verdict, plainInk).map((line) => `  → ${line}`),
      ...nextSteps(input).map((step) => `  → ${withoutTicks(step)}`),
      ...acceptLines(input, options),
    ],
    nextLines(input, options),
  ]
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')
}

function titleOf(verdict: Verdict, paint: Paint): string {
  const title = verdict.outcome === 'recorded' ? 'NOT GATED (recorded)' : verdictWord(verdict).toUpperCase()
  return paint(toneOf(verdict.outcome), title)
}

function withoutTicks(text: string): string {
  return text.replaceAll('`', '')
}

/** How a loss is accepted. A pack's report.md has the whole of it; without a pack it is told here. */
function acceptLines(input: ReportInput, { baselineFile = null }: ScreenOptions): string[] {
  const found = acceptance(input)
  const loss = acceptedLossOffer(input)
  // What was gained is accepted by the next command.
  if (input.verdict.outcome !== 'regressed' && input.verdict.outcome !== 'inconclusive') return []
  if (found === null && loss === null) return []
  const { packPath } = input.context
  if (packPath !== undefined && baselineFile === null) {
    return [`  → How to accept it, if it is meant: ${packWord(packPath)}/report.md`]
  }
  const indented = (lines: readonly string[]) => lines.map((line) => `      ${line}`)
  return [
    ...(found === null ? [] : [`  → ${found.text}`, ...indented(found.commands)]),
    ...(loss === null ? [] : [`  → ${LOSS_TEXT} ${ACCEPTED_LOSSES_PATH}:`, ...indented(loss.trimEnd().split('\n'))]),
  ]
}

function nextLines(
  input: ReportInput,
  { paint = NO_PAINT, typed = null, baselineFile = null }: ScreenOptions,
): string[] {
  const { packPath } = input.context
  const pack = packPath === undefined || baselineFile !== null ? null : packWord(packPath)
  const commands = nextCommands(input, typed, baselineFile)
  return [
    ...(pack === null ? [] : [`report: ${pack}/report.html`]),
    ...commands.flatMap(({ purpose, command }) => [`next: ${purpose}`, `  ${paint('strong', command)}`]),
    ...(isSettled(input.verdict) ? ['next: nothing needs to be done'] : []),
  ]
}

function isSettled(verdict: Verdict): boolean {
  return verdict.outcome === 'held' && !isUnderAcceptedLoss(verdict)
}

function reasonText({ code, text }: Reason): string {
  return `${plainText(code, 60)}: ${plainText(text, 200)}`
}

function reasonLines({ cache, reasons }: StateVerdict): string[] {
  return reasons.slice(0, REASONS_MAX).map((item) => `  ${cache}  ${reasonText(item)}`)
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
