import { plainText } from '../../core/report/escape.ts'
import { callOf } from './calls-table.ts'

const TEXT_MAX = 300

/** Why a comment, or an issue, could not be written, in one line, and what to do where somebody can do something. */
export function refusalText(error: unknown, written: 'comment' | 'issue' = 'comment'): string {
  const status = error instanceof Error && 'status' in error ? error.status : undefined
  const message = plainText(error instanceof Error ? error.message : String(error), TEXT_MAX)
  if (isRateLimit(status, message)) return `GitHub’s rate limit was reached (${message})`
  if (status === 403 && /\blocked\b/i.test(message)) return `the conversation is locked (${message})`
  switch (status) {
    case 401:
      return `GitHub does not accept the token (${message}); a job’s own token ends after 24 hours at most: after a longer run let another job ${LATER[written]}`
    case 403:
      return forbidden(error, message)
    case 404:
      return `the repository${written === 'comment' ? ' or the pull request' : ''} was not found with this token (${message})`
    case 410:
    case 422:
      return status === 410 && written === 'issue' ? issuesOff(message) : `GitHub refused the ${written} (${message})`
    default:
      return `GitHub could not be reached or failed (${message})`
  }
}

const LATER = { comment: 'publish the pack, with command: comment', issue: 'keep the history, with command: history' }

function issuesOff(message: string): string {
  return `this repository has no issues, or this one was deleted (${message}): switch issues on in its settings, or set drift-issues: never`
}

/** Names the permission that the very call needs which was refused. */
function forbidden(error: unknown, message: string): string {
  const call = refusedCall(error)
  const what = call === null ? 'comment' : call.purpose
  const needed = call?.permission ?? 'pull-requests: write'
  return `the token may not ${what}: the job needs \`${needed}\`, which the pull requests of forks and of Dependabot never get (${message})`
}

function refusedCall(error: unknown) {
  const { request } = error as { request?: { method?: unknown; url?: unknown } }
  return typeof request?.method === 'string' && typeof request.url === 'string'
    ? callOf(request.method, request.url)
    : null
}

function isRateLimit(status: unknown, message: string): boolean {
  return status === 429 || (status === 403 && /rate limit/i.test(message))
}
