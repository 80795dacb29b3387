import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { approvalOf, sourceRun } from '../../../src/entry/sign-off-right.ts'
import type { SignOffInputs } from '../../../src/entry/action-inputs.ts'
import { HEAD, pullRequest } from './action-desk.ts'

const opened: AsyncDisposable[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one[Symbol.asyncDispose]()))
})

/** A GitHub that answers everything alike, and tells what it was asked. */
async function github(status: number, body: unknown) {
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
  const apiUrl = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  return { desk: { env: { GITHUB_RUN_ID: '17' }, facts: { ...pullRequest, apiUrl } }, asked }
}

function inputs(over: Partial<SignOffInputs>) {
  const signOff = {
    policy: '',
    subject: '',
    evidence: '',
    environment: '',
    run: null,
    check: '',
    allowSimulated: false,
  }
  return { signOff: { ...signOff, ...over }, token: 'ghs_1' }
}

describe('an approval', () => {
  const review = (state: string, name: string) => ({
    state,
    comment: '',
    user: { login: 'eve' },
    environments: [{ name }],
  })

  it('is that of this very run, with its names', async () => {
    const { desk, asked } = await github(200, [review('approved', 'release')])
    expect(await approvalOf(desk, inputs({ environment: 'release' }))).toEqual({ environment: 'release', by: ['eve'] })
    expect(asked).toEqual(['GET /repos/acme/engine/actions/runs/17/approvals token ghs_1'])
  })

  it.each([[[]], [[review('rejected', 'release')]], [[review('approved', 'staging')]]])(
    'is missing, and nothing signed off: %j',
    async (reviews) => {
      const { desk } = await github(200, reviews)
      await expect(approvalOf(desk, inputs({ environment: 'release' }))).rejects.toMatchObject({
        code: 'sign_off_not_approved',
        exitCode: 4,
      })
    },
  )

  it('is not asked for where no environment is named', async () => {
    const { desk, asked } = await github(500, {})
    expect([await approvalOf(desk, inputs({})), asked]).toEqual([null, []])
  })
})

describe('the run that packs were taken from', () => {
  const run = (over: object = {}) => ({
    html_url: 'https://github.com/acme/engine/actions/runs/12',
    event: 'push',
    head_branch: 'main',
    head_sha: HEAD,
    head_repository: { full_name: 'Acme/engine' },
    ...over,
  })

  it.each(['push', 'schedule', 'workflow_dispatch', 'repository_dispatch', 'release', 'merge_group'])(
    'is the repository’s own for %s',
    async (event) => {
      const { desk, asked } = await github(200, run({ event }))
      expect(await sourceRun(desk, inputs({ run: 12 }))).toEqual({
        url: 'https://github.com/acme/engine/actions/runs/12',
        event,
        branch: 'main',
        commit: HEAD,
      })
      expect(asked).toEqual(['GET /repos/acme/engine/actions/runs/12 token ghs_1'])
    },
  )

  it.each([
    ['a fork', { head_repository: { full_name: 'mallory/engine' } }],
    ['a fork that was deleted', { head_repository: null }],
    ['a pull request', { event: 'pull_request' }],
    ['a pull request by pull_request_target', { event: 'pull_request_target' }],
    ['another workflow, which may have followed a pull request', { event: 'workflow_run' }],
  ])('is refused where it ran for %s', async (_, over) => {
    const { desk } = await github(200, run(over))
    await expect(sourceRun(desk, inputs({ run: 12 }))).rejects.toMatchObject({
      code: 'sign_off_run_foreign',
      exitCode: 4,
    })
  })

  it('that may not be read names the permission', async () => {
    const { desk } = await github(403, { message: 'Resource not accessible by integration' })
    await expect(sourceRun(desk, inputs({ run: 12 }))).rejects.toMatchObject({
      code: 'run_unreadable',
      message: expect.stringContaining('HTTP 403'),
      hint: expect.stringContaining('actions: read'),
    })
  })

  it('is not asked for where none is named', async () => {
    const { desk, asked } = await github(500, {})
    expect([await sourceRun(desk, inputs({})), asked]).toEqual([null, []])
  })
})
