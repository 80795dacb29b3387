import type { PublisherOptions } from '../adapters/github/publisher.ts'
import type { ActionInputs } from './action-inputs.ts'
import type { EventFacts } from './event-facts.ts'
import { TOOL_VERSION } from './version.ts'

/** The pull request that is commented on, or why none is. One that is named counts before the event's. */
export function commentTarget(facts: EventFacts, inputs: ActionInputs | null): PublisherOptions['comment'] {
  if (inputs === null) return { skipped: 'the inputs could not be read' }
  if (inputs.comment === 'never') return { skipped: 'the input comment says never' }
  if (inputs.token === '') return { skipped: 'the input github-token is empty' }
  const { owner, repo } = facts
  const access = { token: inputs.token, apiUrl: facts.apiUrl, toolVersion: TOOL_VERSION }
  if (inputs.prNumber !== null) return { access, place: { owner, repo, number: inputs.prNumber } }
  if (facts.pullRequest === null) return { skipped: `the event ${facts.name} names no pull request` }
  if (facts.isFork) {
    return {
      skipped:
        'a fork’s pull request gets a token that cannot comment: let a workflow_run job do it, with command: comment',
    }
  }
  return { access, place: { owner, repo, number: facts.pullRequest } }
}
