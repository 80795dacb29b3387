import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { readActionInputs } from '../../../src/entry/action-inputs.ts'
import { eventFacts } from '../../../src/entry/event-facts.ts'
import { workflowAcceptance } from '../../../src/entry/promotion-right.ts'
import { actionFile, HEAD } from './action-desk.ts'

const opened: AsyncDisposable[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one[Symbol.asyncDispose]()))
})

function inputsOf(given: Record<string, string> = {}) {
  return readActionInputs((name) => given[name] ?? actionFile.inputs[name]?.default ?? '')
}

interface Job {
  name: string
  ref?: string
  event?: unknown
  apiUrl?: string
}

const OWN = { repository: { default_branch: 'main' } }

function job({ name, ref = 'refs/heads/main', event = OWN, apiUrl = 'http://127.0.0.1:9' }: Job) {
  const env = { GITHUB_REF: ref, GITHUB_RUN_ID: '17', GITHUB_TRIGGERING_ACTOR: 'ada' }
  const context = {
    eventName: name,
    ref,
    payload: event,
    repo: { owner: 'acme', repo: 'engine' },
    sha: HEAD,
    apiUrl,
    serverUrl: 'https://github.com',
    runId: 17,
  } as unknown as Parameters<typeof eventFacts>[0]
  return { env, facts: eventFacts(context) }
}

const after = (over: object = {}) => ({
  ...OWN,
  workflow_run: {
    event: 'push',
    head_sha: HEAD,
    head_branch: 'main',
    head_repository: { full_name: 'Acme/engine' },
    ...over,
  },
})

describe('the right to accept a baseline', () => {
  it.each<[Job]>([
    [{ name: 'push' }],
    [{ name: 'workflow_dispatch' }],
    [{ name: 'repository_dispatch' }],
    [{ name: 'schedule', event: {} }],
    [{ name: 'workflow_run', event: after() }],
    [{ name: 'push', ref: 'refs/heads/release/v2', event: { repository: { default_branch: 'release/v2' } } }],
  ])('is the default branch’s: %j', async (one) => {
    expect(await workflowAcceptance(job(one), inputsOf())).toMatchObject({
      authority: 'default_branch',
      acceptedBy: 'ada',
      approvedBy: [],
      run: 'https://github.com/acme/engine/actions/runs/17',
      reason: expect.stringContaining(HEAD),
    })
  })

  it.each<[Job]>([
    [{ name: 'pull_request', ref: 'refs/pull/7/merge' }],
    [{ name: 'pull_request' }],
    [{ name: 'pull_request_target' }],
    [{ name: 'issue_comment' }],
    [{ name: 'merge_group', ref: 'refs/heads/gh-readonly-queue/main/pr-7' }],
    [{ name: 'push', ref: 'refs/heads/feature' }],
    [{ name: 'push', ref: 'refs/tags/main' }],
    [{ name: 'push', ref: 'main' }],
    [{ name: 'push', event: {} }],
    [{ name: 'push', event: 'no mapping' }],
    [{ name: 'push', event: [] }],
    [{ name: 'release', ref: 'refs/tags/v1' }],
    [{ name: 'schedule', ref: 'refs/tags/v1' }],
    [{ name: 'workflow_run', event: after({ event: 'pull_request' }) }],
    [{ name: 'workflow_run', event: after({ head_repository: { full_name: 'mallory/engine' } }) }],
    [{ name: 'workflow_run', event: after({ head_repository: null }) }],
    [{ name: 'workflow_run', event: after({ head_branch: 'feature' }) }],
    [{ name: 'workflow_run' }],
  ])('is not that of %j', async (one) => {
    await expect(workflowAcceptance(job(one), inputsOf())).rejects.toMatchObject({
      code: 'promotion_not_allowed',
      exitCode: 4,
      hint: expect.stringContaining('promote-environment'),
    })
  })

  it('keeps the reason that is given', async () => {
    const given = inputsOf({ 'promote-reason': ' vLLM 0.33, reviewed in #41 ' })
    expect((await workflowAcceptance(job({ name: 'push' }), given)).reason).toBe('vLLM 0.33, reviewed in #41')
  })
})

describe('an environment', () => {
  async function github(status: number, body: unknown): Promise<{ apiUrl: string; asked: string[] }> {
    const asked: string[] = []
    const http = createServer((request, response) => {
      asked.push(`${request.method} ${request.url} ${request.headers.authorization}`)
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
    opened.push({
      async [Symbol.asyncDispose]() {
        http.closeAllConnections()
        await new Promise((resolve) => http.close(resolve))
      },
    })
    return { apiUrl: `http://127.0.0.1:${(http.address() as AddressInfo).port}`, asked }
  }
  const review = (state: string, login: string, ...environments: string[]) => ({
    state,
    comment: '',
    user: { login },
    environments: environments.map((name) => ({ name })),
  })
  const release = { name: 'release', ref: 'refs/tags/v1' }
  const inputs = inputsOf({ 'promote-environment': 'capacity', 'github-token': 'ghs_1' })

  it('that reviewers approved in this run gives the right, with their names', async () => {
    const reviews = [review('approved', 'eve', 'staging', 'capacity'), review('approved', 'eve', 'capacity')]
    const { apiUrl, asked } = await github(200, [...reviews, review('approved', 'dan', 'staging')])
    const accepted = await workflowAcceptance(job({ ...release, apiUrl }), inputs)
    expect(accepted).toMatchObject({ authority: 'environment', place: 'capacity', approvedBy: ['eve'] })
    expect(asked).toEqual(['GET /repos/acme/engine/actions/runs/17/approvals token ghs_1'])
  })

  it.each([
    ['nobody reviewed', []],
    ['was rejected', [review('rejected', 'eve', 'capacity')]],
    ['is not the one that was approved', [review('approved', 'eve', 'staging')]],
  ])('that %s gives none, on the default branch neither', async (_, reviews) => {
    const { apiUrl } = await github(200, reviews)
    for (const one of [release, { name: 'push' }]) {
      await expect(workflowAcceptance(job({ ...one, apiUrl }), inputs)).rejects.toMatchObject({
        code: 'promotion_not_allowed',
        exitCode: 4,
      })
    }
  })

  it('whose reviews may not be read names the permission', async () => {
    const { apiUrl } = await github(403, { message: 'Resource not accessible by integration' })
    await expect(workflowAcceptance(job({ ...release, apiUrl }), inputs)).rejects.toMatchObject({
      code: 'approvals_unreadable',
      exitCode: 1,
      message: expect.stringContaining('HTTP 403'),
      hint: expect.stringContaining('actions: read'),
    })
  })
})
