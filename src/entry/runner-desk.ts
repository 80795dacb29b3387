import * as core from '@actions/core'
import { context } from '@actions/github'
import { githubIssueTracker } from '../adapters/github/issue-tracker.ts'
import { githubPublisher } from '../adapters/github/publisher.ts'
import type { ActionDesk } from './action-desk.ts'
import { commentTarget } from './comment-target.ts'
import { eventFacts } from './event-facts.ts'
import { issuesTarget } from './issues-target.ts'
import { runnerScreen } from './runner-screen.ts'

/** A step's desk as the runner provides it, by the environment and the toolkit. */
export function runnerDesk(): ActionDesk {
  // A log that nobody reads any more is no reason to leave an engine behind.
  process.stderr.on('error', () => {})
  const facts = eventFacts(context)
  return {
    env: { ...process.env },
    cwd: process.cwd(),
    screen: runnerScreen((text) => void process.stderr.write(text)),
    input: (name) => core.getInput(name, { trimWhitespace: false }),
    facts,
    isDebug: core.isDebug(),
    setOutputs: (outputs) => {
      for (const [name, value] of Object.entries(outputs)) core.setOutput(name, value)
    },
    setSecret: core.setSecret,
    saveState: core.saveState,
    publisher: (inputs) => githubPublisher({ toolkit: core, comment: commentTarget(facts, inputs) }),
    issueTracker: (inputs) => githubIssueTracker(issuesTarget(facts, inputs)),
  }
}
