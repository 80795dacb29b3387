import { createServer, request as forward } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { fakeGithub } from '../../fakes/github-api.ts'
import type { FakeGithub } from '../../fakes/github-api.ts'
import { boots, GUARD, heldCandidate, record, result } from '../../unit/gate/record-fixture.ts'
import { actionFile } from '../../unit/entry/action-desk.ts'
import { builtAction } from './built-action.ts'

const action = builtAction()
const dropped = record([
  result('confirm', boots('cold', GUARD.cold, 'fail', 'fail')),
  result('confirm', boots('warm', GUARD.warm, 'pass')),
])
const payload = {
  pull_request: {
    number: 7,
    head: { sha: 'a'.repeat(40), repo: { full_name: 'acme/engine' } },
    base: { sha: 'b'.repeat(40) },
  },
}
const event = (apiUrl: string, env: Record<string, string> = {}) => ({
  name: 'pull_request',
  payload,
  repository: 'acme/engine',
  apiUrl,
  env,
})

describe.concurrent('a comment that cannot be written changes nothing about the verdict', () => {
  const headers = { 'retry-after': '3600' }
  it.for<[string, FakeGithub['outages'][number] | null, string]>([
    [
      'a read-only token',
      { method: 'POST', path: /comments/, status: 403, message: 'Resource not accessible by integration' },
      'may not write the comment: the job needs \\`pull-requests: write\\`',
    ],
    [
      'a token that may not even read',
      { method: 'GET', status: 403, message: 'Resource not accessible by integration' },
      'the job needs \\`pull-requests: read\\`',
    ],
    [
      'a token that ended while the run went on',
      { status: 401, message: 'Bad credentials' },
      'a job’s own token ends after 24 hours at most',
    ],
    [
      'a limit that lasts',
      { path: /comments/, status: 403, message: 'You have exceeded a secondary rate limit.', headers },
      'rate limit was reached',
    ],
    [
      'the hour’s last request',
      {
        path: /comments/,
        status: 403,
        message: 'API rate limit exceeded for installation.',
        headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(4_000_000_000) },
      },
      'rate limit was reached',
    ],
    [
      'a locked conversation',
      { method: 'POST', path: /comments/, status: 422, message: 'Validation Failed' },
      'GitHub refused the comment',
    ],
    ['no such pull request', { path: /comments/, status: 404, message: 'Not Found' }, 'was not found with this token'],
    [
      'an outage',
      { path: /comments/, status: 503, message: 'No server is available' },
      'could not be reached or failed',
    ],
    ['no server at all', null, 'could not be reached or failed'],
  ])('%s', async ([, outage, why]) => {
    await using github = await fakeGithub()
    if (outage !== null) github.outages.push(outage)
    const ended = await action.step(action.gating(dropped), event(outage === null ? 'http://127.0.0.1:9' : github.url))
    expect(ended.code).toBe(2)
    expect(Object.keys(ended.outputs)).toEqual(Object.keys(actionFile.outputs))
    expect(ended.outputs).toMatchObject({ verdict: 'regressed', 'comment-url': '' })
    expect(ended.summary).toContain('Capacity regressed')
    expect(ended.summary.match(/^_No comment was written: .*$/gm)).toEqual([expect.stringContaining(why)])
    expect(ended.log).toMatch(/^::error title=Capacity regressed \(cold\),file=[^,]+,line=\d+,col=\d+::/m)
    expect(github.comments).toEqual([])
  })
})

/** A proxy that passes on what it is asked for, by a tunnel or by a whole address, and notes where to. */
async function proxy(): Promise<{ url: string; asked: string[] } & AsyncDisposable> {
  const asked: string[] = []
  const server = createServer((incoming, response) => {
    const { host, href } = new URL(incoming.url ?? '')
    asked.push(host)
    const { method = 'GET', headers } = incoming
    const onward = forward(href, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    incoming.pipe(onward)
  })
  server.on('connect', (request, socket, head) => {
    asked.push(request.url ?? '')
    const { hostname, port } = new URL(`http://${request.url}`)
    const upstream = connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      upstream.write(head)
      socket.pipe(upstream).pipe(socket)
    })
    upstream.on('error', () => socket.destroy())
    socket.on('error', () => upstream.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

describe.concurrent('a runner’s proxy', () => {
  it('is used, and only it reaches GitHub', async () => {
    await using github = await fakeGithub()
    await using between = await proxy()
    const host = new URL(github.url).host
    const ended = await action.step(action.gating(heldCandidate()), event(github.url, { HTTP_PROXY: between.url }))
    expect([ended.code, github.comments.length]).toEqual([0, 1])
    expect(new Set(between.asked)).toEqual(new Set([host]))
  })

  it('is left out for what NO_PROXY names', async () => {
    await using github = await fakeGithub()
    await using between = await proxy()
    const env = { HTTP_PROXY: between.url, NO_PROXY: '127.0.0.1' }
    await action.step(action.gating(heldCandidate()), event(github.url, env))
    expect([github.comments.length, between.asked]).toEqual([1, []])
  })

  it('that is down costs the comment alone', async () => {
    await using github = await fakeGithub()
    const ended = await action.step(
      action.gating(heldCandidate()),
      event(github.url, { HTTP_PROXY: 'http://127.0.0.1:9' }),
    )
    expect([ended.code, ended.outputs['verdict'], github.comments.length]).toEqual([0, 'held', 0])
    expect(ended.summary).toContain('No comment was written')
  })
})
