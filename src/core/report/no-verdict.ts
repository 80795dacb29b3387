import type { CommentText } from './comment.ts'
import { commitLink, safeUrl } from './context.ts'
import type { ReportContext } from './context.ts'
import { markdownCode, markdownText } from './escape.ts'
import { earlierHeads, parseHeads } from './heads.ts'
import { commentMarker, isMarked } from './marker.ts'
import { noticeText } from './notice.ts'

/** Why another job's pack gave no verdict. The texts are taken as hostile: they may quote the pack. */
export interface NoVerdict {
  gateId: string
  code: string
  what: string
  hint: string
  context: ReportContext
}

/** The gate's comment where the pack of the newest head gave none: what an earlier head came to must not stand there as if it were current. */
export function noVerdictComment(found: NoVerdict): CommentText {
  const { gateId, context } = found
  const marker = commentMarker(gateId, context.commentKey)
  const render = (earlier: readonly string[]) =>
    noticeText(marker, noticeOf(found), earlierHeads(null, parseHeads(earlier)), context)
  return {
    marker,
    body: render,
    isIn: (body) => isMarked(body, marker) && body.includes(whyLine(found)),
  }
}

function noticeOf(found: NoVerdict) {
  const { hint, context } = found
  const at = commitLink(context, context.headSha)
  const url = safeUrl(context.runUrl)
  const steps = [
    `- ${markdownText(hint, 500)}`,
    `- The ${url === null ? 'run' : `[run](${url})`} that measured says what it found; nothing of it is believed here.`,
  ]
  return {
    heading: '❌ No verdict on this commit',
    blocks: [`${whyLine(found)}${at === '' ? '' : ` Head: ${at}.`}`, `**What to do**\n\n${steps.join('\n')}`],
  }
}

function whyLine({ code, what }: NoVerdict): string {
  return `**No verdict:** ${markdownText(what, 500)} (${markdownCode(code, 60)}).`
}
