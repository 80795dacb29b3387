import type { PublisherOptions } from '../adapters/github/publisher.ts'
import type { ActionInputs } from './action-inputs.ts'
import type { EventFacts } from './event-facts.ts'
import { TOOL_VERSION } from './version.ts'

/** Events that are about no pull request, whatever commit they run at. */
const OF_NO_PULL_REQUEST: ReadonlySet<string> = new Set(['schedule', 'release'])
/** Events whose token may comment although the code is a fork's: they run what stands on the default branch. */
const PRIVILEGED: ReadonlySet<string> = new Set(['pull_request_target', 'workflow_run'])

/** The pull request that is commented on, or what it is found by, or why none is. One that is named counts before the event's. */
export function commentTarget(facts: EventFacts, inputs: ActionInputs | null): PublisherOptions['comment'] {
  if (inputs === null) return { skipped: 'the inputs could not be read' }
  if (inputs.comment === 'never') return { skipped: 'the input comment says never' }
  if (inputs.token === '') return { skipped: 'the input github-token is empty' }
  const { owner, repo } = facts
  const access = { token: inputs.token, apiUrl: facts.apiUrl, toolVersion: TOOL_VERSION }
  const measured = facts.isPullHead ? facts.headSha : null
  if (inputs.prNumber !== null) return { access, place: { owner, repo, number: inputs.prNumber, measured } }
  if (facts.isFork && !PRIVILEGED.has(facts.name)) {
    return {
      skipped:
        'a fork’s pull request gets a token that cannot comment: let a workflow_run job do it, with command: comment',
    }
  }
  if (facts.pullRequest !== null) return { access, place: { owner, repo, number: facts.pullRequest, measured } }
  const { headSha: sha, branch, queuedPullRequest: queued } = facts
  if (sha === null || OF_NO_PULL_REQUEST.has(facts.name))
    return { skipped: `the event ${facts.name} is about no pull request` }
  return { access, place: { owner, repo, search: { sha, branch, queued } } }
}
