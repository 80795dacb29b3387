import type { Octokit } from '@octokit/rest'

/** Who writes with the workflow's own token. */
export const WORKFLOW_BOT = 'github-actions[bot]'

/**
 * The login that this token writes as, or null where GitHub does not tell. GraphQL's viewer answers for every kind of token; the REST
 * route for it refuses those of installations, which a workflow's own token is.
 */
export async function ownLogin(octokit: Octokit): Promise<string | null> {
  try {
    const { viewer } = await octokit.graphql<{ viewer: { login: string } }>('query { viewer { login } }')
    return typeof viewer.login === 'string' && viewer.login !== '' ? viewer.login : null
  } catch {
    return null
  }
}

/** Whether a comment's author is us. An app's login ends in `[bot]` in REST answers, and no person's can. */
export function isOwn(author: { login: string; type: string } | null, login: string | null): boolean {
  if (author === null) return false
  if (login === null) return author.login === WORKFLOW_BOT && author.type === 'Bot'
  if (author.login === login) return login.endsWith('[bot]') === (author.type === 'Bot')
  return author.type === 'Bot' && author.login === `${login}[bot]`
}
