import * as core from '@actions/core'
import { githubIssueTracker } from '../adapters/github/issue-tracker.ts'
import { githubPublisher } from '../adapters/github/publisher.ts'
import type { PublisherOptions } from '../adapters/github/publisher.ts'
import type { ActionDesk } from './action-desk.ts'
import type { ActionInputs } from './action-inputs.ts'
import { commentTarget } from './comment-target.ts'
import { readEventContext } from './event-context.ts'
import { eventFacts } from './event-facts.ts'
import type { EventFacts } from './event-facts.ts'
import { issuesTarget } from './issues-target.ts'
import { runnerScreen } from './runner-screen.ts'

/**
 * A step's desk as the runner provides it, by the environment and the toolkit. The event is read when its facts are first asked for, which
 * throws GateError where it cannot be: a step that cannot read its event still says so, and cleans up.
 */
export function runnerDesk(): ActionDesk {
  // A log that nobody reads any more is no reason to leave an engine behind.
  process.stderr.on('error', () => {})
  let known: EventFacts | null = null
  const facts = () => (known ??= eventFacts(readEventContext(process.env)))
  return {
    env: { ...process.env },
    cwd: process.cwd(),
    screen: runnerScreen((text) => void process.stderr.write(text)),
    input: (name) => core.getInput(name, { trimWhitespace: false }),
    get facts() {
      return facts()
    },
    isDebug: core.isDebug(),
    setOutputs: (outputs) => {
      for (const [name, value] of Object.entries(outputs)) core.setOutput(name, value)
    },
    setSecret: core.setSecret,
    saveState: core.saveState,
    publisher: (inputs) => githubPublisher({ toolkit: core, comment: placeOfComment(facts, inputs) }),
    issueTracker: (inputs) => githubIssueTracker(issuesTarget(facts(), inputs)),
  }
}

/** An event that cannot be read is why the step fails, and is told by the log and the summary. */
function placeOfComment(facts: () => EventFacts, inputs: ActionInputs | null): PublisherOptions['comment'] {
  try {
    return commentTarget(facts(), inputs)
  } catch {
    return { skipped: 'the event could not be read' }
  }
}
