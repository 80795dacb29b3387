import type { CapacityResult } from '../../capacity/record.ts'
import type { StateVerdict } from '../../gate/verdict.ts'
import { acceptance } from '../accept.ts'
import { acceptedLossLines, staleLossLines } from '../accepted-loss.ts'
import { safeUrl, shortSha } from '../context.ts'
import type { ReportInput } from '../context.ts'
import {
  carriedRps,
  heading,
  METRIC_NAMES,
  nextSteps,
  sentence,
  SIMULATED,
  STATES_MAX,
  verdictWord,
} from '../headline.ts'
import { hostLines } from '../host-lines.ts'
import { htmlFold, htmlTable } from '../html-table.ts'
import { htmlInk, htmlText } from '../html-text.ts'
import { milliRps, NONE, percent, rps, signedPercent } from '../numbers.ts'
import { recheckLines } from '../recheck.ts'
import { columns } from '../table.ts'
import { renderText } from '../text.ts'

/** What everybody reads: the verdict, what is carried before and after, what limits it, what to do. */
export function headSection(input: ReportInput): string {
  const { verdict, record } = input
  const notes = [
    ...acceptedLossLines(verdict, htmlInk).map(({ head, text }) => `<strong>${head}</strong> ${text}`),
    ...(record.kind === 'simulated' ? [`<strong>${SIMULATED}</strong>`] : []),
    ...recheckLines(input).map(withCode),
    ...hostLines(input, htmlInk),
  ]
  return [
    `<div class="verdict ${verdict.outcome}">`,
    // Its sign is drawn by its colour here: not every machine has a letter for it.
    `<h1>${heading(verdict).replace(/^[^A-Za-z]+/, '')}</h1>`,
    `<p><strong>${verdict.outcome === 'recorded' ? 'NOT GATED' : capitalised(verdictWord(verdict))}:</strong> ${sentence(input, htmlInk)}</p>`,
    ...notes.map((note) => `<p class="note">${note}</p>`),
    statesTable(input),
    stepList('What to do', nextSteps(input)),
    stepList('Accepted losses to look at', staleLossLines(verdict, htmlInk), (line) => line),
    acceptBlock(input),
    '</div>',
    htmlFold('Summary to copy', [
      '<p class="soft">One click selects all of it.</p>',
      `<pre tabindex="0">${htmlLines(renderText(input))}</pre>`,
    ]),
  ]
    .filter((block) => block !== '')
    .join('\n')
}

/** The run in one soft line at the page's end. */
export function footLine({ verdict, context, record }: ReportInput): string {
  const url = safeUrl(context.runUrl)
  const parts = [
    `measured ${htmlText(record.createdAt, 40)}`,
    `record ${verdict.candidateSha256.slice(0, 12)}`,
    verdict.baselineSha256 === null ? 'no baseline' : `baseline ${verdict.baselineSha256.slice(0, 12)}`,
    verdict.anchorSha256 === null ? '' : `anchor ${verdict.anchorSha256.slice(0, 12)}`,
    shortSha(context.headSha ?? record.commit) === null ? '' : `commit ${shortSha(context.headSha ?? record.commit)}`,
    url === null ? '' : `<a href="${htmlText(url, 800)}" rel="noreferrer">run</a>`,
    `Capacity Gate ${htmlText(context.toolVersion, 40)}`,
  ]
  return `<p class="soft">${parts.filter((part) => part !== '').join(' · ')}</p>`
}

/** A column a state and a line a fact: so it fits a phone. */
function statesTable({ verdict, record, baseline }: ReportInput): string {
  const states = verdict.states.slice(0, STATES_MAX).map((state) => ({
    state,
    result: resultOf(record.capacity, state),
    base: baseline === null ? undefined : resultOf(baseline.capacity, state),
  }))
  type Each = (typeof states)[number]
  const each = (key: 'perReplicaRps' | 'perGpuRps') => (of: Each) =>
    change(rps(of.base?.[key] ?? null), rps(of.result?.[key] ?? null))
  const lines: [title: string, read: (of: Each) => string][] = [
    ['verdict', ({ state }) => (state.acceptedLoss === undefined ? state.outcome : 'held (accepted loss)')],
    ['capacity, RPS', ({ state }) => change(milliRps(state.baselineMilliRps), htmlText(carriedRps(state)))],
    ['change, %', ({ state }) => signedPercent(state.changeShare)],
    ['guard rate, RPS', ({ state }) => milliRps(state.guardMilliRps)],
    ['a replica, RPS', each('perReplicaRps')],
    ['a GPU, RPS', each('perGpuRps')],
    ['limited by', ({ state }) => limitingText(state)],
    ['loss sure to be seen, %', ({ state: { minimumDetectableLoss: loss } }) => (loss === null ? NONE : percent(loss))],
  ]
  const rows = lines.map(([title, read]) => [title, ...states.map(read)])
  const heads = columns('baseline → now', ...states.map(({ state }) => state.cache))
  return states.length === 0 ? '' : htmlTable({ label: 'Capacity before and after', heads, rows })
}

function change(before: string, after: string): string {
  return before === NONE && after === NONE ? NONE : `${before} → ${after}`
}

function resultOf(results: readonly CapacityResult[], { cache }: StateVerdict): CapacityResult | undefined {
  return results.find((result) => result.cache === cache)
}

function limitingText({ limiting }: StateVerdict): string {
  if (limiting === null) return NONE
  return `<code>${htmlText(limiting.class, 60)}</code>, ${METRIC_NAMES.get(limiting.metric) ?? htmlText(limiting.metric, 40)}`
}

function stepList(title: string, steps: readonly string[], ink = withCode): string {
  if (steps.length === 0) return ''
  return `<h2>${title}</h2>\n<ul>${steps.map((step) => `<li>${ink(step)}`).join('')}</ul>`
}

function acceptBlock(input: ReportInput): string {
  const found = acceptance(input)
  if (found === null) return ''
  const commands = found.commands.map((command) => htmlText(command, 2000)).join('\n')
  return htmlFold(htmlText(found.text, 300), [`<pre tabindex="0">${commands}</pre>`])
}

/** Our own words: what stands between backticks is code. */
function withCode(text: string): string {
  return htmlText(text, 1500).replaceAll(/`([^`]*)`/g, '<code>$1</code>')
}

/** Text that is laid out by its spaces: they stay. */
function htmlLines(text: string): string {
  return text
    .split(/( {2,}|\n *)/)
    .map((part, index) => (index % 2 === 1 ? part : htmlText(part, 2000)))
    .join('')
}

function capitalised(word: string): string {
  return `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`
}
