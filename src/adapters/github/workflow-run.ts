import { GateError } from '../../core/kernel/errors.ts'
import { CALLS } from './calls-table.ts'
import type { GithubAccess } from './client.ts'
import { githubClient } from './client.ts'
import type { RunPlace } from './run-approvals.ts'

/** What a workflow run ran for, as GitHub has it. */
export interface WorkflowRun {
  url: string
  event: string
  /** Empty where the branch is gone. */
  branch: string
  commit: string
  /** Whether its code came from the repository itself, and not from a fork. */
  isOwn: boolean
}

/** Throws GateError `run_unreadable` where GitHub does not tell. */
export async function workflowRun(access: GithubAccess, { owner, repo, runId }: RunPlace): Promise<WorkflowRun> {
  await using client = githubClient(access)
  try {
    const { data } = await client.octokit.request(CALLS.workflowRun.route, { owner, repo, run_id: runId })
    // A fork that was deleted is none any more, and its code came from there all the same.
    const from = (data.head_repository as typeof data.head_repository | null)?.full_name ?? ''
    return {
      url: data.html_url,
      event: data.event,
      branch: data.head_branch ?? '',
      commit: data.head_sha,
      isOwn: from.toLowerCase() === `${owner}/${repo}`.toLowerCase(),
    }
  } catch (error) {
    const status = error instanceof Error && 'status' in error ? ` (HTTP ${String(error.status)})` : ''
    throw new GateError({
      code: 'run_unreadable',
      message: `GitHub does not tell what run ${runId} of ${owner}/${repo} was${status}`,
      hint: `check its number, and give the job the permission ${CALLS.workflowRun.permission}`,
      cause: error,
    })
  }
}
