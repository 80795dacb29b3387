import { safeUrl } from './context.ts'
import type { ReportContext } from './context.ts'
import { markdownCode } from './escape.ts'
import { headsSection } from './heads-section.ts'
import type { HeadResult } from './heads.ts'
import { HEADS_MAX } from './heads.ts'

/** What a comment says that has no verdict on its own head to tell. Blocks are of our own words, and escaped where they are not. */
export interface Notice {
  heading: string
  blocks: readonly string[]
}

/** The whole comment, or without a marker the summary's text: the notice, the heads that were told of before it, where it is from. */
export function noticeText(
  marker: string,
  { heading, blocks }: Notice,
  earlier: readonly HeadResult[],
  context: ReportContext,
): string {
  const kept = headsSection({ current: null, earlier }, context, HEADS_MAX)
  const first = [marker, `## ${heading}`].filter((line) => line !== '').join('\n')
  return `${[first, ...blocks, ...kept, footer(context)].filter((block) => block !== '').join('\n\n')}\n`
}

function footer({ runUrl, toolVersion }: ReportContext): string {
  const url = safeUrl(runUrl)
  const parts = [url === null ? '' : `[run](${url})`, `Capacity Gate ${markdownCode(toolVersion, 40)}`]
  return `<sub>${parts.filter((part) => part !== '').join(' · ')}</sub>`
}
