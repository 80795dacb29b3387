import { afterEach, beforeEach, expect, it } from 'vitest'
import { githubClient } from '../../../../src/adapters/github/client.ts'
import { findPullRequest } from '../../../../src/adapters/github/find-pull-request.ts'
import type { FoundPull, PullRequestSearch } from '../../../../src/adapters/github/find-pull-request.ts'
import { fakeGithub } from '../../../fakes/github-api.ts'
import type { FakeGithub } from '../../../fakes/github-api.ts'

const HEAD = 'a'.repeat(40)
const place = { owner: 'acme', repo: 'engine' }
let github: FakeGithub

beforeEach(async () => {
  github = await fakeGithub()
})
afterEach(() => github[Symbol.asyncDispose]())

async function find(search: Partial<PullRequestSearch> = {}): Promise<FoundPull | { skipped: string }> {
  await using client = githubClient({ token: 'workflow-token', apiUrl: github.url, toolVersion: '0', secondMs: 1 })
  return await findPullRequest(client.octokit, place, { sha: HEAD, branch: null, queued: null, ...search })
}

const ours = { number: 7, state: 'open', sha: HEAD, head: 'acme:bump' } as const

it('finds the open pull request whose head is the commit', async () => {
  github.pulls.push(ours)
  expect(await find()).toEqual({ number: 7, movedTo: null })
})

it.each([
  ['one that was merged', { ...ours, state: 'closed' as const }],
  ['one that has moved on', { ...ours, sha: 'b'.repeat(40) }],
  ['one of another repository', { ...ours, base: 'mallory/engine' }],
])('takes no other: %s', async (_, pull) => {
  github.pulls.push(pull)
  expect(await find()).toEqual({ skipped: 'no open pull request has the commit aaaaaaaaaa as its head' })
})

it('finds a fork’s by its branch, and says where it has moved on', async () => {
  github.pulls.push({ ...ours, head: 'mallory:patch-1' })
  expect(await find()).toEqual({ skipped: expect.stringMatching(/no open/) })
  expect(await find({ branch: { owner: 'mallory', name: 'patch-1' } })).toEqual({ number: 7, movedTo: null })
  expect(await find({ branch: { owner: 'mallory', name: 'patch-2' } })).toEqual({
    skipped: expect.stringMatching(/no open/),
  })
  const moved = await find({ sha: 'b'.repeat(40), branch: { owner: 'mallory', name: 'patch-1' } })
  expect(moved).toEqual({ number: 7, movedTo: HEAD })
})

it('chooses none of two of one branch that have both moved on', async () => {
  github.pulls.push({ ...ours, head: 'mallory:patch-1' }, { ...ours, number: 8, head: 'mallory:patch-1' })
  const moved = await find({ sha: 'b'.repeat(40), branch: { owner: 'mallory', name: 'patch-1' } })
  expect(moved).toEqual({ skipped: expect.stringMatching(/no open/) })
})

it('chooses none of two, and says what to do', async () => {
  github.pulls.push(ours, { ...ours, number: 8 })
  expect(await find()).toEqual({
    skipped: '2 open pull requests have the commit aaaaaaaaaa as their head: name one as pr-number',
  })
})

it('takes the number from a merge queue’s branch where that pull request is open', async () => {
  github.pulls.push({ ...ours, sha: 'c'.repeat(40) }, { ...ours, number: 8, state: 'closed' })
  expect(await find({ queued: 7 })).toEqual({ number: 7, movedTo: null })
  expect(await find({ queued: 8 })).toEqual({ skipped: 'the queued pull request 8 is not open any more' })
})

it('finds none of a commit that GitHub does not know', async () => {
  github.outages.push({ path: /commits/, status: 422, message: `No commit found for SHA: ${HEAD}` })
  expect(await find()).toEqual({ skipped: expect.stringMatching(/no open/) })
})

it('looks on every page', async () => {
  for (let number = 1; number <= 130; number += 1) github.pulls.push({ ...ours, number, state: 'closed' })
  github.pulls.push({ ...ours, number: 131 })
  expect(await find()).toEqual({ number: 131, movedTo: null })
})
