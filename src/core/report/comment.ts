import { fittedBody } from './body.ts'
import { commitLink } from './context.ts'
import type { ReportInput } from './context.ts'
import { earlierHeads, headResult, parseHeads, tellsHead } from './heads.ts'
import type { HeadResult } from './heads.ts'
import { withEarlierHead } from './heads-section.ts'
import { commentMarker, isMarked } from './marker.ts'
import { noticeComment } from './notice.ts'
import { SHRINK_STEPS, SUMMARY_STEPS } from './shrink-table.ts'

/** GitHub refuses a comment's body over 65,536; a little room is left. Counted in bytes of UTF-8, whichever way GitHub counts. */
const COMMENT_MAX_BYTES = 65_000
/** GitHub drops a step's summary over 1 MiB; other lines may share the file. */
const SUMMARY_MAX_BYTES = 1_000_000

/** A comment that takes up what earlier comments of its own told. */
export interface CommentText {
  /** The first line of every comment of this gate. */
  marker: string
  /** The whole comment, given the bodies of our own earlier ones: their heads are kept, folded. */
  body(earlier: readonly string[]): string
  /** Whether a comment tells this result already. */
  isIn(body: string): boolean
  /**
   * The whole comment where the pull request has moved on from the head that this is about: no longer the current result. Not given:
   * then nothing is written.
   */
  behind?(earlier: readonly string[]): string
}

export function commentText(input: ReportInput): CommentText {
  const marker = commentMarker(input.record.gateId, input.context.commentKey)
  const mine = headResult(input)
  return {
    marker,
    body: (earlier) => renderComment(input, earlier),
    isIn: (body) => isMarked(body, marker) && (mine === null || tellsHead(body, mine)),
    ...(mine === null ? {} : { behind: (earlier) => behindText(input, mine, marker, earlier) }),
  }
}

/**
 * A result of a head that is not the newest any more: a row in the comment that stands, or a comment that says that the newest is not
 * measured. It never takes a newer result's place.
 */
function behindText({ context }: ReportInput, mine: HeadResult, marker: string, earlier: readonly string[]): string {
  for (const body of earlier) {
    const folded = withEarlierHead(body, mine, context, COMMENT_MAX_BYTES)
    if (folded !== null) return folded
  }
  const text = `The pull request has moved on since ${commitLink(context, mine.head)} was measured: what that came to is below, and says nothing of the newest commit.`
  const notice = { heading: '⚠️ Capacity not measured at the newest commit', text, steps: [] }
  return noticeComment(marker, notice, context, earlier, mine)
}

/**
 * The pull request's comment, given the bodies of our own earlier ones. Its first line is the hidden marker of this gate and comment key.
 * At most 65,000 bytes and characters whatever the records hold: details are left out first, then rows, and it says what was.
 */
export function renderComment(input: ReportInput, earlier: readonly string[] = []): string {
  const marker = commentMarker(input.record.gateId, input.context.commentKey)
  const current = headResult(input)
  const heads = { current, earlier: earlierHeads(current, parseHeads(earlier)) }
  return fittedBody(input, marker, SHRINK_STEPS, COMMENT_MAX_BYTES, heads)
}

/** The job's summary: the comment's body with longer lists, at most 1,000,000 bytes. */
export function renderSummary(input: ReportInput): string {
  return fittedBody(input, '', SUMMARY_STEPS, SUMMARY_MAX_BYTES)
}
