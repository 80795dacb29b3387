import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStore } from '../../src/adapters/store/open-store.ts'
import { fakeGithub } from '../fakes/github-api.ts'
import type { FakeGithub } from '../fakes/github-api.ts'
import type { GitServer } from '../fakes/git-server.ts'
import { gitServer } from '../fakes/git-server.ts'
import type { OwnGate } from '../fakes/fork-pack.ts'
import { measuredPack, ownGate, writePack } from '../fakes/fork-pack.ts'
import { promotion } from '../fakes/promotion.ts'
import { manifestText } from '../virtual/virtual-manifest.ts'
import type { Front } from './act.ts'
import { frontOf, parsedManifest, runWorkflow, uploaded } from './act.ts'

const HEAD = 'd'.repeat(40)
const FORK = { full_name: 'mallory/fork', owner: { login: 'mallory' } }
const REPOSITORY = { id: 5, name: 'engine', full_name: 'acme/engine', owner: { login: 'acme' }, default_branch: 'main' }

let own: OwnGate
let git: GitServer
let github: FakeGithub
let front: Front
let compared: object[] = []
/** What the fork's commit has for a manifest. */
let proposed = ''

beforeAll(async () => {
  own = await ownGate()
  git = await gitServer()
  github = await fakeGithub()
  github.pulls.push({ number: 7, state: 'open', sha: HEAD, head: 'mallory:patch-1' })
  front = await frontOf(github.url, (path) => {
    if (path.includes('/compare/')) return JSON.stringify({ files: compared })
    return path.includes('/contents/workload-manifest.yaml?ref=' + HEAD) ? proposed : null
  })
  const store = await openStore('branch:capacity-baselines', {
    env: process.env,
    remote: async () => ({ url: git.url, token: null }),
  })
  await store.accept(own.baseline, () => promotion({ anchor: false }))
})
afterAll(async () => {
  await front[Symbol.asyncDispose]()
  await github[Symbol.asyncDispose]()
  await git[Symbol.asyncDispose]()
})

const run = (example: string, event: string, payload: object, artifacts: string) =>
  runWorkflow({
    example,
    event,
    payload,
    files: { 'workload-manifest.yaml': manifestText(own.manifest) },
    apiUrl: front.url,
    serverUrl: new URL(git.url).origin,
    artifacts,
  })

const artifactsFolder = () => mkdtempSync(join(tmpdir(), 'artifacts-'))

describe('2-fork-comment.yml', () => {
  const payload = {
    action: 'completed',
    repository: REPOSITORY,
    workflow_run: {
      id: 99,
      run_attempt: 1,
      event: 'pull_request_target',
      conclusion: 'success',
      head_sha: 'c'.repeat(40),
      head_commit: { id: HEAD },
      head_branch: 'patch-1',
      head_repository: FORK,
      pull_requests: [],
    },
  }

  it('comments the verdict of the artifact, as this repository finds it', async () => {
    const artifacts = artifactsFolder()
    writePack(join(artifacts, 'capacity-99-1'), await measuredPack(own))
    const ended = await run('2-fork-comment.yml', 'workflow_run', payload, artifacts)
    expect([ended.code, ended.jobs]).toEqual([0, { Comment: 'succeeded' }])
    expect(github.comments.map(({ body }) => body.split('\n')[1])).toEqual(['## ✅ Capacity held: no action needed'])
    expect(github.comments[0]?.body).toContain('> Measured for a fork, whose author chose what ran.')
  })

  it('says that there is no verdict where the artifact is none', async () => {
    const artifacts = artifactsFolder()
    writePack(join(artifacts, 'capacity-99-1'), new Map([['capacity.json', Buffer.from('{"gateId":"payments"}')]]))
    const ended = await run('2-fork-comment.yml', 'workflow_run', payload, artifacts)
    expect([ended.code, ended.jobs]).toEqual([1, { Comment: 'failed' }])
    expect(github.comments.map(({ body }) => body.split('\n')[1])).toEqual(['## ❌ No verdict on this commit'])
  })

  it('says nothing where nothing was measured', async () => {
    const before = github.comments.map(({ body }) => body)
    const ended = await run('2-fork-comment.yml', 'workflow_run', payload, artifactsFolder())
    expect([ended.code, ended.jobs]).toEqual([0, { Comment: 'succeeded' }])
    expect(github.comments.map(({ body }) => body)).toEqual(before)
  })
})

describe('2-fork-measure.yml', () => {
  const payload = (action: string, label: string | null) => ({
    action,
    number: 7,
    ...(label === null ? {} : { label: { name: label } }),
    repository: REPOSITORY,
    pull_request: {
      number: 7,
      head: { sha: HEAD, ref: 'patch-1', repo: FORK },
      base: { sha: 'b'.repeat(40), ref: 'main', repo: REPOSITORY },
    },
  })
  const measure = (action: string, label: string | null, artifacts = artifactsFolder()) =>
    run('2-fork-measure.yml', 'pull_request_target', payload(action, label), artifacts)

  it('measures nothing before the commit is approved, and the required check fails', async () => {
    compared = [{ filename: 'workload-manifest.yaml' }]
    const artifacts = artifactsFolder()
    const ended = await measure('opened', null, artifacts)
    expect(ended.jobs).toEqual({ 'Manifest and approval': 'succeeded', Capacity: 'failed' })
    expect(ended.log).toContain(`${HEAD} is not approved`)
    expect(uploaded(artifacts)).toEqual([])
  })

  it('takes a label of another commit, or of anything else, for no approval, and reports no required check for it', async () => {
    const ended = await measure('labeled', 'e'.repeat(40))
    expect(ended.jobs).toEqual({ 'Another label': 'succeeded' })
  })

  it('passes the check where the manifest is not touched', async () => {
    compared = [{ filename: 'README.md' }]
    const ended = await measure('synchronize', null)
    expect([ended.code, ended.jobs]).toEqual([0, { 'Manifest and approval': 'succeeded', Capacity: 'succeeded' }])
  })

  it('measures the approved commit’s manifest, leaves the pack, and the check is the measurement’s', async () => {
    compared = [{ filename: 'workload-manifest.yaml' }]
    proposed = quickManifest()
    const artifacts = artifactsFolder()
    const ended = await measure('labeled', HEAD, artifacts)
    const [name = ''] = uploaded(artifacts)
    expect(name).toMatch(/^capacity-\d+-\d+$/)
    expect(existsSync(join(artifacts, name, 'capacity.json'))).toBe(true)
    // What a busy machine measures is not this test's business; that the check follows it is.
    expect(ended.jobs['Capacity']).toBe(ended.jobs['Measure'])
  })
})

describe('1-upgrade-pull-request.yml', () => {
  const upgrade = (changes: Record<string, string>, artifacts = artifactsFolder()) =>
    runWorkflow({
      example: '1-upgrade-pull-request.yml',
      event: 'pull_request',
      payload: (base) => ({
        action: 'synchronize',
        number: 7,
        repository: REPOSITORY,
        pull_request: {
          number: 7,
          head: { sha: HEAD, ref: 'bump', repo: REPOSITORY },
          base: { sha: base, ref: 'main', repo: REPOSITORY },
        },
      }),
      files: { 'workload-manifest.yaml': manifestText(own.manifest) },
      changes,
      apiUrl: front.url,
      serverUrl: new URL(git.url).origin,
      artifacts,
    })

  it('measures a change of the manifest, comments it, and the check is the measurement’s', async () => {
    const artifacts = artifactsFolder()
    const ended = await upgrade({ 'workload-manifest.yaml': quickManifest() }, artifacts)
    expect(uploaded(artifacts)).toEqual([expect.stringMatching(/^capacity-\d+-\d+$/)])
    expect(ended.jobs['Manifest and estimate']).toBe('succeeded')
    expect(ended.jobs['Capacity']).toBe(ended.jobs['Measure'])
    expect(github.comments.map(({ body }) => body.split('\n')[0])).toContain('<!-- capacity-gate:embedded: -->')
  })

  it('passes where the manifest is not touched, and measures nothing', async () => {
    const ended = await upgrade({ 'README.md': 'Words.' })
    expect([ended.code, ended.jobs]).toEqual([0, { 'Manifest and estimate': 'succeeded', Capacity: 'succeeded' }])
  })
})

/** A run of seconds. */
function quickManifest(): string {
  const manifest = parsedManifest('fixtures/packs/embedded/workload-manifest.yaml') as Record<string, object>
  Object.assign(manifest['client'] ?? {}, {
    minimum_duration_seconds: 1,
    initial_scheduled_requests: 40,
    extension_requests: 20,
    class_schedule_counts: { interactive: 28, long_context: 8, generation_heavy: 4 },
    warmup_seconds: 1,
    calibration_error_max_share: 1,
  })
  manifest['sweep'] = { rates_rps: [20], repeats: 1 }
  Object.assign(manifest['acceptance'] ?? {}, { min_successful_samples_per_class: 3 })
  return stringify(manifest)
}
