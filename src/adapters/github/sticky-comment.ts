import { setTimeout as pause } from 'node:timers/promises'
import type { Octokit } from '@octokit/rest'
import type { CommentText } from '../../core/report/comment.ts'
import { isMarked } from '../../core/report/marker.ts'
import { CALLS } from './calls-table.ts'
import type { Repository } from './find-pull-request.ts'
import { isOwn, ownLogin } from './own-login.ts'

export interface PullRequest extends Repository {
  number: number
}

interface Listed {
  id: number
  html_url: string
  body?: string | undefined
  user: { login: string; type: string } | null
}

/** Characters of a comment's body that GitHub takes. */
const BODY_MAX = 65_536
const CUT = '\n\n_The rest did not fit here: see the job’s summary._\n'
/** Each round loses only to another poster that wrote meanwhile. */
const ROUNDS = 6

/**
 * Writes the one comment of this gate on a pull request: the oldest that starts with the marker and that this very token's author wrote
 * is updated, else a new one is made. Comments of others are never touched, whatever they start with. Then it looks again: a second
 * comment of our own, from a job that ran at the same time, is taken up into the first and only then removed; and where another job
 * wrote over this result without having seen it, it is written again beside the other's. It looks a last time after `settleMs`: GitHub
 * has no conditional update, and a job that read before this one wrote writes a second or so later. Throws what Octokit throws.
 */
export async function stickyComment(
  octokit: Octokit,
  place: PullRequest,
  text: CommentText,
  settleMs: number,
): Promise<{ url: string }> {
  const login = await ownLogin(octokit)
  const list = () => ownComments(octokit, place, login, text.marker)
  let own = await list()
  let written: Listed | null = null
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const done = await writeOnce(octokit, place, text, own, list)
      written = done ?? written
      own = await list()
      if (!isSettled(own, text)) continue
      await pause(settleMs)
      own = await list()
      if (isSettled(own, text)) break
    }
  } catch (error) {
    // What was written stands, though it could not be looked at again.
    if (written === null) throw error
  }
  if (written === null) throw new Error('the comment was deleted each time before it could be updated')
  return { url: (own[0] ?? written).html_url }
}

function isSettled(own: readonly Listed[], text: CommentText): boolean {
  return own.length === 1 && text.isIn(own[0]?.body ?? '')
}

/** Writes into the first of our own, or a new one, what all of them tell, and removes the others. Null: it was deleted meanwhile. */
async function writeOnce(
  octokit: Octokit,
  place: PullRequest,
  text: CommentText,
  own: readonly Listed[],
  list: () => Promise<readonly Listed[]>,
): Promise<Listed | null> {
  const bodyOf = (told: readonly Listed[]) => cutToSize(text.body(told.flatMap((comment) => comment.body ?? [])))
  const [first, ...others] = own
  const done =
    first === undefined
      ? await create(octokit, place, bodyOf(own))
      : await update(octokit, place, first.id, async () => bodyOf(await list()))
  if (done !== null) for (const { id } of others) await remove(octokit, place, id)
  return done
}

function cutToSize(body: string): string {
  return body.length <= BODY_MAX ? body : `${body.slice(0, BODY_MAX - CUT.length).toWellFormed()}${CUT}`
}

/** Our own comments with the marker, oldest first, from every page. */
async function ownComments(
  octokit: Octokit,
  place: PullRequest,
  login: string | null,
  marker: string,
): Promise<Listed[]> {
  const all: Listed[] = await octokit.paginate(CALLS.listComments.route, {
    ...repository(place),
    issue_number: place.number,
    per_page: 100,
  })
  const own = all.filter((comment) => isMarked(comment.body ?? '', marker) && isOwn(comment.user, login))
  return own.toSorted((a, b) => a.id - b.id)
}

function listed({ id, html_url, body, user }: Omit<Listed, 'id'> & { id: number | bigint }): Listed {
  return { id: Number(id), html_url, body, user }
}

async function create(octokit: Octokit, place: PullRequest, body: string): Promise<Listed> {
  const asked = { ...repository(place), issue_number: place.number, body }
  return listed((await octokit.request(CALLS.createComment.route, asked)).data)
}

/**
 * Null where the comment was deleted since it was listed. `body` is asked ahead of each try: a limit of GitHub's can keep a write waiting
 * for a minute, and what others wrote meanwhile must not be lost.
 */
async function update(
  octokit: Octokit,
  place: PullRequest,
  id: number,
  body: () => Promise<string>,
): Promise<Listed | null> {
  try {
    const renew = async () => ({ body: await body() })
    const asked = { ...repository(place), comment_id: id, body: '', request: { renew } }
    return listed((await octokit.request(CALLS.updateComment.route, asked)).data)
  } catch (error) {
    if (isStatus(error, 404)) return null
    throw error
  }
}

/** What is gone already is gone; what may not be removed does no harm: the comment itself stands. */
async function remove(octokit: Octokit, place: PullRequest, id: number): Promise<void> {
  try {
    await octokit.request(CALLS.deleteComment.route, { ...repository(place), comment_id: id })
  } catch {
    // A later run tries again.
  }
}

function repository({ owner, repo }: PullRequest): Repository {
  return { owner, repo }
}

function isStatus(error: unknown, status: number): boolean {
  return error instanceof Error && 'status' in error && error.status === status
}
