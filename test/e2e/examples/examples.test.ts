import { describe, expect, it } from 'vitest'
import { firstBaseline, newExperiment } from './scenarios/first-baseline.ts'
import { forkPair } from './scenarios/fork-pair.ts'
import { lintJob } from './scenarios/lint-job.ts'
import { mergeQueue } from './scenarios/merge-queue.ts'
import { nightly } from './scenarios/nightly.ts'
import { signOff } from './scenarios/sign-off.ts'
import { upgradePullRequest } from './scenarios/upgrade-pull-request.ts'
import { stage } from './stage.ts'
import { EXAMPLES, ownSteps, readExample } from './workflow-file.ts'

const on = stage()

// The first leaves the baseline that the others are held to.
describe('the example of a first baseline', { timeout: 300_000 }, () => void firstBaseline(on))
describe('the example of a lint job', { timeout: 300_000 }, () => void lintJob(on))
describe('the example of an upgrade', { timeout: 300_000 }, () => void upgradePullRequest(on))
describe('the examples of a fork', { timeout: 300_000 }, () => void forkPair(on))
describe('the example of the nights', { timeout: 300_000 }, () => void nightly(on))
describe('the example of a merge queue', { timeout: 300_000 }, () => void mergeQueue(on))
describe('the example of a sign-off', { timeout: 300_000 }, () => void signOff(on))
describe('the example of a first baseline, once there is one', { timeout: 300_000 }, () => void newExperiment(on))

it.each(EXAMPLES)('%s has no step of ours that was not run', (name) => {
  const missing = ownSteps(readExample(name)).filter((step) => !on().started.has(`${name}: ${step}`))
  expect(missing).toEqual([])
})
