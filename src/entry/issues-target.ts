import type { IssuesTarget } from '../adapters/github/issue-tracker.ts'
import type { ActionInputs } from './action-inputs.ts'
import type { EventFacts } from './event-facts.ts'
import { TOOL_VERSION } from './version.ts'

/** The repository's own issues; or why none is written. */
export function issuesTarget(
  { owner, repo, apiUrl }: Pick<EventFacts, 'owner' | 'repo' | 'apiUrl'>,
  { token, driftIssues }: Pick<ActionInputs, 'token' | 'driftIssues'>,
): IssuesTarget {
  if (driftIssues === 'never') return { skipped: 'the input drift-issues says never' }
  if (token === '') return { skipped: 'the input github-token is empty' }
  return { access: { token, apiUrl, toolVersion: TOOL_VERSION }, place: { owner, repo } }
}
