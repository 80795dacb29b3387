import type { Author } from './github-api.ts'
import type { GithubRequest } from './github-openapi.ts'
import { githubDescription } from './github-openapi.ts'

/** An issue as the fake keeps it. */
export interface FakeIssue {
  number: number
  title: string
  body: string
  user: Author
  labels: string[]
  state: 'open' | 'closed'
  stateReason: string | null
  closedAt: string | null
  isPull?: boolean
}

type Json = Record<string, unknown>
type Answer = { status: number; body: Json } | { list: Json[] }

/** When the fake closes an issue. */
const CLOSED_AT = '2026-09-27T03:00:00Z'

/** GitHub's answers about issues, made of the example in its own description, and what they change; null for another path. */
export function issuesAnswer(
  issues: FakeIssue[],
  url: string,
  path: string,
  { method, query, body }: GithubRequest,
  author: Author,
): Answer | null {
  const shown = (issue: FakeIssue) => issueOf(issue, url, author)
  if (path === '/issues' && method === 'GET') return { list: filtered(issues, query).map(shown) }
  if (path === '/issues' && method === 'POST') {
    const asked = body as { title: string; body: string; labels: string[] }
    if (asked.title.length > 256 || asked.body.length > 65_536) return invalid()
    const number = Math.max(0, ...issues.map((issue) => issue.number)) + 1
    const issue: FakeIssue = { ...asked, number, user: author, state: 'open', stateReason: null, closedAt: null }
    issues.push(issue)
    return { status: 201, body: shown(issue) }
  }
  const issue = issues.find(({ number }) => path === `/issues/${number}`)
  if (issue === undefined || method !== 'PATCH') return null
  const asked = body as Partial<{ title: string; body: string; state: FakeIssue['state']; state_reason: string }>
  if ((asked.body ?? '').length > 65_536) return invalid()
  if (asked.title !== undefined) issue.title = asked.title
  if (asked.body !== undefined) issue.body = asked.body
  if (asked.state !== undefined && asked.state !== issue.state) {
    issue.state = asked.state
    issue.closedAt = asked.state === 'closed' ? CLOSED_AT : null
    issue.stateReason = asked.state_reason ?? (asked.state === 'open' ? 'reopened' : 'completed')
  }
  return { status: 200, body: shown(issue) }
}

function invalid(): Answer {
  return { status: 422, body: { message: 'Validation Failed' } }
}

/** Newest first, as GitHub lists them. */
function filtered(issues: readonly FakeIssue[], query: URLSearchParams): FakeIssue[] {
  const [state, labels, creator] = [query.get('state') ?? 'open', query.get('labels'), query.get('creator')]
  return issues
    .filter((issue) => state === 'all' || issue.state === state)
    .filter((issue) => labels === null || labels.split(',').every((label) => issue.labels.includes(label)))
    .filter((issue) => creator === null || issue.user.login === creator)
    .toSorted((one, other) => other.number - one.number)
}

function issueOf(issue: FakeIssue, url: string, asking: Author): Json {
  const example = githubDescription().example('issue') as Json
  const { number, title, body, user, labels, state, stateReason, closedAt } = issue
  const label = ((example['labels'] as Json[])[0] ?? {}) as Json
  return {
    ...example,
    number,
    title,
    body,
    state,
    state_reason: stateReason,
    closed_at: closedAt,
    closed_by: closedAt === null ? null : { ...(example['user'] as Json), ...asking },
    user: { ...(example['user'] as Json), ...user },
    labels: labels.map((name) => ({ ...label, name })),
    url: `${url}/repos/acme/engine/issues/${number}`,
    html_url: `https://github.com/acme/engine/issues/${number}`,
    pull_request: issue.isPull ? example['pull_request'] : undefined,
  }
}
