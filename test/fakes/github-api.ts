import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { GithubRequest } from './github-openapi.ts'
import { callOf } from '../../src/adapters/github/calls-table.ts'
import { githubDescription } from './github-openapi.ts'
import type { FakeIssue } from './github-issues.ts'
import { issuesAnswer } from './github-issues.ts'
import type { FakePull } from './github-pulls.ts'
import { pullsAnswer } from './github-pulls.ts'
import type { FakeRun } from './github-runs.ts'
import { runsAnswer } from './github-runs.ts'

export interface Author {
  login: string
  type: 'Bot' | 'User'
}

interface Comment {
  id: number
  body: string
  user: Author
}

/** An answer in place of the right one. */
interface Outage {
  method?: string
  path?: RegExp
  status: number
  message: string
  headers?: Record<string, string>
  /** How often; for ever by default. */
  times?: number
}

export interface FakeGithub extends AsyncDisposable {
  readonly url: string
  /** The comments of the one pull request that can be commented on, as they stand. */
  readonly comments: Comment[]
  /** What is known of pull requests; none at first. */
  readonly pulls: FakePull[]
  /** What is known of workflow runs; none at first. */
  readonly runs: FakeRun[]
  /** Issues, as they stand; none at first. */
  readonly issues: FakeIssue[]
  readonly requests: GithubRequest[]
  /** Requests and own answers that GitHub's description does not allow. Disposing throws where there are any. */
  readonly faults: string[]
  readonly outages: Outage[]
  /** Whom a token writes as. */
  readonly authors: Map<string, Author>
  seed(body: string, user: Author): Comment
  /** Called before each request is answered: for tests of two posters at once. */
  before: (request: GithubRequest) => Promise<void> | void
}

export const WORKFLOW_BOT: Author = { login: 'github-actions[bot]', type: 'Bot' }

interface Place {
  repository: string
  /** Of the pull request that has comments. */
  number: number
  /** What stands before every path, as an Enterprise Server has it. */
  prefix: string
}

/** GitHub's comments on a loopback port; each request and each answer is held to GitHub's own description of its API. */
export async function fakeGithub(where: Partial<Place> = {}): Promise<FakeGithub> {
  const place: Place = { repository: 'acme/engine', number: 7, prefix: '', ...where }
  const description = githubDescription()
  const comments: Comment[] = []
  let nextId = 1000
  const seed = (body: string, user: Author) => {
    const comment = { id: (nextId += 7), body, user }
    comments.push(comment)
    return comment
  }
  const server = createServer((incoming, response) => void serve(incoming, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${place.prefix}`
  const fake: FakeGithub = {
    url,
    comments,
    pulls: [],
    runs: [],
    issues: [],
    requests: [],
    faults: [],
    outages: [],
    authors: new Map([['workflow-token', WORKFLOW_BOT]]),
    seed,
    before() {},
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      if (fake.faults.length > 0) throw new Error(`GitHub does not describe that: ${fake.faults.join('; ')}`)
    },
  }

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await read(incoming, place)
    const isGraphql = request.path === '/graphql'
    if (!isGraphql) fake.faults.push(...description.requestFaults(request))
    if (callOf(request.method, request.path) === null) fake.faults.push(`the table of calls lacks ${request.path}`)
    fake.requests.push(request)
    await fake.before(request)
    const answer = outageFor(fake, request) ?? answerTo(fake, place, request, incoming)
    // The description leaves out errors that GitHub really answers with.
    if (!isGraphql && answer.status < 400)
      fake.faults.push(...description.answerFaults(request, answer.status, answer.body))
    const body = answer.body === undefined ? '' : JSON.stringify(answer.body)
    const type = body === '' ? {} : { 'content-type': 'application/json; charset=utf-8' }
    response.writeHead(answer.status, { ...type, ...answer.headers }).end(body)
  }
  return fake
}

interface Answer {
  status: number
  body?: unknown
  headers?: Record<string, string>
}

async function read(incoming: IncomingMessage, { prefix }: Place): Promise<GithubRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://fake')
  const text = Buffer.concat(chunks).toString()
  const body: unknown = text === '' ? undefined : JSON.parse(text)
  return { method: incoming.method ?? '', path: bare(pathname, prefix), query: searchParams, body }
}

/** An Enterprise Server answers GraphQL beside its REST routes: `/api/graphql`. */
function bare(path: string, prefix: string): string {
  if (prefix !== '' && path === `${prefix.replace(/\/v3$/, '')}/graphql`) return '/graphql'
  return path.startsWith(prefix) ? path.slice(prefix.length) : path
}

function outageFor(fake: FakeGithub, { method, path }: GithubRequest): Answer | null {
  const outage = fake.outages.find(
    (item) => (item.times ?? 1) > 0 && (item.method ?? method) === method && (item.path?.test(path) ?? true),
  )
  if (!outage) return null
  if (outage.times !== undefined) outage.times -= 1
  const body = { message: outage.message, documentation_url: 'https://docs.github.com/rest' }
  return { status: outage.status, body, headers: outage.headers ?? {} }
}

function answerTo(fake: FakeGithub, place: Place, request: GithubRequest, incoming: IncomingMessage): Answer {
  const author = fake.authors.get((incoming.headers.authorization ?? '').replace(/^(token|bearer) /i, ''))
  if (!author) return { status: 401, body: { message: 'Bad credentials' } }
  if (request.path === '/graphql') return { status: 200, body: { data: { viewer: { login: author.login } } } }
  const root = `/repos/${place.repository}`
  if (!request.path.startsWith(`${root}/`)) return { status: 404, body: { message: 'Not Found' } }
  const path = request.path.slice(root.length)
  const issues = issuesAnswer(fake.issues, fake.url, path, request, author)
  if (issues !== null) return 'list' in issues ? page(fake, request, issues.list) : issues
  const run = runsAnswer(fake.runs, path)
  if (run !== null) return { status: 200, body: run }
  const one = /^\/issues\/comments\/(\d+)$/.exec(path)
  if (one) return changeOne(fake, request, Number(one[1]))
  if (path !== `/issues/${place.number}/comments`) {
    const pulls = pullsAnswer(fake.pulls, place.repository, path, request.query)
    if (pulls === null) return { status: 404, body: { message: 'Not Found' } }
    return Array.isArray(pulls) ? page(fake, request, pulls) : { status: 200, body: pulls }
  }
  if (request.method === 'GET')
    return page(
      fake,
      request,
      fake.comments.map((comment) => shown(fake, comment)),
    )
  const { body } = request.body as { body: string }
  if (body.length > 65_536) return { status: 422, body: { message: 'Validation Failed' } }
  return { status: 201, body: shown(fake, fake.seed(body, author)) }
}

function changeOne(fake: FakeGithub, request: GithubRequest, id: number): Answer {
  const index = fake.comments.findIndex((comment) => comment.id === id)
  const comment = fake.comments[index]
  if (!comment) return { status: 404, body: { message: 'Not Found' } }
  if (request.method === 'DELETE') {
    fake.comments.splice(index, 1)
    return { status: 204 }
  }
  if (request.method === 'PATCH') comment.body = (request.body as { body: string }).body
  return { status: 200, body: shown(fake, comment) }
}

/** A page of a list, with the link to the next. */
function page(fake: FakeGithub, { path, query }: GithubRequest, all: readonly unknown[]): Answer {
  const size = Math.min(100, Number(query.get('per_page') ?? 30))
  const number = Number(query.get('page') ?? 1)
  const body = all.slice((number - 1) * size, number * size)
  const link = `<${fake.url}${path}?per_page=${size}&page=${number + 1}>; rel="next"`
  return { status: 200, body, headers: number * size >= all.length ? {} : { link } }
}

function shown(fake: FakeGithub, { id, body, user }: Comment): unknown {
  const at = '2026-01-01T00:00:00Z'
  const self = `${fake.url}/repos/acme/engine/issues/comments/${id}`
  return {
    id,
    node_id: `IC_${id}`,
    url: self,
    html_url: `https://github.com/acme/engine/pull/7#issuecomment-${id}`,
    body,
    user: personOf(user, fake.url),
    created_at: at,
    updated_at: at,
    issue_url: `${fake.url}/repos/acme/engine/issues/7`,
    author_association: 'NONE',
  }
}

function personOf({ login, type }: Author, url: string): unknown {
  const routes = ['followers', 'following', 'gists', 'starred', 'subscriptions', 'organizations', 'repos', 'events']
  return {
    login,
    id: 41_898_282,
    node_id: 'MDQ6VXNlcg==',
    type,
    site_admin: false,
    gravatar_id: '',
    avatar_url: 'https://avatars.githubusercontent.com/in/15368',
    url: `${url}/users/x`,
    html_url: 'https://github.com/x',
    received_events_url: `${url}/users/x/received_events`,
    ...Object.fromEntries(routes.map((name) => [`${name}_url`, `${url}/users/x/${name}`])),
  }
}
