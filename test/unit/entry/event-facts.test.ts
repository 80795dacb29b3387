import { describe, expect, it } from 'vitest'
import { commentTarget } from '../../../src/entry/comment-target.ts'
import type { ActionInputs } from '../../../src/entry/action-inputs.ts'
import { readActionInputs } from '../../../src/entry/action-inputs.ts'
import { eventFacts } from '../../../src/entry/event-facts.ts'
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
      baseSha: 'e'.repeat(40),
      pullRequest: 7,
      isFork: false,
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
  const number = (target: ReturnType<typeof commentTarget>) =>
    'place' in target ? target.place.number : target.skipped

  it('is the event’s pull request, or the one that is named', () => {
    expect(number(commentTarget(pullRequest, inputs()))).toBe(7)
    expect(number(commentTarget({ ...pullRequest, isFork: true }, inputs({ prNumber: 12 })))).toBe(12)
  })

  it.each([
    ['a fork’s pull request', { ...pullRequest, isFork: true }, inputs(), /workflow_run/],
    [
      'no pull request',
      { ...pullRequest, name: 'push', pullRequest: null },
      inputs(),
      /event push names no pull request/,
    ],
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
