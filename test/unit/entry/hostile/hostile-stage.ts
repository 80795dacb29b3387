import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { githubPublisher } from '../../../../src/adapters/github/publisher.ts'
import { runAction } from '../../../../src/entry/action-main.ts'
import { commentTarget } from '../../../../src/entry/comment-target.ts'
import type { EventFacts } from '../../../../src/entry/event-facts.ts'
import { runnerScreen } from '../../../../src/entry/runner-screen.ts'
import { fakeGithub } from '../../../fakes/github-api.ts'
import type { FakeGithub } from '../../../fakes/github-api.ts'
import type { OwnGate, PackFiles } from '../../../fakes/fork-pack.ts'
import { writeOwnGate, writePack } from '../../../fakes/fork-pack.ts'
import { recordingToolkit } from '../../../fakes/toolkit.ts'
import { recordingDesk } from '../action-desk.ts'

export const HEAD = 'd'.repeat(40)

/** A finished run's event for a fork: the only word there is on where its comment belongs. */
const forkRun: EventFacts = {
  name: 'workflow_run',
  owner: 'acme',
  repo: 'engine',
  apiUrl: '',
  runUrl: 'https://github.com/acme/engine/actions/runs/99',
  headSha: HEAD,
  isPullHead: true,
  baseSha: null,
  pullRequest: null,
  queuedPullRequest: null,
  branch: { owner: 'mallory', name: 'patch-1' },
  isFork: true,
  ownDefaultBranch: null,
}

export interface Published {
  code: number
  /** Bodies of every comment of the pull request. */
  comments: string[]
  outputs: Record<string, string>
  summary: string
  /** Annotations and log, one after the other. */
  log: string
}

function scratchFolder(): string {
  return mkdtempSync(join(tmpdir(), 'fork-'))
}

/** The privileged job: its own checkout, the artifact where it was downloaded to, and GitHub on a loopback port. */
export async function publishArtifact(
  own: OwnGate,
  artifact: string,
  prepare: (github: FakeGithub) => void = () => {},
): Promise<Published> {
  await using github = await fakeGithub()
  github.pulls.push({ number: 7, state: 'open', sha: HEAD, head: 'mallory:patch-1' })
  prepare(github)
  const facts = { ...forkRun, apiUrl: github.url }
  const toolkit = recordingToolkit()
  const inputs = {
    ...writeOwnGate(scratchFolder(), own),
    command: 'comment',
    pack: artifact,
    'github-token': 'workflow-token',
  }
  const written: string[] = []
  const { desk, outputs } = recordingDesk(inputs, {
    facts,
    screen: runnerScreen((text) => void written.push(text)),
    publisher: (given) => githubPublisher({ toolkit, comment: quick(commentTarget(facts, given)) }),
  })
  const code = await runAction(desk)
  const told = toolkit.annotations.map(({ title, message }) => `${title}: ${message}`)
  return {
    code,
    comments: github.comments.map(({ body }) => body),
    outputs,
    summary: toolkit.summaryText,
    log: [...told, ...written].join('\n'),
  }
}

/** No test waits for GitHub's seconds. */
function quick(target: ReturnType<typeof commentTarget>): ReturnType<typeof commentTarget> {
  return 'skipped' in target ? target : { ...target, access: { ...target.access, secondMs: 1 } }
}

export function artifactOf(files: PackFiles): string {
  const folder = join(scratchFolder(), 'pack')
  writePack(folder, files)
  return folder
}
