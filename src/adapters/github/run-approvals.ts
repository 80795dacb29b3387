import { GateError } from '../../core/kernel/errors.ts'
import { CALLS } from './calls-table.ts'
import type { GithubAccess } from './client.ts'
import { githubClient } from './client.ts'

export interface RunPlace {
  owner: string
  repo: string
  runId: number
}

/**
 * Logins of the reviewers who approved a workflow run's deployment to an environment; empty where nobody did, or where it asks for no
 * review. Throws GateError `approvals_unreadable` where GitHub does not tell.
 */
export async function environmentApprovers(
  access: GithubAccess,
  { owner, repo, runId }: RunPlace,
  environment: string,
): Promise<string[]> {
  await using client = githubClient(access)
  try {
    const { data } = await client.octokit.request(CALLS.runApprovals.route, { owner, repo, run_id: runId })
    const approving = data.filter(
      ({ state, environments }) => state === 'approved' && environments.some(({ name }) => name === environment),
    )
    return [...new Set(approving.flatMap(({ user }) => (user ? [user.login] : [])))]
  } catch (error) {
    const status = error instanceof Error && 'status' in error ? ` (HTTP ${String(error.status)})` : ''
    throw new GateError({
      code: 'approvals_unreadable',
      message: `GitHub does not tell who approved run ${runId} of ${owner}/${repo}${status}`,
      hint: `give the job the permission ${CALLS.runApprovals.permission}, then run the step again`,
      cause: error,
    })
  }
}
