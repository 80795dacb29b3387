import { setTimeout as pause } from 'node:timers/promises'
import type { Octokit } from '@octokit/rest'
import type { IsDue, IssueState, IssueTracker, TrackedIssue } from '../../app/ports/issue-tracker.ts'
import { GateError } from '../../core/kernel/errors.ts'
import type { DriftText } from '../../core/report/drift-issue.ts'
import { readDriftMarker } from '../../core/report/drift-issue.ts'
import { CALLS } from './calls-table.ts'
import type { GithubAccess } from './client.ts'
import { githubClient } from './client.ts'
import type { Repository } from './find-pull-request.ts'
import { isOwn, ownLogin, WORKFLOW_BOT } from './own-login.ts'
import { refusalText } from './refusal-text.ts'

/** By it the issues are found among all others; GitHub makes a label that is missing. */
export const DRIFT_LABEL = 'capacity-drift'

interface Listed {
  number: number
  html_url: string
  state: string
  closed_at: string | null
  body?: string | null | undefined
  user: { login: string; type: string } | null
  pull_request?: unknown
}

/** The issues of a repository, or why there are none to be written. */
export type IssuesTarget = { access: GithubAccess; place: Repository } | { skipped: string }

/** Drifts as a repository's issues. Its calls have three minutes together, retries and waits included. */
export function githubIssueTracker(target: IssuesTarget): IssueTracker {
  if ('skipped' in target) return refusingTracker(target.skipped)
  const client = githubClient(target.access)
  const { octokit, settleMs } = client
  const { place } = target
  let login: Promise<string | null> | null = null
  let hasWritten = false
  return {
    list: () =>
      orRefused(async () => {
        // What a job that looked before this one wrote writes comes a moment later.
        if (hasWritten) await pause(settleMs)
        login ??= ownLogin(octokit)
        return ownIssues(octokit, place, await login)
      }),
    open: ({ title, body }, isDue) =>
      orRefused(async () => {
        hasWritten = true
        const asked = { ...place, title, body, labels: [DRIFT_LABEL], request: { renew: whileDue(isDue) } }
        await octokit.request(CALLS.createIssue.route, asked)
      }),
    update: (number, text, state, isDue) =>
      orRefused(async () => {
        hasWritten = true
        const asked = { ...place, issue_number: number, ...changesOf(text, state), request: { renew: whileDue(isDue) } }
        await octokit.request(CALLS.updateIssue.route, asked)
      }),
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  }
}

/** The first try follows the look; what comes after a wait may undo what another job or a person did meanwhile. */
function whileDue(isDue: IsDue): () => Promise<object> {
  let tries = 0
  return async () => {
    tries += 1
    if (tries === 1 || (await isDue())) return {}
    const hint = 'look at the issues again'
    throw new GateError({ code: 'issue_outdated', message: 'the issue was overtaken while its writing waited', hint })
  }
}

/** Older Enterprise Servers know no reason `duplicate`. */
const STATES = {
  kept: {},
  reopened: { state: 'open' },
  over: { state: 'closed', state_reason: 'completed' },
  duplicate: { state: 'closed', state_reason: 'not_planned' },
} as const satisfies Record<IssueState, object>

function changesOf({ title, body }: DriftText, state: IssueState) {
  return { ...(title === null ? {} : { title }), body, ...STATES[state] }
}

/**
 * Every issue with the label, and of our own open ones also those without: a label that somebody took off, or that GitHub dropped because the
 * token's owner may set none, must not have a second issue opened each night.
 */
async function ownIssues(octokit: Octokit, place: Repository, login: string | null): Promise<TrackedIssue[]> {
  const creator = login ?? WORKFLOW_BOT
  const all = [
    ...(await list(octokit, place, { state: 'all', labels: DRIFT_LABEL })),
    ...(await list(octokit, place, { state: 'open', creator }).catch(noneOfUnknown)),
  ]
  const own = all.filter((issue) => issue.pull_request === undefined && isOwn(issue.user, login))
  return [...new Map(own.flatMap(tracked).map((issue) => [issue.number, issue])).values()]
}

async function list(
  octokit: Octokit,
  place: Repository,
  asked: { state: 'all' | 'open'; labels?: string; creator?: string },
): Promise<Listed[]> {
  return octokit.paginate(CALLS.listIssues.route, { ...place, ...asked, per_page: 100 })
}

/** GitHub answers 422 to a creator whom it does not know. */
function noneOfUnknown(error: unknown): Listed[] {
  if (error instanceof Error && 'status' in error && error.status === 422) return []
  throw error
}

function tracked({ number, html_url, state, closed_at, body }: Listed): TrackedIssue[] {
  const marker = readDriftMarker(body ?? '')
  if (marker === null) return []
  // One that is closed and does not say when was closed before anything that can still fall.
  const closedOn = state === 'open' ? null : (closed_at ?? '1970-01-01').slice(0, 10)
  return [{ number, url: html_url, ...marker, closedOn }]
}

async function orRefused<T>(doing: () => Promise<T>): Promise<T> {
  try {
    return await doing()
  } catch (cause) {
    if (cause instanceof GateError) throw cause
    throw refused(refusalText(cause, 'issue'), cause)
  }
}

function refusingTracker(why: string): IssueTracker {
  const refuse = () => Promise.reject(refused(why))
  return { list: refuse, open: refuse, update: refuse, async [Symbol.asyncDispose]() {} }
}

function refused(message: string, cause?: unknown): GateError {
  const hint = 'the history is kept all the same: its page and the summary tell of the drift'
  return new GateError({ code: 'issues_refused', message, hint, cause })
}
