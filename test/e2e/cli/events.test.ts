import { describe, expect, it } from 'vitest'
import { fakeGithub } from '../../fakes/github-api.ts'
import type { FakePull } from '../../fakes/github-pulls.ts'
import { recorded } from '../../fakes/recorded-events.ts'
import type { Payload } from '../../fakes/recorded-events.ts'
import { heldCandidate } from '../../unit/gate/record-fixture.ts'
import { actionFile } from '../../unit/entry/action-desk.ts'
import { builtAction } from './built-action.ts'

const action = builtAction()

const COMMIT = 'd'.repeat(40)
const of = (payload: Payload) => payload.repository.full_name
const ownerOf = (payload: Payload) => of(payload).split('/')[0] ?? ''
const byCommit = (payload: Payload): FakePull[] => [
  { number: 12, state: 'open', sha: COMMIT, head: `${ownerOf(payload)}:bump` },
]

function forked(payload: Payload): Payload {
  const pull = payload['pull_request'] as { head: { repo: { full_name: string } } }
  pull.head.repo.full_name = 'mallory/fork'
  return payload
}

/** A finished workflow's event at a commit, with the pull requests that it lists. */
function workflowRun(pulls: object[], headRepository?: object): Payload {
  const payload = recorded(
    'workflow_run',
    (item) => item['action'] === 'completed' && of(item) === 'octo-org/octo-repo',
  )
  const run = payload['workflow_run'] as Record<string, unknown>
  Object.assign(run, { head_sha: COMMIT, head_branch: 'patch-1', pull_requests: pulls })
  if (headRepository) run['head_repository'] = headRepository
  return payload
}

const synchronize = () => recorded('pull_request', (item) => item['action'] === 'synchronize')
const dispatched = () => recorded('workflow_dispatch')
const pushed = () => recorded('push', (item) => item['ref'] === 'refs/heads/master')
const queued = () => recorded('merge_group')
const fork = { full_name: 'mallory/fork', owner: { login: 'mallory' } }
const listed = {
  number: 12,
  head: { sha: COMMIT },
  base: { repo: { id: recorded('workflow_run', (item) => of(item) === 'octo-org/octo-repo').repository.id } },
}

describe.concurrent('where the comment of an event goes', () => {
  it.for<[string, string, Payload, number, FakePull[]]>([
    ['a pull request', 'pull_request', synchronize(), 2, []],
    ['a fork’s, in the default branch’s workflow', 'pull_request_target', forked(synchronize()), 2, []],
    [
      'a merge group',
      'merge_group',
      queued(),
      104,
      [{ number: 104, state: 'open', sha: 'e'.repeat(40), head: 'octo-org:bump' }],
    ],
    ['a push to a branch with a pull request', 'push', pushed(), 12, byCommit(pushed())],
    ['a dispatch on a branch with a pull request', 'workflow_dispatch', dispatched(), 12, byCommit(dispatched())],
    ['a workflow that another calls, which has its caller’s event', 'pull_request', synchronize(), 2, []],
    ['another workflow’s run', 'workflow_run', workflowRun([listed]), 12, []],
    [
      'another workflow’s run for a fork',
      'workflow_run',
      workflowRun([], fork),
      12,
      [{ number: 12, state: 'open', sha: COMMIT, head: 'mallory:patch-1' }],
    ],
  ])('%s', async ([, name, payload, number, pulls]) => {
    await using github = await fakeGithub({ repository: of(payload), number })
    github.pulls.push(...pulls)
    const event = { name, payload, repository: of(payload), sha: COMMIT, apiUrl: github.url }
    const ended = await action.step(action.gating(heldCandidate()), event)
    expect([ended.code, ended.log.match(/^no comment.*$/m)?.[0]]).toEqual([0, undefined])
    expect(github.comments.map(({ body }) => body.split('\n')[1])).toEqual(['## ✅ Capacity held: no action needed'])
    expect(ended.outputs).toMatchObject({ verdict: 'held', 'comment-url': expect.stringMatching(/#issuecomment-/) })
    expect(Object.keys(ended.outputs)).toEqual(Object.keys(actionFile.outputs))
    expect(ended.summary).not.toContain('No comment was written')
  })

  it.for<[string, string, Payload, string, number]>([
    [
      'a fork’s own workflow',
      'pull_request',
      forked(synchronize()),
      'a fork’s pull request gets a token that cannot comment',
      0,
    ],
    [
      'a night',
      'schedule',
      { schedule: '0 1 * * *', repository: synchronize().repository },
      'the event schedule is about no pull request',
      0,
    ],
    ['a release', 'release', recorded('release'), 'the event release is about no pull request', 0],
    [
      'a push without a pull request',
      'push',
      pushed(),
      'no open pull request has the commit dddddddddd as its head',
      1,
    ],
    [
      'another workflow’s run without one',
      'workflow_run',
      workflowRun([], fork),
      'no open pull request has the commit dddddddddd',
      2,
    ],
  ])('nowhere, and the summary says why: %s', async ([, name, payload, why, requests]) => {
    await using github = await fakeGithub({ repository: of(payload) })
    const event = { name, payload, repository: of(payload), sha: COMMIT, apiUrl: github.url }
    const ended = await action.step(action.gating(heldCandidate()), event)
    expect(ended.code).toBe(0)
    expect(ended.outputs).toMatchObject({ verdict: 'held', 'comment-url': '' })
    expect(ended.summary.match(/^_No comment was written: .*$/gm)).toEqual([expect.stringContaining(why)])
    expect(ended.summary).toContain('Capacity held')
    expect(github.requests).toHaveLength(requests)
  })

  it('on an Enterprise Server, by GITHUB_API_URL', async () => {
    const payload = synchronize()
    await using github = await fakeGithub({ repository: of(payload), number: 2, prefix: '/api/v3' })
    const event = { name: 'pull_request', payload, repository: of(payload), apiUrl: github.url }
    expect((await action.step(action.gating(heldCandidate()), event)).code).toBe(0)
    expect(github.comments).toHaveLength(1)
    expect(github.requests.map(({ path }) => path)).toContain('/graphql')
  })
})
