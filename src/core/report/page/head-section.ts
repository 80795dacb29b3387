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
    `<h1>${heading(verdict)}</h1>`,
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

function statesTable({ verdict, record, baseline }: ReportInput): string {
  const rows = verdict.states.slice(0, STATES_MAX).map((state) => {
    const result = resultOf(record.capacity, state)
    const base = baseline === null ? undefined : resultOf(baseline.capacity, state)
    const each = (key: 'perReplicaRps' | 'perGpuRps') => `${rps(base?.[key] ?? null)} → ${rps(result?.[key] ?? null)}`
    return [
      state.cache,
      state.acceptedLoss === undefined ? state.outcome : 'held (accepted loss)',
      milliRps(state.baselineMilliRps),
      htmlText(carriedRps(state)),
      signedPercent(state.changeShare),
      milliRps(state.guardMilliRps),
      each('perReplicaRps'),
      each('perGpuRps'),
      limitingText(state),
      state.minimumDetectableLoss === null ? NONE : percent(state.minimumDetectableLoss),
    ]
  })
  const heads = columns(
    'cache',
    'verdict',
    'baseline RPS:',
    'carries RPS:',
    'Δ %:',
    'guard RPS:',
    'RPS a replica:',
    'RPS a GPU:',
    'limited by',
    'loss sure to be seen %:',
  )
  return htmlTable({ label: 'Capacity before and after', heads, rows })
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

function htmlLines(text: string): string {
  return text
    .split('\n')
    .map((line) => `${/^ */.exec(line)?.[0] ?? ''}${htmlText(line, 2000)}`)
    .join('\n')
}

function capitalised(word: string): string {
  return `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`
}
