import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { ActionDesk } from '../../../src/entry/action-desk.ts'
import type { EventFacts } from '../../../src/entry/event-facts.ts'
import { fakeIssueTracker } from '../../fakes/issue-tracker.ts'
import type { FakeIssueTracker } from '../../fakes/issue-tracker.ts'
import { fakePublisher } from '../../fakes/publisher.ts'
import type { FakePublisher } from '../../fakes/publisher.ts'
import { root } from './cli-in-process.ts'

interface ActionFile {
  inputs: Record<string, { default: string }>
  outputs: Record<string, object>
  runs: object
}

export const actionFile: ActionFile = parse(readFileSync(join(root, 'action.yml'), 'utf8'))

export const HEAD = 'a'.repeat(40)

export const pullRequest: EventFacts = {
  name: 'pull_request',
  owner: 'acme',
  repo: 'engine',
  apiUrl: 'http://127.0.0.1:9',
  runUrl: 'https://github.com/acme/engine/actions/runs/17',
  headSha: HEAD,
  isPullHead: true,
  baseSha: 'b'.repeat(40),
  pullRequest: 7,
  queuedPullRequest: null,
  branch: null,
  isFork: false,
  ownDefaultBranch: null,
}

export interface RecordingDesk {
  desk: ActionDesk
  publisher: FakePublisher
  issueTracker: FakeIssueTracker
  /** As they stand after the last setting. */
  outputs: Record<string, string>
  secrets: string[]
  /** What the post step will be given. */
  states: Map<string, string>
  log(): string
}

/** A desk whose inputs are action.yml's defaults but for those given, and which keeps what the step does. */
export function recordingDesk(inputs: Record<string, string>, over: Partial<ActionDesk> = {}): RecordingDesk {
  const publisher = fakePublisher()
  const issueTracker = fakeIssueTracker()
  const written: string[] = []
  const outputs: Record<string, string> = {}
  const secrets: string[] = []
  const states = new Map<string, string>()
  const desk: ActionDesk = {
    env: {},
    cwd: root,
    screen: { isTerminal: false, hasColor: false, columns: () => 120, write: (text) => void written.push(text) },
    // What @actions/core does: an input that is not given is empty, and one that action.yml lacks too.
    input: (name) => inputs[name] ?? actionFile.inputs[name]?.default ?? '',
    facts: pullRequest,
    isDebug: false,
    setOutputs: (set) => void Object.assign(outputs, set),
    setSecret: (value) => void secrets.push(value),
    saveState: (name, value) => void states.set(name, value),
    publisher: () => publisher,
    issueTracker: () => issueTracker,
    ...over,
  }
  return { desk, publisher, issueTracker, outputs, secrets, states, log: () => written.join('') }
}
