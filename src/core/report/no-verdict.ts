import type { CommentText } from './comment.ts'
import { commitLink } from './context.ts'
import type { ReportContext } from './context.ts'
import { markdownCode, markdownText } from './escape.ts'
import { commentMarker, isMarked } from './marker.ts'
import { noticeComment, runLink } from './notice.ts'
import type { Notice } from './notice.ts'

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
  return {
    marker,
    body: (earlier) => noticeComment(marker, noticeOf(found), context, earlier),
    isIn: (body) => isMarked(body, marker) && body.includes(whyLine(found)),
  }
}

function noticeOf(found: NoVerdict): Notice {
  const { hint, context } = found
  const at = commitLink(context, context.headSha)
  return {
    heading: '❌ No verdict on this commit',
    text: `${whyLine(found)}${at === '' ? '' : ` Head: ${at}.`}`,
    steps: [
      markdownText(hint, 500),
      `The ${runLink(context)} that measured says what it found; nothing of it is believed here.`,
    ],
  }
}

function whyLine({ code, what }: NoVerdict): string {
  return `**No verdict:** ${markdownText(what, 500)} (${markdownCode(code, 60)}).`
}
