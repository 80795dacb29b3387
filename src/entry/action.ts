import * as core from '@actions/core'
import { context } from '@actions/github'
import { githubPublisher } from '../adapters/github/publisher.ts'
import { runAction } from './action-main.ts'
import { commentTarget } from './comment-target.ts'
import { eventFacts } from './event-facts.ts'
import { runnerScreen } from './runner-screen.ts'

// A log that nobody reads any more is no reason to leave an engine behind.
process.stderr.on('error', () => {})
const facts = eventFacts(context)

process.exitCode = await runAction({
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
  publisher: (inputs) => githubPublisher({ toolkit: core, comment: commentTarget(facts, inputs) }),
})
