import { fittedBody } from './body.ts'
import type { ReportInput } from './context.ts'
import { earlierHeads, headResult, parseHeads, tellsHead } from './heads.ts'
import { commentMarker, isMarked } from './marker.ts'
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
}

export function commentText(input: ReportInput): CommentText {
  const marker = commentMarker(input.record.gateId, input.context.commentKey)
  const mine = headResult(input)
  return {
    marker,
    body: (earlier) => renderComment(input, earlier),
    isIn: (body) => isMarked(body, marker) && (mine === null || tellsHead(body, mine)),
  }
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
