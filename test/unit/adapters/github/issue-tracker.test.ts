import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DRIFT_LABEL, githubIssueTracker } from '../../../../src/adapters/github/issue-tracker.ts'
import { settleDrifts } from '../../../../src/app/settle-drifts.ts'
import { trendsOf } from '../../../../src/core/history/trend.ts'
import type { Author, FakeGithub } from '../../../fakes/github-api.ts'
import { fakeGithub, WORKFLOW_BOT } from '../../../fakes/github-api.ts'
import type { FakeIssue } from '../../../fakes/github-issues.ts'
import { historyPoint, nights, wavering } from '../../history/point-fixture.ts'

const trends = trendsOf(nights([...wavering(20), ...wavering(6, 22_000)]))
const stranger: Author = { login: 'mallory', type: 'User' }
let github: FakeGithub

beforeEach(async () => {
  github = await fakeGithub()
})
// Throws for a request that GitHub's description does not allow.
afterEach(() => github[Symbol.asyncDispose]())

async function settle(token = 'workflow-token', url = github.url, of = trends) {
  const access = { token, apiUrl: url, toolVersion: '0.0.0', secondMs: 1 }
  await using tracker = githubIssueTracker({ access, place: { owner: 'acme', repo: 'engine' } })
  const { drifts, refused } = await settleDrifts(tracker, of, async () => of)
  return { actions: drifts.map(({ action, issue }) => [action, issue?.number ?? null]), refused }
}

function seed(over: Partial<FakeIssue>): FakeIssue {
  const number = github.issues.length + 1
  const issue: FakeIssue = {
    number,
    title: 'an issue',
    body: '',
    user: WORKFLOW_BOT,
    labels: [DRIFT_LABEL],
    state: 'open',
    stateReason: null,
    closedAt: null,
    ...over,
  }
  github.issues.push(issue)
  return issue
}

/** The body that an issue of this drift has. */
async function ownBody(): Promise<string> {
  await settle()
  return github.issues.splice(0)[0]?.body ?? ''
}

describe('whose issue it is', () => {
  it('has a label by which it is found, and leaves alone what others began with the marker', async () => {
    const body = await ownBody()
    const others: Partial<FakeIssue>[] = [
      { user: stranger },
      { user: { login: 'mallory[bot]', type: 'Bot' } },
      { user: { ...WORKFLOW_BOT, type: 'User' } },
      { body: `> ${body}` },
      { isPull: true },
    ]
    for (const over of others) seed({ body, ...over })
    expect(await settle()).toEqual({ actions: [['open', 6]], refused: null })
    expect(github.issues.slice(0, 5).map((issue) => issue.title)).toEqual(Array(5).fill('an issue'))
    expect(github.issues[5]).toMatchObject({ labels: [DRIFT_LABEL], user: WORKFLOW_BOT, state: 'open' })
    expect(await settle()).toEqual({ actions: [['keep', 6]], refused: null })
  })

  it('finds its own on the third page', async () => {
    const body = await ownBody()
    const own = seed({ body })
    for (let index = 0; index < 230; index += 1) seed({ user: stranger })
    expect(await settle()).toEqual({ actions: [['keep', own.number]], refused: null })
  })

  it('finds an open one of its own whose label was taken off or dropped', async () => {
    const own = seed({ body: await ownBody(), labels: [] })
    expect((await settle()).actions).toEqual([['keep', own.number]])
  })

  it('goes by the label alone where GitHub does not know its login', async () => {
    const own = seed({ body: await ownBody() })
    github.before = ({ query }) => {
      if (query.has('creator')) github.outages.push({ status: 422, message: 'Validation Failed', times: 1 })
    }
    expect(await settle()).toEqual({ actions: [['keep', own.number]], refused: null })
  })

  it('opens one a night at most where neither way finds it, and says why', async () => {
    github.authors.set('odd', { login: 'odd', type: 'User' })
    github.before = ({ method, path }) => {
      if (method === 'GET' && path.endsWith('/issues')) for (const issue of github.issues) issue.user = stranger
    }
    const { refused } = await settle('odd')
    expect(refused).toMatch(/not found again/)
    expect(github.issues).toHaveLength(1)
  })

  it('works with an app’s token and a person’s, and on an Enterprise Server', async () => {
    github.authors.set('app', { login: 'acme-gate[bot]', type: 'Bot' })
    expect((await settle('app')).actions).toEqual([['open', 1]])
    expect((await settle('app')).actions).toEqual([['keep', 1]])
    await using enterprise = await fakeGithub({ prefix: '/api/v3' })
    expect((await settle('workflow-token', enterprise.url)).actions).toEqual([['open', 1]])
  })
})

describe('two jobs at once', () => {
  it('end with one open issue where both found none', { timeout: 60_000 }, async () => {
    let looks = 0
    let bothLooked: () => void = () => {}
    const both = new Promise<void>((resolve) => (bothLooked = resolve))
    github.before = async ({ method, path, query }) => {
      // Nobody opens one before both have looked.
      if (query.has('creator') && (looks += 1) === 2) bothLooked()
      if (method === 'POST' && path.endsWith('/issues')) await both
    }
    await Promise.all([settle(), settle()])
    expect(github.issues.filter(({ state }) => state === 'open')).toHaveLength(1)
    const [first, ...others] = github.issues.toSorted((one, other) => one.number - other.number)
    expect(first?.state).toBe('open')
    for (const other of others) {
      expect(other).toMatchObject({ state: 'closed', stateReason: 'not_planned' })
      expect(other.body).toContain('told in #1')
    }
  })

  it('keep one where GitHub took a call and failed to answer', async () => {
    github.before = ({ method }) => {
      if (method !== 'POST' || github.issues.length > 0) return
      // The first call is carried out, and answered with a failure: it is made again.
      seed({ body: `<!-- capacity-gate-drift:${trends[0]!.key}:${'0'.repeat(16)} -->` })
      github.outages.push({ method: 'POST', path: /issues$/, status: 502, message: 'Server Error', times: 1 })
    }
    expect((await settle()).refused).toBeNull()
    expect(github.issues.filter(({ state }) => state === 'open').map(({ number }) => number)).toEqual([1])
  })
})

describe('what GitHub refuses', () => {
  it.each([
    [
      403,
      'Resource not accessible by integration',
      /may not find its own issues of drifts: the job needs `issues: read`/,
    ],
    [404, 'Not Found', /the repository was not found with this token/],
    [401, 'Bad credentials', /does not accept the token.*command: history/],
    [429, 'You have exceeded a secondary rate limit.', /rate limit was reached/],
    [500, 'down', /failed \(down/],
  ])('is said in a line: %i', async (status, message, said) => {
    const headers: Record<string, string> = status === 429 ? { 'retry-after': '3600' } : {}
    github.outages.push({ path: /issues/, status, message, headers })
    expect(await settle()).toEqual({ actions: [[null, null]], refused: expect.stringMatching(said) })
  })

  it('names the permission to write where only that is missing', async () => {
    github.outages.push({
      method: 'POST',
      path: /issues/,
      status: 403,
      message: 'Resource not accessible by integration',
    })
    expect((await settle()).refused).toMatch(/may not open the issue of a drift: the job needs `issues: write`/)
  })

  it('says how to switch issues on', async () => {
    github.outages.push({ method: 'POST', path: /issues/, status: 410, message: 'Issues are disabled for this repo' })
    expect((await settle()).refused).toMatch(/has no issues.*drift-issues: never/)
  })

  it('is waited for where it ends soon', async () => {
    const headers = { 'retry-after': '2' }
    const message = 'You have exceeded a secondary rate limit.'
    github.outages.push({ method: 'POST', path: /issues/, status: 403, message, headers, times: 1 })
    expect(await settle()).toEqual({ actions: [['open', 1]], refused: null })
  })
})

it('stays within a title’s and a body’s limits for the longest names there are', async () => {
  const long = '@org/team | <b> #1 '.repeat(20).slice(0, 200)
  const points = nights([...wavering(20), ...wavering(6, 22_000)]).map((point) => ({
    ...point,
    series: long,
    machine: '|'.repeat(400),
    subject: { ...historyPoint().subject, version: long },
  }))
  expect((await settle('workflow-token', github.url, trendsOf(points))).actions).toEqual([['open', 1]])
  expect(github.issues[0]?.body).not.toMatch(/@org|<b>/)
})
