import { safeUrl } from './context.ts'
import type { ReportContext } from './context.ts'
import { markdownCode } from './escape.ts'
import { headsSection } from './heads-section.ts'
import { earlierHeads, HEADS_MAX, parseHeads } from './heads.ts'
import type { HeadResult } from './heads.ts'

/** What a comment says that has no verdict on its own head to tell. All of it is of our own words, and escaped where it is not. */
export interface Notice {
  heading: string
  text: string
  /** What to do. */
  steps: readonly string[]
}

/** The comment's whole text: the notice, then what earlier comments told of (and `result`), folded. */
export function noticeComment(
  marker: string,
  notice: Notice,
  context: ReportContext,
  earlier: readonly string[],
  result?: HeadResult,
): string {
  const rows = [...(result === undefined ? [] : [result]), ...parseHeads(earlier)]
  const kept = headsSection({ current: null, earlier: earlierHeads(null, rows) }, context, HEADS_MAX)
  return `${marker}\n${blocks(notice, context, kept)}`
}

/** The same for a job's summary, which tells of no other head. */
export function noticeSummary(notice: Notice, context: ReportContext): string {
  return blocks(notice, context, [])
}

function blocks({ heading, text, steps }: Notice, context: ReportContext, kept: readonly string[]): string {
  const todo = steps.length === 0 ? [] : ['**What to do**', steps.map((step) => `- ${step}`).join('\n')]
  return `${[`## ${heading}`, text, ...todo, ...kept, footer(context)].filter((block) => block !== '').join('\n\n')}\n`
}

/** The word as a link to the run's page, where that is known. */
export function runLink({ runUrl }: ReportContext, word = 'run'): string {
  const url = safeUrl(runUrl)
  return url === null ? word : `[${word}](${url})`
}

function footer(context: ReportContext): string {
  const run = safeUrl(context.runUrl) === null ? [] : [runLink(context)]
  return `<sub>${[...run, `Capacity Gate ${markdownCode(context.toolVersion, 40)}`].join(' · ')}</sub>`
}
