import { readTerms } from '../gate/terms.ts'
import { acceptSection } from './accept.ts'
import { acceptedLossLines, staleLossLines } from './accepted-loss.ts'
import { commitLink, safeUrl } from './context.ts'
import type { ReportInput } from './context.ts'
import { deltaDetails, noteDetails, pointDetails, runDetails } from './details.ts'
import type { StatePoints } from './details.ts'
import { markdownCode, markdownInk } from './escape.ts'
import { evidenceSection } from './evidence-section.ts'
import { hostLines } from './host-lines.ts'
import { heading, nextSteps, sentence, SIMULATED, STATES_MAX, verdictWord } from './headline.ts'
import { recheckLines } from './recheck.ts'
import { headsSection } from './heads-section.ts'
import type { Heads } from './heads-section.ts'
import type { Limits, ShrinkStep } from './shrink-table.ts'
import { reasonList, stateSection } from './state-section.ts'

const encoder = new TextEncoder()

/** The report in full, then smaller by each step, until it fits into `maxBytes` of UTF-8 (never fewer than its UTF-16 units). */
export function fittedBody(
  input: ReportInput,
  opening: string,
  steps: readonly ShrinkStep[],
  maxBytes: number,
  heads: Heads = { current: null, earlier: [] },
): string {
  const leftOut: string[] = []
  let text = ''
  for (const step of steps) {
    if (step.leftOut !== '') leftOut.push(step.leftOut)
    text = [opening, body(input, heads, step.limits, leftOut)].filter((part) => part !== '').join('\n')
    if (encoder.encode(text).length <= maxBytes) return text
  }
  return text
}

function body(input: ReportInput, heads: Heads, limits: Limits, leftOut: readonly string[]): string {
  const { verdict, record, baseline } = input
  const states = verdict.states.slice(0, STATES_MAX)
  const steps = nextSteps(input)
  const stale = staleLossLines(verdict, markdownInk)
  const blocks = [
    `## ${heading(verdict)}`,
    ...acceptedLossLines(verdict, markdownInk).map(({ head, text }) => `> **${head}** ${text}`),
    record.kind === 'simulated' ? `> **${SIMULATED}**` : '',
    ...recheckLines(input).map((line) => `> ${line}`),
    `**${verdict.outcome === 'recorded' ? 'NOT GATED' : capitalised(verdictWord(verdict))}:** ${sentence(input, markdownInk, revisions(input))}`,
    hostLines(input, markdownInk)
      .map((line) => `> ${line}`)
      .join('\n>\n'),
    ...(steps.length === 0 ? [] : ['**What to do**', steps.map((step) => `- ${step}`).join('\n')]),
    ...(stale.length === 0 ? [] : ['**Accepted losses to look at**', stale.map((line) => `- ${line}`).join('\n')]),
    ...(verdict.reasons.length === 0 ? [] : ['**Why**', reasonList(verdict.reasons, limits.reasons)]),
    ...states.flatMap((state) => stateSection(state, record, baseline, limits)),
    ...acceptSection(input),
    ...evidenceSection(record, limits.evidence),
    ...statePoints(input).flatMap((points) => pointDetails(points, limits)),
    ...states.flatMap((state) => deltaDetails(state, limits.deltas)),
    ...noteDetails(
      states.flatMap((state) => state.notes),
      limits.notes,
    ),
    ...runDetails(record, baseline, limits),
    ...headsSection(heads, input.context, limits.heads),
    leftOut.length === 0 ? '' : `_Left out to fit here: ${leftOut.join('; ')}. The pack’s report.md has it all._`,
    footer(input),
  ]
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}

/** The points of each state, the baseline's beside them, then those by which the machine was proven. */
function statePoints({ record, baseline }: ReportInput): StatePoints[] {
  const attainmentMin = readTerms(record)?.attainmentMin ?? null
  const baseOf = (cache: string) => baseline?.capacity.find((result) => result.cache === cache) ?? null
  const own = record.capacity.map((result) => ({ result, base: baseOf(result.cache), attainmentMin }))
  const proof = (record.hostProof?.capacity ?? []).map((result) => {
    return { result, base: null, attainmentMin, whose: 'The baseline’s revision on this machine, ' }
  })
  return [...own.slice(0, STATES_MAX), ...proof.slice(0, STATES_MAX)]
}

function capitalised(word: string): string {
  return `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`
}

/** Head and base, each a link to its commit where the repository's page is known. */
function revisions({ record, context }: ReportInput): string {
  const named = (word: string, sha: string | null | undefined): string => {
    const link = commitLink(context, sha)
    return link === '' ? '' : ` ${word} ${link}`
  }
  return `${named('at', context.headSha ?? record.commit)}${named('on', context.baseSha)}`
}

function footer({ verdict, context }: ReportInput): string {
  const url = safeUrl(context.runUrl)
  const parts = [
    `record \`${verdict.candidateSha256.slice(0, 12)}\``,
    verdict.baselineSha256 === null ? 'no baseline' : `baseline \`${verdict.baselineSha256.slice(0, 12)}\``,
    verdict.anchorSha256 === null ? '' : `anchor \`${verdict.anchorSha256.slice(0, 12)}\``,
    url === null ? '' : `[run](${url})`,
    `Capacity Gate ${markdownCode(context.toolVersion, 40)}`,
  ]
  return `<sub>${parts.filter((part) => part !== '').join(' · ')}</sub>`
}
