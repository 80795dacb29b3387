import { safeUrl, shortSha } from './context.ts'
import type { ReportInput } from './context.ts'
import { deltaDetails, noteDetails, pointDetails, runDetails } from './details.ts'
import { markdownCode, markdownInk } from './escape.ts'
import { evidenceSection } from './evidence-section.ts'
import { HEADINGS, nextSteps, sentence, SIMULATED, STATES_MAX } from './headline.ts'
import type { Limits, ShrinkStep } from './shrink-table.ts'
import { reasonList, stateSection } from './state-section.ts'

const encoder = new TextEncoder()

/** The report in full, then smaller by each step, until it fits into `maxBytes` of UTF-8 (never fewer than its UTF-16 units). */
export function fittedBody(
  input: ReportInput,
  opening: string,
  steps: readonly ShrinkStep[],
  maxBytes: number,
): string {
  const leftOut: string[] = []
  let text = ''
  for (const step of steps) {
    if (step.leftOut !== '') leftOut.push(step.leftOut)
    text = [opening, body(input, step.limits, leftOut)].filter((part) => part !== '').join('\n')
    if (encoder.encode(text).length <= maxBytes) return text
  }
  return text
}

function body(input: ReportInput, limits: Limits, leftOut: readonly string[]): string {
  const { verdict, record, baseline } = input
  const states = verdict.states.slice(0, STATES_MAX)
  const steps = nextSteps(input)
  const blocks = [
    `## ${HEADINGS[verdict.outcome]}`,
    record.kind === 'simulated' ? `> **${SIMULATED}**` : '',
    `**${verdict.outcome === 'recorded' ? 'NOT GATED' : capitalised(verdict.outcome)}:** ${sentence(input, markdownInk)}`,
    ...(steps.length === 0 ? [] : ['**What to do**', steps.map((step) => `- ${step}`).join('\n')]),
    ...(verdict.reasons.length === 0 ? [] : ['**Why**', reasonList(verdict.reasons, limits.reasons)]),
    ...states.flatMap((state) => stateSection(state, record, limits)),
    ...evidenceSection(record, limits.evidence),
    ...record.capacity.slice(0, STATES_MAX).flatMap((result) => pointDetails(result, limits)),
    ...states.flatMap((state) => deltaDetails(state, limits.deltas)),
    ...noteDetails(
      states.flatMap((state) => state.notes),
      limits.notes,
    ),
    ...runDetails(record, baseline, limits),
    leftOut.length === 0 ? '' : `_Left out to fit here: ${leftOut.join('; ')}. The pack’s report.md has it all._`,
    footer(input),
  ]
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}

function capitalised(word: string): string {
  return `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`
}

function footer({ verdict, record, context }: ReportInput): string {
  const url = safeUrl(context.runUrl)
  const [head, base] = [shortSha(context.headSha ?? record.commit), shortSha(context.baseSha)]
  const parts = [
    head === null ? '' : `head \`${head}\``,
    base === null ? '' : `base \`${base}\``,
    `record \`${verdict.candidateSha256.slice(0, 12)}\``,
    verdict.baselineSha256 === null ? 'no baseline' : `baseline \`${verdict.baselineSha256.slice(0, 12)}\``,
    verdict.anchorSha256 === null ? '' : `anchor \`${verdict.anchorSha256.slice(0, 12)}\``,
    url === null ? '' : `[run](${url})`,
    `Capacity Gate ${markdownCode(context.toolVersion, 40)}`,
  ]
  return `<sub>${parts.filter((part) => part !== '').join(' · ')}</sub>`
}
