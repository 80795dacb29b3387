import type { CommentText } from './comment.ts'
import { commitLink } from './context.ts'
import type { ReportContext } from './context.ts'
import { markdownCode } from './escape.ts'
import { currentHead } from './heads-section.ts'
import { commentMarker, isMarked } from './marker.ts'
import { noticeComment, noticeSummary, runLink } from './notice.ts'
import type { Notice } from './notice.ts'

/** A run that came to no verdict because somebody or something else ended it. */
export interface CancelledRun {
  gateId: string
  /** `interrupted`: it was asked to stop, and stopped. `gone`: it left no word. */
  how: 'interrupted' | 'gone'
  /** When it began (ISO 8601, UTC). */
  startedAt: string
  /** Points that are judged and in the pack. */
  judgedPoints: number
  /** By the plan's estimate; null where the run ended before it was made. */
  plannedPoints: number | null
  /** The point that it was at; null where it was between two, or before the first. */
  point: string | null
  context: ReportContext
}

const NOTE = /^> ⚠️ A later (?:run|\[run\]\([^)\n]*\)) of this commit was cancelled[^\n]*\n\n/

/** What is shown of a cancelled run in the job's summary. */
export function renderCancelled(run: CancelledRun): string {
  return noticeSummary(notice(run), run.context)
}

/**
 * The gate's comment after a cancelled run: nothing is judged, and what earlier heads came to is kept. A verdict of the same commit
 * stays, under a line that says so; one that was found since the run began is left as it is. Where the pull request has moved on nothing
 * is written: the newer head's own run has the word.
 */
export function cancelledComment(run: CancelledRun): CommentText {
  const marker = commentMarker(run.gateId, run.context.commentKey)
  return {
    marker,
    body: (earlier) => bodyOf(run, marker, earlier),
    // Once is enough: whoever writes after it knows more.
    isIn: (body) => isMarked(body, marker),
  }
}

function bodyOf(run: CancelledRun, marker: string, earlier: readonly string[]): string {
  const told = earlier.map((body) => ({ body, current: currentHead(body) }))
  const later = told.find(({ current }) => current !== null && current.at >= run.startedAt)
  if (later !== undefined) return later.body
  const same = told.find(({ current }) => current !== null && current.head === run.context.headSha)
  if (same !== undefined) return underNote(same.body, marker, run)
  return noticeComment(marker, notice(run), run.context, earlier)
}

/** The standing verdict's comment, whose first line is its marker, with one line more. */
function underNote(body: string, marker: string, { context }: CancelledRun): string {
  const rest = body
    .slice(marker.length)
    .replace(/^\r?\n/, '')
    .replace(NOTE, '')
  return `${marker}\n> ⚠️ A later ${runLink(context)} of this commit was cancelled: what stands here is an earlier run’s verdict.\n\n${rest}`
}

function notice(run: CancelledRun): Notice {
  const head = commitLink(run.context, run.context.headSha)
  const place = head === '' ? '' : `, head ${head}`
  return {
    heading: '⚠️ Capacity not measured: the run was cancelled',
    text: `**Cancelled** ${where(run)}${place}: nothing is judged. ${kept(run)}`,
    steps: [whatItSays(run), 'Run the job again: it measures anew.'],
  }
}

function where({ judgedPoints, plannedPoints, point }: CancelledRun): string {
  if (plannedPoints === null) return 'before the first point'
  const number = judgedPoints + 1
  const of = number > plannedPoints ? `; ${plannedPoints} were planned` : ` of ${plannedPoints}`
  return `at point ${number}${of}${point === null ? '' : ` (${markdownCode(point, 60)})`}`
}

function kept({ judgedPoints }: CancelledRun): string {
  if (judgedPoints === 0) return 'No point was finished.'
  return judgedPoints === 1
    ? 'The finished point is in the pack.'
    : `The ${judgedPoints} finished points are in the pack.`
}

function whatItSays({ how, context }: CancelledRun): string {
  const why =
    how === 'interrupted'
      ? 'says whether somebody cancelled it, a newer run did, or it reached its time limit.'
      : 'says more: it left no word of its own, as when a job is ended by force or the system runs out of memory.'
  return `The page of this ${runLink(context)} ${why}`
}
