/** One route of GitHub's API (or one thing asked of its git) that is used, and what the job's token must be allowed for it. */
interface GithubCall {
  route: string
  /** As a workflow's `permissions:` names it; null where any token will do. */
  permission: `${'pull-requests' | 'issues' | 'actions' | 'contents'}: ${'read' | 'write'}` | null
  /** Completes "to …". */
  purpose: string
}

/** Every call that is made of GitHub, and no other: the routes that the code uses, and the table of permissions in docs/reference/action.md. */
export const CALLS = {
  listComments: {
    route: 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments',
    permission: 'pull-requests: read',
    purpose: 'find its own comment',
  },
  createComment: {
    route: 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments',
    permission: 'pull-requests: write',
    purpose: 'write the comment',
  },
  updateComment: {
    route: 'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}',
    permission: 'pull-requests: write',
    purpose: 'update the comment',
  },
  deleteComment: {
    route: 'DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}',
    permission: 'pull-requests: write',
    purpose: 'remove its second comment, where two jobs wrote at the same time',
  },
  pullsOfCommit: {
    route: 'GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls',
    permission: 'pull-requests: read',
    purpose: 'find the pull request of a commit, where the event names none',
  },
  pullsOfBranch: {
    route: 'GET /repos/{owner}/{repo}/pulls',
    permission: 'pull-requests: read',
    purpose: 'find the pull request of a fork’s branch, in a `workflow_run`',
  },
  pull: {
    route: 'GET /repos/{owner}/{repo}/pulls/{pull_number}',
    permission: 'pull-requests: read',
    purpose: 'see whether a pull request has moved on from the measured commit, and whether a queued one is open',
  },
  listIssues: {
    route: 'GET /repos/{owner}/{repo}/issues',
    permission: 'issues: read',
    purpose: 'find its own issues of drifts',
  },
  createIssue: {
    route: 'POST /repos/{owner}/{repo}/issues',
    permission: 'issues: write',
    purpose: 'open the issue of a drift',
  },
  updateIssue: {
    route: 'PATCH /repos/{owner}/{repo}/issues/{issue_number}',
    permission: 'issues: write',
    purpose: 'update, close and reopen the issue of a drift',
  },
  runApprovals: {
    route: 'GET /repos/{owner}/{repo}/actions/runs/{run_id}/approvals',
    permission: 'actions: read',
    purpose: 'see who approved the environment of a promotion or a sign-off',
  },
  workflowRun: {
    route: 'GET /repos/{owner}/{repo}/actions/runs/{run_id}',
    permission: 'actions: read',
    purpose: 'see whether the packs of a sign-off are of the repository’s own run',
  },
  readBranch: {
    route: 'git fetch',
    permission: 'contents: read',
    purpose: 'read baselines and a history that are kept on a branch',
  },
  writeBranch: {
    route: 'git push',
    permission: 'contents: write',
    purpose: 'accept a baseline and add to a history on a branch',
  },
  viewer: {
    route: 'POST /graphql',
    permission: null,
    purpose: 'learn as whom its token writes',
  },
} as const satisfies Record<string, GithubCall>

/** The call that a request was; null for none that is listed. `path` is a whole address or its path. */
export function callOf(method: string, path: string): GithubCall | null {
  const bare = path.split('?', 1)[0] ?? ''
  const all: GithubCall[] = Object.values(CALLS)
  const found = all.filter(({ route }) => patternOf(route).test(`${method.toUpperCase()} ${bare}`))
  // `issues/comments/7` before `issues/{issue_number}/comments`: the route with the fewest blanks.
  return found.toSorted((a, b) => a.route.split('{').length - b.route.split('{').length)[0] ?? null
}

function patternOf(route: string): RegExp {
  const [method = '', path = ''] = route.split(' ')
  return new RegExp(`^${method} .*${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
}
