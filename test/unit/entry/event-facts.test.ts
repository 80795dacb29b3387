import { describe, expect, it } from 'vitest'
import { commentTarget } from '../../../src/entry/comment-target.ts'
import type { ActionInputs } from '../../../src/entry/action-inputs.ts'
import { readActionInputs } from '../../../src/entry/action-inputs.ts'
import { eventFacts } from '../../../src/entry/event-facts.ts'
import type { EventFacts } from '../../../src/entry/event-facts.ts'
import { runnerScreen } from '../../../src/entry/runner-screen.ts'
import { actionFile, HEAD, pullRequest } from './action-desk.ts'

type Context = Parameters<typeof eventFacts>[0]

function contextOf(eventName: string, payload: object): Context {
  return {
    eventName,
    payload,
    repo: { owner: 'acme', repo: 'engine' },
    sha: HEAD,
    apiUrl: 'https://ghe.example/api/v3',
    serverUrl: 'https://ghe.example',
    runId: 17,
  } as unknown as Context
}

const pull = (headRepository: unknown) => ({
  pull_request: { number: 7, head: { sha: 'd'.repeat(40), repo: headRepository }, base: { sha: 'e'.repeat(40) } },
})

describe('an event', () => {
  it('of a pull request names its head and base, not the merge commit', () => {
    expect(eventFacts(contextOf('pull_request', pull({ full_name: 'Acme/engine' })))).toEqual({
      name: 'pull_request',
      owner: 'acme',
      repo: 'engine',
      apiUrl: 'https://ghe.example/api/v3',
      runUrl: 'https://ghe.example/acme/engine/actions/runs/17',
      headSha: 'd'.repeat(40),
      isPullHead: true,
      baseSha: 'e'.repeat(40),
      pullRequest: 7,
      queuedPullRequest: null,
      branch: null,
      isFork: false,
      ownDefaultBranch: null,
    })
  })

  it.each([
    ['another repository', pull({ full_name: 'mallory/engine' })],
    ['a repository that was deleted', pull(null)],
    [
      'a workflow of a fork',
      { workflow_run: { head_sha: 'd'.repeat(40), head_repository: { full_name: 'mallory/engine' } } },
    ],
  ])('is a fork’s from %s', (_, payload) => {
    expect(eventFacts(contextOf('x', payload))).toMatchObject({ isFork: true, headSha: 'd'.repeat(40) })
  })

  it.each([
    ['push', {}],
    ['schedule', {}],
    ['merge_group', { merge_group: { head_sha: HEAD } }],
    ['workflow_dispatch', { inputs: null }],
  ])('%s is of this repository and of no pull request', (name, payload) => {
    expect(eventFacts(contextOf(name, payload))).toMatchObject({
      isFork: false,
      pullRequest: null,
      headSha: HEAD,
      baseSha: null,
    })
  })

  const listed = (over: object = {}) => ({
    number: 9,
    head: { sha: 'd'.repeat(40) },
    base: { repo: { id: 5 } },
    ...over,
  })
  const workflowRun = (pulls: unknown) => ({
    repository: { id: 5 },
    workflow_run: {
      id: 99,
      head_sha: 'd'.repeat(40),
      head_branch: 'patch-1',
      head_repository: { full_name: 'acme/engine', owner: { login: 'acme' } },
      pull_requests: pulls,
    },
  })

  it.each([
    ['its only one', [listed()], 9],
    ['none of a fork', [], null],
    ['none of two', [listed(), listed({ number: 10 })], null],
    ['none that has moved on', [listed({ head: { sha: 'e'.repeat(40) } })], null],
    ['none of another repository', [listed({ base: { repo: { id: 6 } } })], null],
    ['none of a list that is none', 'x', null],
    ['none without a number', [listed({ number: '9' })], null],
  ])('of another workflow’s run names %s', (_, pulls, number) => {
    expect(eventFacts(contextOf('workflow_run', workflowRun(pulls)))).toMatchObject({
      pullRequest: number,
      branch: { owner: 'acme', name: 'patch-1' },
      runUrl: 'https://ghe.example/acme/engine/actions/runs/99',
    })
  })

  it.each([
    ['pull_request', 'd'.repeat(40), true],
    // Its own commit is the default branch's.
    ['pull_request_target', 'f'.repeat(40), true],
    ['push', 'd'.repeat(40), false],
    ['schedule', 'd'.repeat(40), false],
  ])('of another workflow’s run for %s is about the commit that was measured', (event, headSha, isPullHead) => {
    const payload = workflowRun([])
    Object.assign(payload.workflow_run, { event, head_commit: { id: 'f'.repeat(40) } })
    expect(eventFacts(contextOf('workflow_run', payload))).toMatchObject({ headSha, isPullHead })
  })

  it.each([
    [`refs/heads/gh-readonly-queue/main/pr-104-${'9'.repeat(40)}`, 104],
    [`refs/heads/gh-readonly-queue/release/2.x/pr-7-${'9'.repeat(40)}`, 7],
    [`refs/heads/main/pr-104-${'9'.repeat(40)}`, null],
    ['refs/heads/gh-readonly-queue/main/pr-104-abc', null],
    [7, null],
  ])('of a merge queue names the pull request in its branch: %s', (ref, queued) => {
    const group = { head_sha: HEAD, base_sha: 'b'.repeat(40), head_ref: ref }
    expect(eventFacts(contextOf('merge_group', { merge_group: group }))).toMatchObject({
      queuedPullRequest: queued,
      headSha: HEAD,
      baseSha: 'b'.repeat(40),
    })
  })

  it('of a push names what was there before, and nothing for a new branch', () => {
    expect(eventFacts(contextOf('push', { before: 'b'.repeat(40) })).baseSha).toBe('b'.repeat(40))
    expect(eventFacts(contextOf('push', { before: '0'.repeat(40) })).baseSha).toBeNull()
  })

  it.each([[{ pull_request: 'x' }], [{ pull_request: { number: '7', head: 3 } }], [{ workflow_run: [] }]])(
    'takes nothing of a strange payload for granted: %j',
    (payload) => {
      expect(eventFacts(contextOf('x', payload)).pullRequest).toBeNull()
    },
  )
})

describe('where the comment goes', () => {
  const inputs = (over: Partial<ActionInputs> = {}): ActionInputs => ({
    ...readActionInputs((name) => (name === 'github-token' ? 'ghs_1' : (actionFile.inputs[name]?.default ?? ''))),
    ...over,
  })
  const number = (target: ReturnType<typeof commentTarget>) => {
    if (!('place' in target)) return target.skipped
    return 'number' in target.place ? target.place.number : target.place.search
  }

  it('is the event’s pull request, or the one that is named', () => {
    expect(number(commentTarget(pullRequest, inputs()))).toBe(7)
    expect(number(commentTarget({ ...pullRequest, isFork: true }, inputs({ prNumber: 12 })))).toBe(12)
  })

  it('knows the measured head where it is a pull request’s, which can move on', () => {
    const measured = (facts: Partial<EventFacts>, prNumber: number | null = null) =>
      commentTarget({ ...pullRequest, ...facts }, inputs({ prNumber }))
    expect(measured({})).toMatchObject({ place: { number: 7, measured: HEAD } })
    expect(measured({ name: 'workflow_run' }, 12)).toMatchObject({ place: { number: 12, measured: HEAD } })
    expect(measured({ name: 'workflow_dispatch', isPullHead: false }, 12)).toMatchObject({ place: { measured: null } })
  })

  it('is a fork’s pull request where the workflow is the default branch’s own', () => {
    const target = { ...pullRequest, name: 'pull_request_target', isFork: true }
    expect(number(commentTarget(target, inputs()))).toBe(7)
    expect(number(commentTarget({ ...target, name: 'workflow_run' }, inputs()))).toBe(7)
  })

  it.each(['push', 'workflow_dispatch', 'workflow_run', 'merge_group'])(
    'is found from the commit where the event names none: %s',
    (name) => {
      const branch = name === 'workflow_run' ? { owner: 'mallory', name: 'patch-1' } : null
      const facts = { ...pullRequest, name, pullRequest: null, branch, isFork: branch !== null }
      expect(number(commentTarget(facts, inputs()))).toEqual({ sha: HEAD, branch, queued: null })
    },
  )

  it.each([
    ['a fork’s pull request', { ...pullRequest, isFork: true }, inputs(), /workflow_run/],
    ['a night', { ...pullRequest, name: 'schedule', pullRequest: null }, inputs(), /event schedule is about no pull/],
    ['a release', { ...pullRequest, name: 'release', pullRequest: null }, inputs(), /event release is about no pull/],
    ['no commit', { ...pullRequest, name: 'x', pullRequest: null, headSha: null }, inputs(), /x is about no pull/],
    ['no token', pullRequest, inputs({ token: '' }), /github-token is empty/],
    ['no comment wanted', pullRequest, inputs({ comment: 'never' }), /says never/],
    ['inputs that could not be read', pullRequest, null, /could not be read/],
  ])('is nowhere for %s, and it says so', (_, facts, given, why) => {
    expect(number(commentTarget(facts, given))).toMatch(why)
  })
})

it('lets no line of the log give the runner an order', () => {
  const written: string[] = []
  runnerScreen((text) => void written.push(text)).write('  ::add-mask::x\nfine ##[error]y\na::b\n')
  expect(written.join('')).toBe('  : :add-mask::x\nfine ## [error]y\na::b\n')
})
