import { plainText } from '../../core/report/escape.ts'

const TEXT_MAX = 300

/** Why a comment could not be written, in one line, and what to do where somebody can do something. */
export function refusalText(error: unknown): string {
  const status = error instanceof Error && 'status' in error ? error.status : undefined
  const message = plainText(error instanceof Error ? error.message : String(error), TEXT_MAX)
  if (isRateLimit(status, message)) return `GitHub’s rate limit was reached (${message})`
  switch (status) {
    case 401:
      return `GitHub does not accept the token (${message})`
    case 403:
      return `the token may not comment: the job needs \`pull-requests: write\`, and a fork’s pull request never gets it (${message})`
    case 404:
      return `the repository or the pull request was not found with this token (${message})`
    case 410:
    case 422:
      return `GitHub refused the comment (${message})`
    default:
      return `GitHub could not be reached or failed (${message})`
  }
}

function isRateLimit(status: unknown, message: string): boolean {
  return status === 429 || (status === 403 && /rate limit/i.test(message))
}
