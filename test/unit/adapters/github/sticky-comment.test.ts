import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { githubPublisher } from '../../../../src/adapters/github/publisher.ts'
import type { Publisher } from '../../../../src/app/ports/publisher.ts'
import type { CommentText } from '../../../../src/core/report/comment.ts'
import { fakeGithub, WORKFLOW_BOT } from '../../../fakes/github-api.ts'
import type { FakeGithub } from '../../../fakes/github-api.ts'
import { recordingToolkit } from '../../../fakes/toolkit.ts'

const marker = '<!-- capacity-gate:dense-70b: -->'
/** A comment that knows nothing of those before it. */
const plain = (body: string): CommentText => ({
  marker,
  body: () => body,
  isIn: (other) => other.includes(body.slice(0, 100)),
})
const stranger = { login: 'mallory', type: 'User' } as const
let github: FakeGithub

beforeEach(async () => {
  github = await fakeGithub()
})
// Throws for a request that GitHub's description does not allow.
afterEach(() => github[Symbol.asyncDispose]())

function publisher(token = 'workflow-token', url = github.url): Publisher {
  const access = { token, apiUrl: url, toolVersion: '0.0.0', secondMs: 1 }
  const comment = { access, place: { owner: 'acme', repo: 'engine', number: 7, measured: null } }
  return githubPublisher({ toolkit: recordingToolkit(), comment })
}

const routes = () => github.requests.map(({ method, path }) => `${method} ${path.replace('/repos/acme/engine', '')}`)

describe('whose comment it is', () => {
  it('leaves alone what others began with the marker, and a quotation of our own', async () => {
    github.seed(`${marker}\nheld, trust me`, stranger)
    github.seed(`${marker}\nheld, says an app`, { login: 'mallory[bot]', type: 'Bot' })
    github.seed(`${marker}\nheld`, { login: 'github-actions[bot]', type: 'User' })
    github.seed(`> ${marker}\n\nlook at this`, WORKFLOW_BOT)
    await publisher().comment(plain(`${marker}\nregressed`))
    expect(github.comments.map(({ body }) => body.split('\n')[1])).toEqual([
      'held, trust me',
      'held, says an app',
      'held',
      '',
      'regressed',
    ])
  })

  it('finds its own on the third page, and updates the newest of them', async () => {
    for (let index = 0; index < 230; index++) github.seed(`comment ${index}`, stranger)
    const own = github.seed(`${marker}\nold`, WORKFLOW_BOT)
    for (let index = 0; index < 30; index++) github.seed(`comment ${index}`, stranger)
    const posted = await publisher().comment(plain(`${marker}\nnew`))
    expect(own.body).toBe(`${marker}\nnew`)
    expect(posted).toEqual({ url: `https://github.com/acme/engine/pull/7#issuecomment-${own.id}` })
    expect(github.comments).toHaveLength(261)
  })

  it('finds the comment of a person’s token, and of an app’s', async () => {
    github.authors.set('personal', { login: 'alice', type: 'User' })
    github.authors.set('app', { login: 'acme-gate[bot]', type: 'Bot' })
    const [person, app] = [
      github.seed(`${marker}\nold`, { login: 'alice', type: 'User' }),
      github.seed(`${marker}\nold`, { login: 'acme-gate[bot]', type: 'Bot' }),
    ]
    await publisher('personal').comment(plain(`${marker}\nby a person`))
    await publisher('app').comment(plain(`${marker}\nby an app`))
    expect([person.body, app.body]).toEqual([`${marker}\nby a person`, `${marker}\nby an app`])
  })

  it('takes itself for the workflow’s bot where GitHub does not say who it is', async () => {
    github.outages.push({ path: /^\/graphql$/, status: 403, message: 'Resource not accessible by integration' })
    const own = github.seed(`${marker}\nold`, WORKFLOW_BOT)
    github.seed(`${marker}\nheld`, stranger)
    await publisher().comment(plain(`${marker}\nnew`))
    expect(own.body).toBe(`${marker}\nnew`)
    expect(github.comments).toHaveLength(2)
  })
})

describe('two jobs at once', () => {
  it('ends with one comment when both found none', async () => {
    let listed = 0
    let bothListed: () => void = () => {}
    const both = new Promise<void>((resolve) => (bothListed = resolve))
    github.before = async ({ method, path }) => {
      // Nobody creates before both have looked.
      if (method === 'GET' && path.endsWith('/issues/7/comments') && (listed += 1) === 2) bothListed()
      if (method === 'POST' && path.endsWith('/issues/7/comments')) await both
    }
    const posted = await Promise.all([
      publisher().comment(plain(`${marker}\nA`)),
      publisher().comment(plain(`${marker}\nB`)),
    ])
    expect(posted).toEqual([{ url: expect.any(String) }, { url: expect.any(String) }])
    expect(github.comments).toHaveLength(1)
  })

  it('removes an older one of its own that an earlier race left', async () => {
    github.seed(`${marker}\nolder`, WORKFLOW_BOT)
    github.seed(`${marker}\nnewer`, WORKFLOW_BOT)
    await publisher().comment(plain(`${marker}\nnow`))
    expect(github.comments.map(({ body }) => body)).toEqual([`${marker}\nnow`])
  })

  it('makes a new one where its own was deleted after it looked', async () => {
    const own = github.seed(`${marker}\nold`, WORKFLOW_BOT)
    github.before = ({ method }) => {
      if (method === 'PATCH' && github.comments.includes(own)) github.comments.splice(github.comments.indexOf(own), 1)
    }
    await publisher().comment(plain(`${marker}\nnew`))
    expect(github.comments.map(({ body }) => body)).toEqual([`${marker}\nnew`])
  })
})

describe('what GitHub refuses', () => {
  it.each([
    [
      403,
      'Resource not accessible by integration',
      /may not find its own comment: the job needs `pull-requests: read`/,
    ],
    [403, 'Unable to create comment because issue is locked.', /^the conversation is locked \(Unable/],
    [404, 'Not Found', /not found with this token/],
    [401, 'Bad credentials', /does not accept the token/],
    [410, 'Gone', /refused the comment \(Gone/],
  ])('says so: %i', async (status, message, said) => {
    github.outages.push({ path: /comments/, status, message })
    expect(await publisher().comment(plain(`${marker}\nx`))).toEqual({ skipped: expect.stringMatching(said) })
    expect(github.comments).toEqual([])
    expect(routes().filter((route) => route.startsWith('GET'))).toHaveLength(1)
  })

  it('waits out a secondary rate limit that ends soon', async () => {
    github.outages.push({
      method: 'POST',
      path: /comments/,
      status: 403,
      message: 'You have exceeded a secondary rate limit.',
      headers: { 'retry-after': '2' },
      times: 1,
    })
    expect(await publisher().comment(plain(`${marker}\nx`))).toEqual({ url: expect.any(String) })
    expect(github.comments).toHaveLength(1)
  })

  it('does not wait for a limit that lasts', async () => {
    const headers = { 'retry-after': '3600' }
    github.outages.push({
      path: /comments/,
      status: 429,
      message: 'You have exceeded a secondary rate limit.',
      headers,
    })
    const posted = await publisher().comment(plain(`${marker}\nx`))
    expect(posted).toEqual({ skipped: expect.stringMatching(/rate limit was reached/) })
  })

  it('tries again when GitHub itself fails, and gives up after the third time', async () => {
    github.outages.push({ method: 'GET', path: /comments/, status: 502, message: 'Server Error', times: 2 })
    expect(await publisher().comment(plain(`${marker}\nx`))).toEqual({ url: expect.any(String) })
    github.outages.push({ path: /comments/, status: 503, message: 'down' })
    expect(await publisher().comment(plain(`${marker}\nx`))).toEqual({
      skipped: expect.stringMatching(/failed \(down/),
    })
  })

  it('does not hang on a server that is not there', async () => {
    const posted = await publisher('workflow-token', 'http://127.0.0.1:9').comment(plain(`${marker}\nx`))
    expect(posted).toEqual({ skipped: expect.stringMatching(/could not be reached/) })
  })
})

it('cuts a body that GitHub would refuse, and says so', async () => {
  await publisher().comment(plain(`${marker}\n${'x'.repeat(70_000)}`))
  expect(github.comments[0]?.body).toHaveLength(65_536)
  expect(github.comments[0]?.body).toMatch(/did not fit here/)
})

it('writes nothing where there is no pull request', async () => {
  const none = githubPublisher({ toolkit: recordingToolkit(), comment: { skipped: 'the event push names none' } })
  expect(await none.comment(plain('x'))).toEqual({ skipped: 'the event push names none' })
})
