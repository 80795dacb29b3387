import type { Octokit } from '@octokit/rest'
import { isOwn, ownLogin } from './own-login.ts'

export interface PullRequest {
  owner: string
  repo: string
  number: number
}

interface Listed {
  id: number
  html_url: string
  body?: string
  user: { login: string; type: string } | null
}

/** Characters of a comment's body that GitHub takes. */
const BODY_MAX = 65_536
const CUT = '\n\n_The rest did not fit here: see the job’s summary._\n'

/**
 * Writes the one comment of this gate on a pull request: the newest that starts with the marker and that this very token's author
 * wrote is updated, else a new one is made. Comments of others are never touched, whatever they start with; older ones of our own, left
 * by two jobs that ran at the same time, are removed. Throws what Octokit throws.
 */
export async function stickyComment(
  octokit: Octokit,
  place: PullRequest,
  body: string,
  marker: string,
): Promise<{ url: string }> {
  const text = body.length <= BODY_MAX ? body : `${body.slice(0, BODY_MAX - CUT.length).toWellFormed()}${CUT}`
  const login = await ownLogin(octokit)
  const newest = (await ownComments(octokit, place, login, marker)).at(-1)
  const updated = newest === undefined ? null : await update(octokit, place, newest.id, text)
  if (updated === null) {
    const { data } = await octokit.rest.issues.createComment({
      ...repository(place),
      issue_number: place.number,
      body: text,
    })
    await removeOlder(octokit, place, login, marker)
    return { url: data.html_url }
  }
  await removeOlder(octokit, place, login, marker)
  return updated
}

/** Our own comments with the marker, oldest first, from every page. */
async function ownComments(
  octokit: Octokit,
  place: PullRequest,
  login: string | null,
  marker: string,
): Promise<Listed[]> {
  const all: Listed[] = await octokit.paginate(octokit.rest.issues.listComments, {
    ...repository(place),
    issue_number: place.number,
    per_page: 100,
  })
  const own = all.filter((comment) => startsWith(comment.body, marker) && isOwn(comment.user, login))
  return own.toSorted((a, b) => a.id - b.id)
}

/** A marker further down is somebody's quotation. */
function startsWith(body: string | undefined, marker: string): boolean {
  return body !== undefined && body.split(/\r?\n/, 1)[0] === marker
}

/** Null where the comment was deleted since it was listed. */
async function update(octokit: Octokit, place: PullRequest, id: number, body: string): Promise<{ url: string } | null> {
  try {
    const { data } = await octokit.rest.issues.updateComment({ ...repository(place), comment_id: id, body })
    return { url: data.html_url }
  } catch (error) {
    if (isStatus(error, 404)) return null
    throw error
  }
}

/** Of two jobs that each found no comment and made one, both come to keep the newer. What cannot be removed does no harm. */
async function removeOlder(octokit: Octokit, place: PullRequest, login: string | null, marker: string): Promise<void> {
  try {
    const older = (await ownComments(octokit, place, login, marker)).slice(0, -1)
    for (const { id } of older) await octokit.rest.issues.deleteComment({ ...repository(place), comment_id: id })
  } catch {
    // The comment itself stands.
  }
}

function repository({ owner, repo }: PullRequest): { owner: string; repo: string } {
  return { owner, repo }
}

function isStatus(error: unknown, status: number): boolean {
  return error instanceof Error && 'status' in error && error.status === status
}
